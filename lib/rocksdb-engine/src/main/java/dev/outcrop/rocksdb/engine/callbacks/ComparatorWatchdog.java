package dev.outcrop.rocksdb.engine.callbacks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stops the background work of databases with a failed comparator, before it writes keys in a wrong order to the disk. This needs its own
 * thread, because RocksDB may call a comparator while it holds the lock that stopping takes.
 */
public final class ComparatorWatchdog implements Runnable {
    /** How long a thread waits for the watchdog to get a lock before it takes itself for the owner of the lock. */
    private static final long SUSPICIOUS_MILLIS = 1_000;
    /** How long a thread waits that may own a lock. Stopping writes a file, and a disk can be slow. */
    private static final long LONG_MILLIS = 10_000;
    /** How long a thread waits that owns no lock. It could wait without a limit; this one ends a deadlock that we have not foreseen. */
    private static final long LONGEST_MILLIS = 120_000;
    /** How long an owner waits with each of its further comparisons. There are some dozens of them before it gives the lock back. */
    private static final long OWNER_MILLIS = 50;
    /** How long the watchdog pauses before it tries again. */
    private static final long PAUSE_MILLIS = 10;
    private static @Nullable Thread thread;
    /** The number of failures. {@code looked} is the number of handled failures. */
    private static final AtomicLong WOKEN = new AtomicLong();
    private static volatile long looked;
    /** The rounds in which the watchdog takes all locks: the number of the last one that has begun, and of the last one that has ended. */
    private static volatile long begun;
    private static volatile long got;

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

    /** Returns how often the watchdog has begun to take all locks. */
    static long rounds() {
        return begun;
    }

    /** Returns how many nanoseconds a thread waits that cannot know more. */
    static long most(boolean isOwner) {
        return (isOwner ? OWNER_MILLIS : LONG_MILLIS) * 1_000_000;
    }

    /**
     * Waits until the databases with failed comparators are stopped. Returns whether they are stopped; false if the calling thread owns a
     * lock that stopping needs, as far as can be seen. It owns none if the watchdog gets all locks in a round that begins and ends while the
     * thread is inside one comparison.
     *
     * @param isOwner       whether the thread has already waited in vain
     * @param isWritingFile whether the thread writes a file. Then it owns a lock only while it adds the file to the database.
     * @param rounds        the number of {@link #rounds()} when the comparison had begun
     */
    static boolean await(boolean isOwner, boolean isWritingFile, long rounds) {
        long seen = WOKEN.get();
        long next = rounds + 1;
        long since = System.nanoTime();
        boolean hasBegun = false;
        while (looked < seen) {
            if (!hasBegun && begun >= next) {
                hasBegun = true;
                since = System.nanoTime();
            }
            long most = isOwner
                    ? OWNER_MILLIS
                    : got >= next ? LONGEST_MILLIS : hasBegun && !isWritingFile ? SUSPICIOUS_MILLIS : LONG_MILLIS;
            if (System.nanoTime() - since >= most * 1_000_000) {
                return false;
            }
            LockSupport.parkNanos(100_000);
        }
        return true;
    }

    @Override
    public void run() {
        long round = 0;
        while (true) {
            long seen = WOKEN.get();
            if (looked == seen) {
                LockSupport.park(this);
                // An interrupt would turn parking into spinning.
                boolean _ = Thread.interrupted();
                continue;
            }
            try {
                begun = ++round;
                OpenDatabases.lockBroken();
                got = round;
                OpenDatabases.stopBroken();
                looked = seen;
            } catch (Throwable e) {
                // Memory has run out. The databases refuse calls from Java meanwhile.
                LockSupport.parkNanos(PAUSE_MILLIS * 1_000_000);
            }
        }
    }
}
