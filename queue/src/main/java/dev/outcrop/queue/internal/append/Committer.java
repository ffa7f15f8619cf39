package dev.outcrop.queue.internal.append;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.QueueDirectory;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that writes to the disk without being waited for: for {@code Durability.groupCommit}, of the queue or of an append, and for
 * the futures of {@code Queue.async}. It is there only if one of these is used.
 */
public final class Committer implements Runnable {
    /** The system's timer is hardly finer, and writing to the disk takes about as long. */
    private static final long SHORTEST_PAUSE_NANOS = 50_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    /** While nothing is appended. */
    private static final long LONGEST_IDLE_NANOS = 10_000_000;

    private final Path directory;
    private final Log log;
    private final Syncer syncer;
    /** {@link Long#MAX_VALUE} if nothing is written but for futures. */
    private final long intervalNanos;
    private final long bytes;
    private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    /** What was there before this object was is written with what comes. */
    private final long start;
    /** Times are nanoseconds since then. */
    private final long began = System.nanoTime();
    /** When something must be written because an append of its own has said so; {@link Long#MAX_VALUE} for never. */
    private final AtomicLong dueTime = new AtomicLong(Long.MAX_VALUE);
    /** Where the queue must not reach without that; {@link Long#MAX_VALUE} for nowhere. */
    private final AtomicLong duePosition = new AtomicLong(Long.MAX_VALUE);
    /** Up to where all was written, or more. */
    private volatile long written;
    private volatile boolean isOver;
    /** The thread no longer looks at {@link #pending}. */
    private volatile boolean isEnded;
    /** Why it could not write. */
    private volatile @Nullable RuntimeException failure;
    /** The same if there is no memory for another one. */
    private final RuntimeException ended = Failures.poisoned(
            "What was appended is not written to the disk any more, for lack of memory. Close the queue, and open it again",
            null);

    /** Completed with the first offset when all before the end are on the disk. */
    public record Pending(Long offset, long end, CompletableFuture<Long> future) {
    }

    /**
     * A thread that is not started yet.
     *
     * @param intervalNanos how long any record waits at most; {@link Long#MAX_VALUE} if nothing is written but for those who ask
     * @param bytes         how many wait at most
     */
    public Committer(QueueDirectory directory, Log log, Syncer syncer, long intervalNanos, long bytes) {
        this.directory = directory.directory();
        this.log = log;
        this.syncer = syncer;
        this.intervalNanos = intervalNanos;
        this.bytes = bytes;
        // Before the thread starts: what is appended from now on must not be overlooked.
        this.start = log.nextPosition();
        this.written = start;
        this.thread = Thread.ofPlatform().daemon().name("outcrop-queue-sync " + directory.directory()).unstarted(this);
    }

    public void start() {
        thread.start();
    }

    /** A future that completes with an offset when its record is on the disk, with as many as follow it. */
    public CompletableFuture<Long> await(long offset, int records) {
        CompletableFuture<Long> future = new CompletableFuture<>();
        pending.add(new Pending(offset, offset + records, future));
        LockSupport.unpark(thread);
        // After adding: either the thread sees the future, or its end is seen here.
        if (isEnded) {
            completeAll();
        }
        return future;
    }

    /** What was appended by now must be on the disk after some time, or before so many bytes are not. */
    public void within(long nanos, long own) {
        boolean isSooner = lower(dueTime, System.nanoTime() - began + nanos);
        long from = written;
        isSooner |= lower(duePosition, own < Long.MAX_VALUE - from ? from + own : Long.MAX_VALUE);
        if (isSooner) {
            LockSupport.unpark(thread);
        }
    }

    private static boolean lower(AtomicLong bound, long value) {
        // Without a write if it is low enough, which it is for all but the first of many.
        return bound.get() > value && bound.getAndAccumulate(value, Math::min) > value;
    }

