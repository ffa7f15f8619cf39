package dev.outcrop.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which thread holds a scratch, and for which {@link Lifetime}. An array of numbers in the middle of padding: no other thread's data is on
 * its cache lines, and storing a number needs no write barrier of the garbage collector, which storing a reference would.
 */
final class ScratchHolder {
    /** Index of the id of the lifetime that the holder uses; 0 while the scratch is free. */
    private static final int LIFETIME = 16;
    /** Index of the id of the holding thread; 0 while the scratch is free. */
    private static final int THREAD = 17;
    private static final int LENGTH = 34;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();

    private final long[] header = new long[LENGTH];

    /** Claims the scratch for a lifetime; false if it is taken. */
    boolean claim(long lifetime, long threadId) {
        // A full fence: the claim must be visible before its maker looks whether the lifetime is still open.
        if (!(boolean) LONG.compareAndSet(header, LIFETIME, 0L, lifetime)) {
            return false;
        }
        header[THREAD] = threadId;
        return true;
    }

    /** Gives the scratch back. */
    void release() {
        header[THREAD] = 0;
        // Release: all that the holder did, in Java and in native code, happens before whatever a closer does on seeing 0.
        LONG.setRelease(header, LIFETIME, 0L);
    }

    /** Whether somebody holds the scratch for this lifetime. */
    boolean holds(long lifetime) {
        // Volatile: ordered after the closer's write of "closed", the other half of the hazard pointer.
        return (long) LONG.getVolatile(header, LIFETIME) == lifetime;
    }

    /** Whether the thread with this id holds the scratch. Another thread's answer may be out of date, one's own never is. */
    boolean heldBy(long threadId) {
        return header[THREAD] == threadId;
    }
}
