package dev.outcrop.jruby.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pushes that run at this moment. They can be halted: then no thread is between appending an item and putting its object into
 * memory. Thread-safe, without locks.
 */
final class ActivePushes {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger halts = new AtomicInteger();
    /**
     * The error after which the counts, and what else is in memory, may be wrong. Written where it is caught, without a call, for which there
     * may be no stack.
     */
    volatile @Nullable Error brokenBy;

    /** Begins a push; {@link #leave} must follow. Waits while pushes are halted. */
    void enter() {
        active.incrementAndGet();
        // After the increment: a thread that halts looks at the counter after it has halted, so one of the two sees the other.
        while (halts.get() > 0 && brokenBy == null) {
            active.decrementAndGet();
            LockSupport.parkNanos(this, PAUSE_NANOS);
            active.incrementAndGet();
        }
    }

    void leave() {
        active.decrementAndGet();
    }

    /** Tells whether no push runs, as far as is known. */
    boolean isIdle() {
        return active.get() == 0 || brokenBy != null;
    }

    /** Runs an action while no push runs. Not to be called by a push. */
    void halt(Runnable action) {
        halts.incrementAndGet();
        try {
            while (!isIdle()) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
            action.run();
        } finally {
            halts.decrementAndGet();
        }
    }
}
