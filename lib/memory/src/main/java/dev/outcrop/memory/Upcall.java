package dev.outcrop.memory;

/**
 * A class with methods that native code calls. No exception may leave these methods, because that would end the JVM.
 *
 * <p>Some calls are forbidden inside callbacks, for example closing the database that runs the callback. These calls look for an
 * {@code Upcall} on the stack. They are rare, and the search costs callbacks nothing.
 */
public interface Upcall {
    /**
     * Returns whether the calling thread is inside a callback of native code.
     *
     * @return true if a method of an {@code Upcall} is on the stack
     * @throws StackOverflowError if too little of the stack is left
     */
    static boolean isRunning() {
        // If the stack ran out, the stack walker would throw an InternalError.
        StackCheck.require(Frames.WALKING_KIB);
        return Frames.WALKER
                .walk(frames -> frames.anyMatch(frame -> Upcall.class.isAssignableFrom(frame.getDeclaringClass())
                        && frame.getDeclaringClass() != Upcall.class));
    }

    /** Initialized when it is first needed. */
    final class Frames {
        /** The stack that the walk itself takes. */
        private static final int WALKING_KIB = 16;
        private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

        private Frames() {
        }
    }
}
