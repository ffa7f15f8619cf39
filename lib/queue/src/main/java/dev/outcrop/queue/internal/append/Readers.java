package dev.outcrop.queue.internal.append;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for a record. Producers read one field, without a fence behind their commit, so a producer can overlook a reader
 * that begins to wait at just that moment. Therefore a reader looks again by itself, less and less often.
 */
public final class Readers {
    private static final long FIRST_NANOS = 1_000_000;
    private static final long LONGEST_NANOS = 100_000_000;
    private static final int SPINS = 100;

    private final Object lock = new Object();
    /** Written with the lock held. */
    private volatile int wakes;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Wakes the readers, because a record was committed. */
    public void wake() {
        if (waiting.get() > 0) {
            synchronized (lock) {
                wakes++;
                lock.notifyAll();
            }
        }
    }

    /** The thing that a thread waits for. */
    public interface Arrival {
        /** Look again soon. */
        long SOON = FIRST_NANOS;

        /**
         * Returns 0 if it is there, otherwise the nanoseconds after which it may be there without a thread that wakes the waiting thread.
         */
        long nanosLeft();
    }

    /**
     * Waits until something is there.
     *
     * @param arrival  asked often; must be cheap
     * @param deadline in {@link System#nanoTime()}
     * @return whether it is there
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean await(Arrival arrival, long deadline) throws InterruptedException {
        for (int i = 0; i < SPINS; i++) {
            if (arrival.nanosLeft() == 0) {
                return true;
            }
            Thread.onSpinWait();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        waiting.incrementAndGet();
        try {
            for (long pause = FIRST_NANOS;; pause = Math.min(2 * pause, LONGEST_NANOS)) {
                // After the increment, so that producers see this thread; before the look, so that a later commit wakes it.
                int seen = wakes;
                // Without the lock, which producers need: this may wait for another lock.
                long nanos = arrival.nanosLeft();
                if (nanos == 0) {
                    return true;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                awaitWake(seen, Math.min(Math.min(left, pause), nanos));
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    private void awaitWake(int seen, long nanos) throws InterruptedException {
        synchronized (lock) {
            if (wakes == seen) {
                TimeUnit.NANOSECONDS.timedWait(lock, nanos);
            }
        }
    }
}
