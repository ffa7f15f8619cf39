package dev.outcrop.jruby;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jruby.RubyThread;
import org.jruby.runtime.ThreadContext;

/**
 * Where Ruby threads wait until somebody opens. To wake a thread costs more than to push and pop an item; so whoever waits looks again by himself for a
 * while, and only then asks to be woken. Whoever opens pays for one look at a counter as long as nobody asks.
 *
 * <p>{@code Thread#kill}, {@code Thread#raise} and {@code Timeout.timeout} end the wait.
 */
final class WaitingRoom {
    /** A deadline that never comes. */
    static final long FOREVER = Long.MAX_VALUE;

    private static final int SPINS = 100;
    private static final int NAPS = 20;
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    /** Somebody who was woken may be killed before he takes what was meant for him. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    /** Threads that wait in whichever way. */
    private final AtomicInteger present = new AtomicInteger();
    /** Those that have asked to be woken, and those of them that were; written with the lock held. */
    private final AtomicInteger asking = new AtomicInteger();
    private final AtomicInteger woken = new AtomicInteger();

    /** How many threads wait. */
    int present() {
        return present.get();
    }

    /** Lets one thread look again. Whoever calls this has made the condition hold before, with a volatile write. */
    void open() {
        if (asking.get() > woken.get()) {
            lock.lock();
            try {
                if (asking.get() > woken.get()) {
                    woken.incrementAndGet();
                    more.signal();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Lets all threads look again. */
    void openAll() {
        lock.lock();
        try {
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a condition holds.
     *
     * @param condition looked at often, by many threads; must be cheap
     * @param deadline  in {@link System#nanoTime()}, or {@link #FOREVER}
     * @return whether it holds
     */
    boolean await(ThreadContext context, BooleanSupplier condition, long deadline) {
        for (int i = 0; i < SPINS; i++) {
            if (condition.getAsBoolean()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return sleep(context, new Wait(condition, deadline));
    }

    /** Waits for a very short time, because what is there cannot be had yet. Returns whether there is time left. */
    boolean pause(ThreadContext context, long nanos, long deadline) {
        long left = left(deadline);
        if (left > 0) {
            long until = System.nanoTime() + Math.min(nanos, left);
            boolean _ = sleep(context, new Wait(() -> false, until));
        }
        return left > 0;
    }

    private boolean sleep(ThreadContext context, Wait wait) {
        present.incrementAndGet();
        try {
            while (true) {
                try {
                    return context.getThread().executeTaskBlocking(context, this, wait);
                } catch (InterruptedException e) {
                    // JRuby raises what the thread was interrupted for. If that was nothing, as with Thread#wakeup, it goes on waiting.
                }
            }
        } finally {
            present.decrementAndGet();
        }
    }

    /** Nanoseconds until a deadline. */
    static long left(long deadline) {
        return deadline == FOREVER ? FOREVER : deadline - System.nanoTime();
    }

    private final class Wait implements RubyThread.Task<WaitingRoom, Boolean> {
        private final BooleanSupplier condition;
        private final long deadline;

        Wait(BooleanSupplier condition, long deadline) {
            this.condition = condition;
            this.deadline = deadline;
        }

        @Override
        public Boolean run(ThreadContext context, WaitingRoom room) throws InterruptedException {
            for (int i = 0; i < NAPS; i++) {
                long left = left(deadline);
                if (condition.getAsBoolean()) {
                    return true;
                }
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(room, Math.min(NAP_NANOS, left));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return await();
        }

        private boolean await() throws InterruptedException {
            lock.lockInterruptibly();
            // Before the look at the condition: whoever makes it hold looks at this afterwards, so one of the two sees the other.
            asking.incrementAndGet();
            try {
                while (!condition.getAsBoolean()) {
                    long left = left(deadline);
                    if (left <= 0) {
                        return false;
                    }
                    long _ = more.awaitNanos(Math.min(left, LONGEST_NANOS));
                    if (woken.get() > 0) {
                        woken.decrementAndGet();
                    }
                }
                return true;
            } finally {
                int others = asking.decrementAndGet();
                // Who is interrupted just when he is woken does not count.
                woken.set(Math.min(woken.get(), others));
                lock.unlock();
            }
        }

        @Override
        public void wakeup(RubyThread thread, WaitingRoom room) {
            Thread waiting = thread.getNativeThread();
            if (waiting != null) {
                waiting.interrupt();
            }
        }
    }
}
