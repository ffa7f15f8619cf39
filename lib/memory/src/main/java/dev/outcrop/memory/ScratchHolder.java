package dev.outcrop.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The thread that holds a scratch, and the {@link Lifetime} that the thread uses it for. Both are numbers in an array, with padding around
 * them: no data of other threads is on their cache lines, and storing a number needs no write barrier of the garbage collector.
 */
final class ScratchHolder {
    /** Index of the id of the lifetime that the holder uses; 0 while the scratch is free. */
    private static final int LIFETIME = 16;
    /** Index of the id of the holding thread; 0 while the scratch is free. */
    private static final int THREAD = 17;
    private static final int LENGTH = 34;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();

    private final long[] header = new long[LENGTH];

    /** Claims the scratch for a lifetime; returns false if it is taken. */
    boolean claim(long lifetime, long threadId) {
        // A full fence: the claim must be visible before the thread checks whether the lifetime is still open.
        if (!(boolean) LONG.compareAndSet(header, LIFETIME, 0L, lifetime)) {
            return false;
        }
        header[THREAD] = threadId;
        return true;
    }

    /** Releases the scratch. */
    void release() {
        header[THREAD] = 0;
        // Release: everything the holder did, in Java and in native code, happens before anything that a closer does after it sees 0.
        LONG.setRelease(header, LIFETIME, 0L);
    }

    /** Returns whether the scratch is held for this lifetime. */
    boolean holds(long lifetime) {
        // Volatile: ordered after the closer's write of "closed", the other half of the hazard pointer.
        return (long) LONG.getVolatile(header, LIFETIME) == lifetime;
    }

    /** Returns whether the thread with this id holds the scratch. The answer is reliable only for the calling thread. */
    boolean heldBy(long threadId) {
        return header[THREAD] == threadId;
    }
}
