package dev.outcrop.jruby;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jruby.RubyThread;
import org.jruby.runtime.ThreadContext;

/**
 * Where Ruby threads wait until somebody opens. To put a thread to sleep and to wake it costs more than to push and pop several items; so
 *
 * <ul>
 * <li>one of those who wait looks again for some microseconds before it goes to sleep; one, because others may need the processors,
 * <li>a thread that opens pays for one look at a counter as long as nobody sleeps,
 * <li>and those who sleep are woken when it is worth it, so that they have several things to do at once: before that only if they have
 * waited for a while.
 * </ul>
 *
 * <p>{@code Thread#kill}, {@code Thread#raise} and {@code Timeout.timeout} end the wait.
 */
final class WaitingRoom {
    /** A time that never comes. */
    static final long FOREVER = Long.MAX_VALUE;

    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 300 : 1;
    /** How long somebody sleeps before he is woken for little, too. */
    private static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** Somebody who was woken may be killed before he takes what was meant for him. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BooleanSupplier isWorthIt;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    /** Threads that wait in whichever way. */
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicBoolean isSpinning = new AtomicBoolean();
    /** Those that sleep, those of them that have run out of patience, and those that were woken; written with the lock held. */
    private final AtomicInteger asleep = new AtomicInteger();
    private final AtomicInteger impatient = new AtomicInteger();
    private final AtomicInteger woken = new AtomicInteger();

    /**
     * Nobody waits, yet.
     *
     * @param isWorthIt whether there is so much of what one waits for here that somebody is to be woken; must be cheap
     */
    WaitingRoom(BooleanSupplier isWorthIt) {
        this.isWorthIt = isWorthIt;
    }

    /** How many threads wait. */
    int present() {
        return present.get();
    }

    /** Lets one thread look again. The caller has made the condition hold before, with a volatile write. */
    void open() {
        if (asleep.get() > woken.get() && (impatient.get() > 0 || isWorthIt.getAsBoolean())) {
            lock.lock();
            try {
                if (asleep.get() > woken.get()) {
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
        if (asleep.get() > 0) {
            lock.lock();
            try {
                more.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits until there is what one waits for here.
     *
     * @param look     returns 0 if it is there; otherwise after how many nanoseconds it may be although nobody opens, {@link #FOREVER} if
     *                 it cannot. Called often; must be cheap
     * @param deadline in {@link System#nanoTime()}, or {@link #FOREVER}
     * @return whether it is there
     */
    boolean await(ThreadContext context, LongSupplier look, long deadline) {
        return (left(deadline) > 0 && spin(look)) || sleep(context, new Wait(look, deadline));
    }

    private boolean spin(LongSupplier look) {
        if (isSpinning.get() || !isSpinning.compareAndSet(false, true)) {
            return look.getAsLong() == 0;
        }
        try {
            for (int i = 0; i < SPINS; i++) {
                if (look.getAsLong() == 0 && isWorthIt.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } finally {
            isSpinning.set(false);
        }
        return look.getAsLong() == 0;
    }

    /** Waits for a very short time, because what is there cannot be had yet. Returns whether there is time left. */
    boolean pause(ThreadContext context, long nanos, long deadline) {
        long left = left(deadline);
        if (left > 0) {
            long until = System.nanoTime() + Math.min(nanos, left);
            boolean _ = sleep(context, new Nap(until));
        }
        return left > 0;
    }

    private boolean sleep(ThreadContext context, RubyThread.Task<WaitingRoom, Boolean> wait) {
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
        private final LongSupplier look;
        private final long deadline;

        Wait(LongSupplier look, long deadline) {
            this.look = look;
            this.deadline = deadline;
        }

        @Override
        public Boolean run(ThreadContext context, WaitingRoom room) throws InterruptedException {
            lock.lockInterruptibly();
            boolean isImpatient = false;
            // Before the look: a thread that makes it succeed looks at this afterwards, so one of the two sees the other.
            asleep.incrementAndGet();
            try {
                for (long nanos = look.getAsLong(); nanos > 0; nanos = look.getAsLong()) {
                    long left = left(deadline);
                    if (left <= 0) {
                        return false;
                    }
                    long most = isImpatient ? LONGEST_NANOS : PATIENCE_NANOS;
                    boolean isOver = more.awaitNanos(Math.min(Math.min(left, nanos), most)) <= 0;
                    if (isOver && !isImpatient) {
                        isImpatient = true;
                        impatient.incrementAndGet();
                    }
                    if (woken.get() > 0) {
                        woken.decrementAndGet();
                    }
                }
                return true;
            } finally {
                if (isImpatient) {
                    impatient.decrementAndGet();
                }
                int others = asleep.decrementAndGet();
                // A thread that is interrupted just when it is woken does not count.
                woken.set(Math.min(woken.get(), others));
                lock.unlock();
            }
        }

        @Override
        public void wakeup(RubyThread thread, WaitingRoom room) {
            interrupt(thread);
        }
    }

    /** Only takes time: nobody who opens counts on it. */
    private record Nap(long deadline) implements RubyThread.Task<WaitingRoom, Boolean> {
        @Override
        public Boolean run(ThreadContext context, WaitingRoom room) throws InterruptedException {
            for (long left = left(deadline); left > 0; left = left(deadline)) {
                LockSupport.parkNanos(room, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return true;
        }

        @Override
        public void wakeup(RubyThread thread, WaitingRoom room) {
            interrupt(thread);
        }
    }

    private static void interrupt(RubyThread thread) {
        Thread waiting = thread.getNativeThread();
        if (waiting != null) {
            waiting.interrupt();
        }
    }
}
