package dev.outcrop.memory;

/**
 * A class whose methods native code calls. No exception may leave these methods, for that would end the JVM.
 *
 * <p>What must not be done from inside a callback, such as closing the database that made it, is refused by looking for such a class
 * on the stack: that costs callbacks nothing, and closing is rare.
 */
public interface Upcall {
    /**
     * Whether native code called the calling thread back.
     *
     * @return true if a method of an {@code Upcall} is on the stack
     */
    static boolean isRunning() {
        return Frames.WALKER
                .walk(frames -> frames.anyMatch(frame -> Upcall.class.isAssignableFrom(frame.getDeclaringClass())
                        && frame.getDeclaringClass() != Upcall.class));
    }

    /** Holds what only those who ask need. */
    final class Frames {
        private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

        private Frames() {
        }
    }
}
