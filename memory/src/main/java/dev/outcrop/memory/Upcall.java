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
     * @throws StackOverflowError if too little of the stack is left
     */
    static boolean isRunning() {
        // In the middle of its work the walker would turn the end of the stack into an InternalError.
        Headroom.require(Frames.WALKING_KIB);
        return Frames.WALKER
                .walk(frames -> frames.anyMatch(frame -> Upcall.class.isAssignableFrom(frame.getDeclaringClass())
                        && frame.getDeclaringClass() != Upcall.class));
    }

    /** Holds what only those who ask need. */
    final class Frames {
        /** What it takes to look through the stack. */
        private static final int WALKING_KIB = 16;
        private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

        private Frames() {
        }
    }
}
