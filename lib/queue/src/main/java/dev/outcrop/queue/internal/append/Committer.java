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
 * The thread that writes to the disk in the background: for {@code Durability.groupCommit}, of the queue or of an append, and for the
 * futures of {@code Queue.async}.
 */
public final class Committer implements Runnable {
    /** The system's timer is hardly finer. */
    private static final long SHORTEST_PAUSE_NANOS = 50_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    /** The pause while nothing is appended. */
    private static final long LONGEST_IDLE_NANOS = 10_000_000;

    private final Path directory;
    private final Log log;
    private final Syncer syncer;
    /** {@link Long#MAX_VALUE} if only futures need a write. */
    private final long intervalNanos;
    private final long bytes;
    private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    /** The end of the queue when the thread was started. */
    private long start;
    /** The zero of the times below. */
    private final long began = System.nanoTime();
    /** When a single append needs a write; {@link Long#MAX_VALUE} for never. */
    private final AtomicLong dueTime = new AtomicLong(Long.MAX_VALUE);
    /** The position at which a single append needs a write; {@link Long#MAX_VALUE} for none. */
    private final AtomicLong duePosition = new AtomicLong(Long.MAX_VALUE);
    /** All before this position is written. */
    private volatile long written;
    private volatile boolean isStarted;
    private volatile boolean isOver;
    /** The thread does not look at {@link #pending} again. */
    private volatile boolean isEnded;
    /** The reason if it could not write. */
    private volatile @Nullable RuntimeException failure;
    /** The reason if there is no memory for another one. */
    private final RuntimeException ended = Failures.make().poisoned(
            "Appended records are no longer written to the disk, for lack of memory. Close the queue, and open it again",
            null);

    /** A future that completes with the first offset when all records before the end are on the disk. */
    public record Pending(Long offset, long end, CompletableFuture<Long> future) {
    }

    /**
     * Makes the thread, without starting it.
     *
     * @param intervalNanos how long any record waits at most; {@link Long#MAX_VALUE} for no limit
     * @param bytes         how many wait at most
     */
    public Committer(QueueDirectory directory, Log log, Syncer syncer, long intervalNanos, long bytes) {
        this.directory = directory.directory();
        this.log = log;
        this.syncer = syncer;
        this.intervalNanos = intervalNanos;
        this.bytes = bytes;
        this.thread = Thread.ofPlatform().daemon().name("outcrop-queue-sync " + directory.directory()).unstarted(this);
    }

    /** Starts the thread when it is needed for the first time. */
    public void start() {
        if (!isStarted) {
            startOnce();
        }
    }

    private synchronized void startOnce() {
        if (!isStarted) {
            log.requireOpen();
            // Before the thread starts: records that are appended from now on must not be overlooked.
            start = log.nextPosition();
            written = start;
            thread.start();
            isStarted = true;
        }
    }

    /** Returns a future that completes with an offset when its record and those that follow it are on the disk. */
    public CompletableFuture<Long> await(long offset, int records) {
        CompletableFuture<Long> future = new CompletableFuture<>();
        pending.add(new Pending(offset, offset + records, future));
        LockSupport.unpark(thread);
        // After adding: either the thread sees the future, or this sees that it has ended.
        if (isEnded) {
            completeAll();
        }
        return future;
    }

    /** Asks for a write of all records so far, within some time, or before this many bytes wait for it. */
    public void within(long nanos, long own) {
        boolean isSooner = lower(dueTime, System.nanoTime() - began + nanos);
        long from = written;
        isSooner |= lower(duePosition, own < Long.MAX_VALUE - from ? from + own : Long.MAX_VALUE);
        if (isSooner) {
            LockSupport.unpark(thread);
        }
    }

    private static boolean lower(AtomicLong bound, long value) {
        // No store if it is low enough, as for all but the first of many.
        return bound.get() > value && bound.getAndAccumulate(value, Math::min) > value;
    }

    @Override
    public void run() {
        try {
            write();
        } catch (Throwable e) {
            // Otherwise a power cut would silently lose records that should be on the disk by then.
            failure = poison(e);
        } finally {
            isEnded = true;
            completeAll();
        }
    }

    private RuntimeException poison(Throwable cause) {
        try {
            return log.poison(Failures.make().poisoned("Records appended to " + directory
                    + " are no longer written to the disk: " + cause
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
            // An interrupt would keep the thread from waiting.
            boolean _ = Thread.interrupted();
            long next = log.nextPosition();
            boolean isDue = next - position >= bytes
                    || (next != position && System.nanoTime() - since >= intervalNanos);
            if (isDue || isOwnDue(next) || !pending.isEmpty()) {
                // Before reading the queue's end, so that a later request is not lost.
                dueTime.set(Long.MAX_VALUE);
                duePosition.set(Long.MAX_VALUE);
                position = log.nextPosition();
                since = System.nanoTime();
                commit();
                written = position;
                continue;
            }
            // A record that comes meanwhile still waits no longer than it may.
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
            // Often enough for the bound in bytes.
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
            if (!Failures.make().isPoison(e)) {
                throw e;
            }
            // The queue stays poisoned.
            failure = e;
            isOver = true;
            return;
        }
        for (Pending next = pending.peek(); next != null && next.end <= syncer.durable(); next = pending.peek()) {
            pending.poll();
            next.future.complete(next.offset);
        }
    }

    /** Completes all futures. Futures of records that are not on the disk by now fail. */
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
            return Failures.make().refused("The queue " + directory + " was closed before record " + record.offset
                    + " was on the disk");
        } catch (OutOfMemoryError e) {
            return ended;
        }
    }

    /** Whether the caller runs in this thread, as a dependent of a future. */
    public boolean isThisThread() {
        return Thread.currentThread().equals(thread);
    }

    /** Writes for the last time, and waits until the thread has ended. Does nothing if it was not started. */
    public void stop() {
        synchronized (this) {
            // A thread that was starting it when the queue was closed has done so by now.
            isOver = true;
        }
        if (isThisThread()) {
            // A dependent of a future closes the queue: when it returns, the thread completes the other futures and ends.
            return;
        }
        LockSupport.unpark(thread);
        Uninterrupted.await(thread::join);
    }
}