    @Override
    public void run() {
        try {
            write();
        } catch (Throwable e) {
            // Records would silently be lost by a power cut that were to be on the disk by then.
            failure = poison(e);
        } finally {
            isEnded = true;
            completeAll();
        }
    }

    private RuntimeException poison(Throwable cause) {
        try {
            return log.poison(Failures.poisoned("What was appended to " + directory
                    + " is not written to the disk any more: " + cause
                    + ". Nothing more is appended. Close the queue, and open it again", cause));
        } catch (OutOfMemoryError e) {
            return log.poison(ended);
        }
    }

    private void write() {
        long position = start;
        long since = System.nanoTime();
        long idle = 0;
        while (!isOver) {
            // An interrupt is not meant for it, and would keep it from resting.
            boolean _ = Thread.interrupted();
            long next = log.nextPosition();
            boolean isDue = next - position >= bytes
                    || (next != position && System.nanoTime() - since >= intervalNanos);
            if (isDue || isOwnDue(next) || !pending.isEmpty()) {
                // Before looking where the queue ends: what an append says from here on is not forgotten.
                dueTime.set(Long.MAX_VALUE);
                duePosition.set(Long.MAX_VALUE);
                position = log.nextPosition();
                since = System.nanoTime();
                commit();
                written = position;
                continue;
            }
            // A record that comes meanwhile waits for no longer than it may.
            idle = next == position && bytes == Long.MAX_VALUE
                    ? Math.min(idle + LONGEST_PAUSE_NANOS / 4, LONGEST_IDLE_NANOS)
                    : 0;
            rest(Math.max(idle, LONGEST_PAUSE_NANOS));
        }
        commit();
    }

    private boolean isOwnDue(long next) {
        return next >= duePosition.get() || System.nanoTime() - began >= dueTime.get();
    }

    private void rest(long longest) {
        long nanos = Long.MAX_VALUE;
        if (intervalNanos != Long.MAX_VALUE || duePosition.get() != Long.MAX_VALUE) {
            // Looks often enough for the bound in bytes to mean something.
            nanos = Math.clamp(intervalNanos, SHORTEST_PAUSE_NANOS, longest);
        }
        long due = dueTime.get();
        if (due != Long.MAX_VALUE) {
            nanos = Math.min(nanos, Math.max(SHORTEST_PAUSE_NANOS, due - (System.nanoTime() - began)));
        }
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    private void commit() {
        try {
            syncer.sync(log.nextOffset());
        } catch (RuntimeException e) {
            if (!Failures.isPoison(e)) {
                throw e;
            }
            // This will not change.
            failure = e;
            isOver = true;
            return;
        }
        for (Pending next = pending.peek(); next != null && next.end <= syncer.durable(); next = pending.peek()) {
            pending.poll();
            next.future.complete(next.offset);
        }
    }

    /** Nothing more is written: what is not on the disk by now, has failed. */
    private void completeAll() {
        RuntimeException why = failure;
        for (Pending next = pending.poll(); next != null; next = pending.poll()) {
            if (next.end <= syncer.durable()) {
                next.future.complete(next.offset);
            } else {
                next.future.completeExceptionally(why != null ? why : closedBefore(next));
            }
        }
    }

    private RuntimeException closedBefore(Pending record) {
        try {
            return Failures.refused("The queue " + directory + " was closed before record " + record.offset
                    + " was on the disk");
        } catch (OutOfMemoryError e) {
            // A future that is never completed would be worse.
            return ended;
        }
    }

    /** Whether this is called by something that depends on a future. */
    public boolean isThisThread() {
        return Thread.currentThread().equals(thread);
    }

    /** Writes what there is for the last time, and waits until the thread has ended. Does nothing if it was not started. */
    public void stop() {
        isOver = true;
        if (isThisThread()) {
            // What depends on a future closes the queue: when that has returned, the thread completes the other futures and ends.
            return;
        }
        LockSupport.unpark(thread);
        Uninterrupted.await(thread::join);
    }
}
