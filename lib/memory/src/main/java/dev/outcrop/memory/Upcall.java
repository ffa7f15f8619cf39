package dev.outcrop.memory;

/**
 * A class whose methods native code calls. No exception may leave these methods, for that would end the JVM.
 *
 * <p>Calls that are forbidden inside callbacks, such as closing the database that calls, look for such a class on the stack: that costs
 * callbacks nothing, and these calls are rare.
 */
public interface Upcall {
    /**
     * Returns whether the calling thread is inside a callback of native code.
     *
     * @return true if a method of an {@code Upcall} is on the stack
     * @throws StackOverflowError if too little of the stack is left
     */
    static boolean isRunning() {
        // The stack walker would turn the end of the stack into an InternalError.
        StackCheck.require(Frames.WALKING_KIB);
        return Frames.WALKER
                .walk(frames -> frames.anyMatch(frame -> Upcall.class.isAssignableFrom(frame.getDeclaringClass())
                        && frame.getDeclaringClass() != Upcall.class));
    }

    /** Initialized when it is first needed. */
    final class Frames {
        /** The stack that walking through it takes. */
        private static final int WALKING_KIB = 16;
        private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

        private Frames() {
        }
    }
}
