package dev.outcrop.jruby.common;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jruby.RubyThread;
import org.jruby.runtime.ThreadContext;

/**
 * Ruby threads that wait for a condition. Putting a thread to sleep and waking it costs more than pushing and popping several items. So
 *
 * <ul>
 * <li>one waiting thread keeps checking the condition for some microseconds before it sleeps; only one thread does so, because others may
 * need the processors,
 * <li>signalling costs one look at a counter while no thread waits,
 * <li>and a sleeper is woken only when there is enough to do, or when some sleeper has waited for a while.
 * </ul>
 *
 * <p>A sleeper checks the condition at least every 50 ms, so a lost signal only delays the sleeper. There is no lock, so a thread that runs
 * out of stack here blocks no other thread.
 *
 * <p>{@code Thread#kill}, {@code Thread#raise} and {@code Timeout.timeout} end the wait.
 */
public final class WaitQueue {
    /** The deadline that never passes. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 300 : 1;
    /** How long a thread sleeps before any signal wakes it, even if there is little to do. */
    private static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** A thread that was woken may be killed before it takes the item. Then another thread finds the item after this time. */
    private static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final BooleanSupplier isEnough;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean isSpinning = new AtomicBoolean();
    /** The threads that sleep and were not woken, by their tickets. The thread that has slept longest is the first. */
    private final ConcurrentSkipListMap<Long, Thread> sleepers = new ConcurrentSkipListMap<>();
    private final AtomicLong tickets = new AtomicLong();
    /** How many threads have slept for longer than {@link #PATIENCE_NANOS}. */
    private final AtomicInteger impatient = new AtomicInteger();

    /** Creates an empty queue. The condition tells whether there is enough to do to wake a sleeper. It must be cheap. */
    public WaitQueue(BooleanSupplier isEnough) {
        this.isEnough = isEnough;
    }

    /** Returns how many threads wait. */
    public int waiting() {
        return waiting.get();
    }

    /** Wakes one thread if it is worth it. The caller must have made the condition true, with a volatile write. */
    public void signal() {
        if (waiting.get() > 0 && (impatient.get() > 0 || isEnough.getAsBoolean())) {
            boolean _ = wakeFirst();
        }
    }

    /** Wakes all threads. */
    public void signalAll() {
        while (wakeFirst()) {
            // Until none is left.
        }
    }

    private boolean wakeFirst() {
        Map.Entry<Long, Thread> first = sleepers.pollFirstEntry();
        if (first != null) {
            LockSupport.unpark(first.getValue());
        }
        return first != null;
    }

    /**
     * Waits until a condition is true.
     *
     * @param context   of the thread
     * @param condition returns 0 if it is true; otherwise the nanoseconds after which it may become true without a signal, or
     *                  {@link #NEVER} if only a signal can make it true. It is called often and must be cheap
     * @param deadline  in {@link System#nanoTime()}, or {@link #NEVER}
     * @return whether the condition is true
     */
    public boolean await(ThreadContext context, LongSupplier condition, long deadline) {
        return (left(deadline) > 0 && spin(condition)) || block(context, new AwaitTask(condition, deadline));
    }

    private boolean spin(LongSupplier condition) {
        if (isSpinning.get() || !isSpinning.compareAndSet(false, true)) {
            return condition.getAsLong() == 0;
        }
        try {
            for (int i = 0; i < SPINS; i++) {
                if (condition.getAsLong() == 0 && isEnough.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } finally {
            isSpinning.set(false);
        }
        return condition.getAsLong() == 0;
    }

    /** Sleeps for a very short time. No signal ends the sleep. Returns false if the deadline had already passed. */
    public boolean pause(ThreadContext context, long nanos, long deadline) {
        long left = left(deadline);
        if (left > 0) {
            long until = System.nanoTime() + Math.min(nanos, left);
            boolean _ = block(context, new SleepTask(until));
        }
        return left > 0;
    }

    private boolean block(ThreadContext context, RubyThread.Task<WaitQueue, Boolean> task) {
        waiting.incrementAndGet();
        try {
            while (true) {
                try {
                    return context.getThread().executeTaskBlocking(context, this, task);
                } catch (InterruptedException e) {
                    // JRuby raises the error that caused the interruption. If there is no error, as with Thread#wakeup, the thread waits
                    // on.
                }
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Returns the nanoseconds until a deadline in {@link System#nanoTime()}, negative if it has passed; or {@link #NEVER}. */
    public static long left(long deadline) {
        return deadline == NEVER ? NEVER : deadline - System.nanoTime();
    }

    private void park(long nanos) throws InterruptedException {
        LockSupport.parkNanos(this, nanos);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private final class AwaitTask implements RubyThread.Task<WaitQueue, Boolean> {
        private final LongSupplier condition;
        private final long deadline;

        AwaitTask(LongSupplier condition, long deadline) {
            this.condition = condition;
            this.deadline = deadline;
        }

        @Override
        public Boolean run(ThreadContext context, WaitQueue queue) throws InterruptedException {
            long patienceEnd = System.nanoTime() + PATIENCE_NANOS;
            boolean isImpatient = false;
            // Queue up before the check: a thread that makes the condition true looks for sleepers afterwards, so one of the two threads
            // sees the other.
            long ticket = queueUp();
            try {
                for (long nanos = condition.getAsLong(); nanos > 0; nanos = condition.getAsLong()) {
                    long left = left(deadline);
                    if (left <= 0) {
                        return false;
                    }
                    long most = isImpatient ? MAX_SLEEP_NANOS : Math.max(1, patienceEnd - System.nanoTime());
                    park(Math.min(Math.min(left, nanos), most));
                    if (!isImpatient && System.nanoTime() >= patienceEnd) {
                        isImpatient = true;
                        impatient.incrementAndGet();
                    }
                    if (!sleepers.containsKey(ticket)) {
                        // The thread was woken, but goes on sleeping: it queues up behind the others.
                        ticket = queueUp();
                    }
                }
                return true;
            } finally {
                if (isImpatient) {
                    impatient.decrementAndGet();
                }
                sleepers.remove(ticket);
            }
        }

        private long queueUp() {
            long ticket = tickets.getAndIncrement();
            sleepers.put(ticket, Thread.currentThread());
            return ticket;
        }

        @Override
        public void wakeup(RubyThread thread, WaitQueue queue) {
            interrupt(thread);
        }
    }

    /** A pause. {@link #signal} does not wake it. */
    private record SleepTask(long deadline) implements RubyThread.Task<WaitQueue, Boolean> {
        @Override
        public Boolean run(ThreadContext context, WaitQueue queue) throws InterruptedException {
            for (long left = left(deadline); left > 0; left = left(deadline)) {
                queue.park(left);
            }
            return true;
        }

        @Override
        public void wakeup(RubyThread thread, WaitQueue queue) {
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
