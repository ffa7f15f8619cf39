package dev.outcrop.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Those who wait for a record. Producers must not pay for them when there are none: they read one field, without a fence behind their commit. So it
 * can happen that a producer overlooks a reader who begins to wait at just that moment; therefore nobody waits longer than {@link
 * #LONGEST_NANOS} before looking again.
 */
final class Readers {
    private static final long LONGEST_NANOS = 1_000_000;
    private static final int SPINS = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Something was committed. */
    void wake() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                more.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether what one waits for is there. */
    interface Arrival {
        boolean holds();
    }

    /**
     * Waits until a condition holds.
     *
     * @param condition looked at often; must be cheap
     * @param deadline  in {@link System#nanoTime()}
     * @return whether it holds
     * @throws InterruptedException if the thread is interrupted
     */
    boolean await(Arrival condition, long deadline) throws InterruptedException {
        for (int i = 0; i < SPINS; i++) {
            if (condition.holds()) {
                return true;
            }
            Thread.onSpinWait();
        }
        lock.lockInterruptibly();
        try {
            waiting.incrementAndGet();
            while (!condition.holds()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                more.awaitNanos(Math.min(left, LONGEST_NANOS));
            }
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }
}
