package dev.outcrop.queue.internal.append;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for a record. Producers must not pay for them when there are none: they read one field, without a fence behind their
 * commit. So it can happen that a producer overlooks a reader who begins to wait at just that moment. Therefore a reader looks again by
 * itself, soon at first, and then less and less often: a producer that was descheduled in between is found after at most as long again, and
 * who waits for long costs nothing.
 */
public final class Readers {
    private static final long FIRST_NANOS = 1_000_000;
    private static final long LONGEST_NANOS = 100_000_000;
    private static final int SPINS = 100;

    private final Object lock = new Object();
    /** Written with the lock held. */
    private volatile int wakes;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Something was committed. */
    public void wake() {
        if (waiting.get() > 0) {
            synchronized (lock) {
                wakes++;
                lock.notifyAll();
            }
        }
    }

    /** What a thread waits for. */
    public interface Arrival {
        /** It could not be looked at, because of what hardly takes long: look again soon. */
        long SOON = FIRST_NANOS;

        /**
         * Looks. Returns 0 if it is there, otherwise after how many nanoseconds it is, or may be, although no thread wakes a waiting one.
         */
        long nanosLeft();
    }

    /**
     * Waits until something is there.
     *
     * @param arrival  looked at often; must be cheap
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
                // Behind the increment: a producer that commits from here on sees that a thread waits. Before the look: it wakes this thread.
                int seen = wakes;
                // Without the lock, which producers need: the look may have to wait for another lock.
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
