package dev.outcrop.rocksdb.engine.callbacks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stops the background work of databases with a failed comparator, before it writes keys in a wrong order to the disk. A thread of its own,
 * because RocksDB may call a comparator while it holds the lock that stopping takes.
 */
public final class ComparatorWatchdog implements Runnable {
    private static @Nullable Thread thread;
    /** The number of failures, and of those that were handled. */
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

    /** Waits until the databases with failed comparators are stopped, with a limit; returns whether they are. */
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
                // Memory has run out; Java refuses calls nevertheless.
            }
            looked = seen;
        }
    }
}
