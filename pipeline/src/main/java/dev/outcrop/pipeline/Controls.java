package dev.outcrop.pipeline;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Between those who control a pipeline or a feed and the thread that does its work: what it is to do, what it does, how far it is. How far
 * is a number that only grows: an offset, or a sequence number. Thread-safe.
 */
final class Controls {
    /** How long a thread waits before it looks again whether something has come, or it is to do something else. */
    static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** What it is the control of, for messages. */
    private final String name;
    /** Why it has ended if that cannot be said, because there is no memory left for it. */
    private final PipelineException unexplained = new PipelineException(
            "It cannot go on, and no memory was left to say why. Start it again with more");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile PipelineState state = PipelineState.RUNNING;
    private volatile @Nullable PipelineException failure;
    private volatile boolean isClosing;
    private volatile boolean isPausing;
    /** Up to here somebody waits for it. */
    private volatile long wanted;
    /** Up to here everything is written. */
    private volatile long written;
    /** Up to here everything is on the disk and acknowledged. */
    private volatile long done;
    private volatile @Nullable Thread worker;
    /** That which has written last; perhaps another one. */
    private volatile @Nullable Thread writer;

    Controls(String name, long start, boolean isPaused) {
        this.name = name;
        this.wanted = start;
        this.written = start;
        this.done = start;
        this.isPausing = isPaused;
        this.state = isPaused ? PipelineState.PAUSED : PipelineState.RUNNING;
    }

    // --- Of the thread that works ---

    /** What the thread does. */
    interface Work {
        void run() throws InterruptedException;
    }

    /**
     * Does the work in this thread, and tells everybody when it has ended, whatever fails: somebody may be waiting for that.
     *
     * @param toFailure says why the work cannot go on
     * @param close     what is to be done in the end
     */
    void run(Work work, Function<Throwable, PipelineException> toFailure, Runnable close) {
        worker = Thread.currentThread();
        PipelineException reason = unexplained;
        try {
            work.run();
            reason = null;
        } catch (PipelineException e) {
            reason = e;
        } catch (Throwable e) {
            reason = toFailure.apply(e);
        } finally {
            try {
                close.run();
            } finally {
                end(reason);
            }
        }
        if (reason != null) {
            warn(reason);
        }
    }

    /** What has failed, as a part of a message. */
    static String text(Throwable e) {
        return e instanceof InterruptedException
                ? "its thread was interrupted"
                : Objects.requireNonNullElseGet(e.getMessage(), e::toString);
    }

    boolean isClosing() {
        return isClosing;
    }

    boolean isPausing() {
        return isPausing;
    }

    /** Whether somebody waits for what there is. */
    boolean isWanted() {
        return wanted > done;
    }

    /** A thread writes. */
    void writing(Thread thread) {
        writer = thread;
    }

    void wrote(long end) {
        written = end;
    }

    void done(long end) {
        lock.lock();
        try {
            done = end;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits; false if that makes no sense, because this is to end or the thread is interrupted. */
    boolean goesOnAfter(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !isClosing) {
                left = changed.awaitNanos(left);
            }
            return !isClosing;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Waits as long as this is paused. */
    void awaitResumed() {
        lock.lock();
        try {
            while (isPausing && !isClosing) {
                // Again each time: it may have been resumed and paused meanwhile.
                if (state != PipelineState.PAUSED) {
                    enter(PipelineState.PAUSED);
                }
                changed.awaitUninterruptibly();
            }
            enter(PipelineState.RUNNING);
        } finally {
            lock.unlock();
        }
    }

    /** Tells the JDK's log why the work has ended: perhaps nobody looks at {@link #failure()}. */
    private void warn(PipelineException reason) {
        System.getLogger(Pipeline.class.getName()).log(System.Logger.Level.WARNING, hasStopped(reason),
                reason.getCause());
    }

    private String hasStopped(PipelineException reason) {
        return "The " + name + " has stopped: " + reason.getMessage();
    }

    /** The work has ended, by itself if there is a failure. */
    private void end(@Nullable PipelineException reason) {
        lock.lock();
        try {
            failure = reason;
            enter(reason == null ? PipelineState.CLOSED : PipelineState.FAILED);
        } finally {
            lock.unlock();
        }
    }

    private void enter(PipelineState next) {
        state = next;
        changed.signalAll();
    }

    // --- Of everybody else ---

    PipelineState state() {
        return state;
    }

    @Nullable
    PipelineException failure() {
        return failure;
    }

    long written() {
        return written;
    }

    /** Pauses, and waits until it is. */
    void pause() {
        requireOtherThread("pause");
        lock.lock();
        try {
            requireAlive();
            isPausing = true;
            while (isPausing && state == PipelineState.RUNNING) {
                changed.awaitUninterruptibly();
            }
            requireAlive();
        } finally {
            lock.unlock();
        }
    }

    void resume() {
        lock.lock();
        try {
            requireAlive();
            isPausing = false;
            // Now: the thread may not have begun to wait.
            enter(PipelineState.RUNNING);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is so far; false if that takes too long. */
    boolean drain(long end, Duration timeout) throws InterruptedException {
        requireOtherThread("drain");
        long left = timeout.isNegative() ? 0 : timeout.compareTo(LONGEST) < 0 ? timeout.toNanos() : Long.MAX_VALUE;
        lock.lockInterruptibly();
        try {
            wanted = Math.max(wanted, end);
            while (done < end) {
                requireAlive();
                if (isPausing) {
                    throw new IllegalStateException(
                            "The " + name + " is paused and would never be done; resume it first");
                }
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Has it end; the caller waits for the thread. */
    void close() {
        requireOtherThread("close");
        lock.lock();
        try {
            isClosing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody may ask any more. */
    void closed() {
        lock.lock();
        try {
            enter(PipelineState.CLOSED);
        } finally {
            lock.unlock();
        }
    }

    private void requireAlive() {
        PipelineException reason = failure;
        if (reason != null) {
            throw new PipelineException(hasStopped(reason), reason);
        }
        if (isClosing) {
            throw new IllegalStateException("The " + name + " is closed");
        }
    }

    private void requireOtherThread(String what) {
        Thread caller = Thread.currentThread();
        if (caller.equals(worker) || caller.equals(writer)) {
            throw new IllegalStateException("The thread of the " + name + " cannot " + what
                    + " it, because that waits for this thread. Let another one do it");
        }
    }
}
