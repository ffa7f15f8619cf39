package dev.outcrop.rocksdb.engine.callbacks;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stops the background work of databases whose order is broken, before it writes something in a wrong order to the disk. In a thread of its
 * own, because a comparator may be called while RocksDB holds the lock that stopping takes.
 */
public final class OrderGuard implements Runnable {
    private static @Nullable Thread thread;
    /** How often something was wrong, and how often all databases were looked at since. */
    private static final AtomicLong WOKEN = new AtomicLong();
    private static volatile long looked;

    private OrderGuard() {
    }

    /** Starts the thread. Called before the first comparator is given to RocksDB, because later there may be no memory for it. */
    public static synchronized void start() {
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("outcrop-order-guard").start(new OrderGuard());
        }
    }

    /** An order has turned out to be broken. Allocates nothing, and waits for nothing. */
    public static void wake() {
        WOKEN.incrementAndGet();
        LockSupport.unpark(thread);
    }

    /** Waits until the databases with a broken order are stopped, but not long; returns whether they are. */
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
                // Nobody interrupts it on purpose; parking would turn into spinning.
                boolean _ = Thread.interrupted();
                continue;
            }
            try {
                CallingDatabases.stopBroken();
            } catch (Throwable e) {
                // No memory: what is refused in Java is refused all the same.
            }
            looked = seen;
        }
    }
}
