package dev.outcrop.rocksdb.engine.callbacks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stops the background work of databases with a failed comparator, before it writes keys in a wrong order to the disk. This needs its own
 * thread, because RocksDB may call a comparator while it holds the lock that stopping takes.
 */
public final class ComparatorWatchdog implements Runnable {
    private static @Nullable Thread thread;
    /** The number of failures. {@code looked} is the number of handled failures. */
    private static final AtomicLong WOKEN = new AtomicLong();
    private static volatile long looked;

    private ComparatorWatchdog() {
    }

    /** Starts the thread. Called before RocksDB gets the first comparator, because memory may run out later. */
    public static synchronized void start() {
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("outcrop-comparator-watchdog").start(new ComparatorWatchdog());
        }
    }

    /** Notes a failure. Allocates nothing, and does not wait. */
    public static void wake() {
        WOKEN.incrementAndGet();
        LockSupport.unpark(thread);
    }

    /** Waits until the databases with failed comparators are stopped, but not longer than the limit. Returns whether they are stopped. */
    public static boolean await(int millis) {
        long seen = WOKEN.get();
        long end = System.nanoTime() + millis * 1_000_000L;
        while (looked < seen && System.nanoTime() < end) {
            LockSupport.parkNanos(100_000);
        }
        return looked >= seen;
    }

    @Override
    public void run() {
        while (true) {
            long seen = WOKEN.get();
            if (looked == seen) {
                LockSupport.park(this);
                // An interrupt would turn parking into spinning.
                boolean _ = Thread.interrupted();
                continue;
            }
            try {
                OpenDatabases.stopBroken();
            } catch (Throwable e) {
                // Memory has run out. The databases refuse calls from Java nevertheless.
            }
            looked = seen;
        }
    }
}
