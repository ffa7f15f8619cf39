package dev.outcrop.queue.internal;

import java.util.concurrent.locks.ReentrantLock;

/** Getting a lock when something has been done already, and must not seem to have failed. */
public final class Locks {
    private Locks() {
    }

    /**
     * Gets a lock whose holders never wait: not long, and without waiting, which a virtual thread cannot do if much of its stack is in use;
     * see {@link StackNeed}.
     */
    public static void lockBriefly(ReentrantLock lock) {
        if (lock.tryLock()) {
            return;
        }
        if (!Thread.currentThread().isVirtual()) {
            lock.lock();
            return;
        }
        // The thread that holds it runs, on another carrier.
        while (!lock.tryLock()) {
            Thread.onSpinWait();
        }
    }

    /** Gets a lock; waits as usual, or keeps the carrier of a virtual thread that cannot. */
    public static void lockSurely(ReentrantLock lock) {
        int holds = lock.getHoldCount();
        try {
            lock.lock();
        } catch (StackOverflowError e) {
            // It may have come when the lock was there already.
            while (lock.getHoldCount() == holds && !lock.tryLock()) {
                Thread.onSpinWait();
            }
        }
    }
}
