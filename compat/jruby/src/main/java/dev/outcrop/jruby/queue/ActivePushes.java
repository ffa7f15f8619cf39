package dev.outcrop.jruby.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pushes that are running now. Pushes can be halted; then no thread is between appending an item and putting its object into
 * memory. Thread-safe, without locks.
 */
final class ActivePushes {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger halts = new AtomicInteger();
    /**
     * The error after which the counts and the other state in memory may be wrong. The code that catches the error writes this field
     * directly, because there may be no stack left for a call.
     */
    volatile @Nullable Error brokenBy;

    /** Begins a push; {@link #leave} must follow. Waits while pushes are halted. */
    void enter() {
        active.incrementAndGet();
        // Check after the increment: a thread that halts looks at the counter after it has halted, so one of the two threads sees the
        // other.
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

    /** Runs an action while no push runs. A push must not call this method. */
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
