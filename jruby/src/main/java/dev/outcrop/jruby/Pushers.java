package dev.outcrop.jruby;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads that are pushing at this moment. They can be halted: then nobody is between appending an item and putting its object into
 * memory. Thread-safe, without locks.
 */
final class Pushers {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger halts = new AtomicInteger();

    /** Begins to push; {@link #leave} must follow. Waits while pushing is halted. */
    void enter() {
        inside.incrementAndGet();
        // After the increment: a thread that halts looks at the counter after it has halted, so one of the two sees the other.
        while (halts.get() > 0) {
            inside.decrementAndGet();
            LockSupport.parkNanos(this, PAUSE_NANOS);
            inside.incrementAndGet();
        }
    }

    void leave() {
        inside.decrementAndGet();
    }

    boolean isNobodyInside() {
        return inside.get() == 0;
    }

    /** Does something while nobody pushes. Not to be called by one who does. */
    void halt(Runnable action) {
        halts.incrementAndGet();
        try {
            while (inside.get() > 0) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
            action.run();
        } finally {
            halts.decrementAndGet();
        }
    }
}
