package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Controls the thread of a pipeline or a feed: starting, pausing, draining, closing, state and progress. Progress is a number that only
 * grows: an offset, or a sequence number. Thread-safe: the monitor of this object guards it.
 */
final class WorkerControl {
    /** How long an idle thread waits before it looks for work again. */
    static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** Names the pipeline or feed in messages. */
    private final String name;
    /** The reason for a failure if no memory was left to create an exception. */
    private final PipelineException unexplained = new PipelineException(
            "It cannot go on, and no memory was left to say why. Start it again with more");
    private volatile PipelineState state = PipelineState.RUNNING;
    private volatile @Nullable PipelineException failure;
    private volatile boolean isClosing;
    private volatile boolean isPausing;
    /** A thread waits in {@link #drain} for the progress to reach this number. */
    private volatile long wanted;
    /** Everything before this is written. */
    private volatile long written;
    /** Everything before this is on the disk and acknowledged. */
    private volatile long done;
    private volatile @Nullable Thread worker;
    /** The worker, while it appends to a queue that may be full. Pausing and closing interrupt it. */
    private @Nullable Thread appending;
    /** The thread that wrote last; may be the worker. */
    private volatile @Nullable Thread writer;

    WorkerControl(String name, long start, boolean isPaused) {
        this.name = name;
        this.wanted = start;
        this.written = start;
        this.done = start;
        this.isPausing = isPaused;
        this.state = isPaused ? PipelineState.PAUSED : PipelineState.RUNNING;
    }

    // --- For the worker ---

    /** The work of the thread. */
    interface Work {
        void run() throws InterruptedException;
    }

    /**
     * Runs the work in this thread. When the work ends, in whatever way, this notifies waiting threads.
     *
     * @param toFailure makes the exception that explains a failure
     * @param close     runs at the end
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

    /** Describes a failure, as a part of a message. */
    static String text(Throwable e) {
        if (e instanceof InterruptedException) {
            return "its thread was interrupted";
        }
        // The message of an error, such as a class that was not found, is often only a name.
        String message = e instanceof Error ? null : e.getMessage();
        return message == null ? e.toString() : message;
    }

    boolean isClosing() {
        return isClosing;
    }

    boolean isPausing() {
        return isPausing;
    }

    /** Returns whether a thread waits in {@link #drain}. */
    boolean isWanted() {
        return wanted > done;
    }

    /** Returns whether {@link #drain} waits for nothing more than the records or changes before this number. */
    boolean isWantedUpTo(long end) {
        long most = wanted;
        return most > done && end >= most;
    }

    /**
     * Notes that the worker begins to append to a queue that may be full: from now on, pausing and closing interrupt it. Returns false if
     * it must not append, because it is to pause or to end.
     */
    synchronized boolean beginAppend() {
        if (isClosing || isPausing) {
            return false;
        }
        appending = Thread.currentThread();
        return true;
    }

    /** Notes that the worker has appended, or has failed to. Clears the interrupt, and returns whether there was one. */
    synchronized boolean endAppend() {
        appending = null;
        return Thread.interrupted();
    }

    /** Interrupts the worker if it waits for room in a queue. */
    private void endWaiting() {
        Thread waiting = appending;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    /** Notes that a thread writes. */
    void writing(Thread thread) {
        writer = thread;
    }

    void wrote(long end) {
        written = end;
    }

    synchronized void done(long end) {
        done = end;
        notifyAll();
    }

    /** Waits; returns false if the worker must end, or the thread is interrupted. */
    synchronized boolean goesOnAfter(long nanos) {
        long deadline = System.nanoTime() + nanos;
        try {
            for (long left = nanos; left > 0 && !isClosing; left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return !isClosing;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits while paused. */
    synchronized void awaitResumed() {
        Uninterrupted.await(() -> {
            while (isPausing && !isClosing) {
                // Entered each time, because the worker may have been resumed and paused meanwhile.
                enter(PipelineState.PAUSED);
                wait();
            }
        });
        enter(PipelineState.RUNNING);
    }

    /** Logs why the work has ended, because perhaps no caller asks for {@link #failure()}. */
    private void warn(PipelineException reason) {
        System.getLogger(Pipeline.class.getName()).log(System.Logger.Level.WARNING, hasStopped(reason),
                reason.getCause());
    }

    private String hasStopped(PipelineException reason) {
        return "The " + name + " has stopped: " + reason.getMessage();
    }

    /** Notes that the work has ended, with a failure or because it was closed. */
    private synchronized void end(@Nullable PipelineException reason) {
        failure = reason;
        enter(reason == null ? PipelineState.CLOSED : PipelineState.FAILED);
    }

    private synchronized void enter(PipelineState next) {
        if (state != next) {
            state = next;
            notifyAll();
        }
    }

    // --- For other threads ---

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

    /** Pauses, and waits until the worker has paused. */
    void pause() {
        requireOtherThread("pause");
        synchronized (this) {
            requireAlive();
            isPausing = true;
            endWaiting();
            Uninterrupted.await(() -> {
                while (isPausing && state == PipelineState.RUNNING) {
                    wait();
                }
            });
            requireAlive();
        }
    }

    synchronized void resume() {
        requireAlive();
        isPausing = false;
        // Entered here, because the worker may not have begun to wait.
        enter(PipelineState.RUNNING);
        notifyAll();
    }

    /** Waits until the progress reaches {@code end}; returns false if the time has passed. */
    boolean drain(long end, Duration timeout) throws InterruptedException {
        requireOtherThread("drain");
        long left = timeout.isNegative() ? 0 : timeout.compareTo(LONGEST) < 0 ? timeout.toNanos() : Long.MAX_VALUE;
        long deadline = System.nanoTime() + left;
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (this) {
            wanted = Math.max(wanted, end);
            requireAlive();
            while (done < end) {
                requireAlive();
                if (isPausing) {
                    throw new IllegalStateException(
                            "The " + name + " is paused and would never be done; resume it first");
                }
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
            return true;
        }
    }

    /** Tells the worker to end; the caller waits for the thread. */
    void close() {
        requireOtherThread("close");
        synchronized (this) {
            isClosing = true;
            endWaiting();
            notifyAll();
        }
    }

    /** Notes that the worker has ended after {@link #close()}. */
    void closed() {
        enter(PipelineState.CLOSED);
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
