package dev.outcrop.queue.internal.append;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The clock for records, which never goes back. A system call for the time costs more than copying a small record, so the background thread
 * makes it every {@link #TICK_NANOS} while records are appended; when that is idle, an appender does.
 */
public final class Clock {
    public static final long TICK_NANOS = 10_000_000;

    private final AtomicLong latest;
    /** Whether the background thread reads the system's clock all the time. */
    private volatile boolean isTicking;
    /** How far tests have moved the time on. */
    private final AtomicLong aheadMillis = new AtomicLong();
    /** Wakes the thread that calls {@link #tick()}; null if none does. */
    private volatile @Nullable Runnable waker;

    /**
     * A clock.
     *
     * @param earliest the latest time that the queue knows
     */
    public Clock(long earliest) {
        this.latest = new AtomicLong(earliest);
    }

    /** Sets what wakes the thread that calls {@link #tick()} from now on, until it calls {@link #rest()}. */
    public void tickedBy(Runnable wake) {
        waker = wake;
    }

    /** Converts a time to milliseconds, rounded up. */
    public static long millisNotBefore(Instant time) {
        try {
            long millis = time.toEpochMilli();
            return time.isAfter(Instant.ofEpochMilli(millis)) ? millis + 1 : millis;
        } catch (ArithmeticException e) {
            return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    public long millis() {
        return isTicking ? latest.get() : ask();
    }

    private long ask() {
        Runnable wake = waker;
        long now = read();
        if (wake != null) {
            wake.run();
        }
        return now;
    }

    /**
     * Reads the system's clock, or returns the latest time if that has gone back. Without a lock: a virtual thread that waits for a lock
     * continues only when it gets a carrier. While other threads yield all the time on all carriers, no thread could append until then.
     */
    private long read() {
        long now = latest.accumulateAndGet(systemMillis(), Math::max);
        if (waker != null) {
            isTicking = true;
            if (waker == null) {
                // The background thread ended between the two reads.
                isTicking = false;
            }
        }
        return now;
    }

    /** Returns the time of the operating system, which may go back. */
    public long systemMillis() {
        return System.currentTimeMillis() + aheadMillis.get();
    }

    /** {@link System#nanoTime()}, moved on by tests. */
    public long nanos() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aheadMillis.get());
    }

    /** For tests: moves the time on. The caller wakes threads that wait for a time. */
    public void advance(Duration time) {
        long _ = aheadMillis.addAndGet(time.toMillis());
        long _ = latest.accumulateAndGet(systemMillis(), Math::max);
    }

    /** Reads the system's clock again. */
    public void tick() {
        read();
    }

    /** No thread will call {@link #tick()} for some time. */
    public void rest() {
        isTicking = false;
    }

    /** No thread will call {@link #tick()} again, woken or not. */
    public void end() {
        waker = null;
        isTicking = false;
    }
}
