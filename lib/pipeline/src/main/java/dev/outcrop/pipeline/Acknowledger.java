package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledges records once the database cannot lose their effects: after a flush of its log, unless each batch is durable when it is
 * written. For one thread.
 */
final class Acknowledger {
    /** A group delivers no more records while some 65,505 are in flight. */
    private static final long MAX_UNACKNOWLEDGED = 56_000;
    private static final long MAX_UNACKNOWLEDGED_BYTES = 64 << 20;
    /** At half of the limits a flush of the log begins, so the pipeline hardly ever waits for one. */
    private static final int PARTS = 2;
    /** The longest time that an acknowledgement waits for others, to share a flush of the log. */
    private static final long MAX_DELAY_NANOS = 1_000_000_000;

    private final Queue queue;
    private final Consumer consumer;
    private final PositionStore positions;
    private final WorkerControl control;
    private final boolean isDurable;
    /** The effects of all records before this one are in the database. */
    private long written;
    private long acknowledged;
    /** The payload bytes of the records that are written but not acknowledged. */
    private long bytes;
    private long lastAcknowledgement = System.nanoTime();
    /** How often producers had found the queue full when this was looked at for the last time. */
    private long fullWaits;
    /** The end of the queue when a producer last found it full. The records before it take up the room. */
    private long awaited;
    /** A flush that runs, or has ended and is not acknowledged yet. */
    private @Nullable LogSync sync;

    Acknowledger(PipelineBuilder options, Consumer consumer, PositionStore positions, WorkerControl control,
            long start) {
        this.queue = options.queue;
        this.fullWaits = queue.statistics().fullWaits();
        this.consumer = consumer;
        this.positions = positions;
        this.control = control;
        this.isDurable = options.isSynced;
        this.written = start;
        this.acknowledged = start;
    }

    long written() {
        return written;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** Notes that a batch is in the database, without acknowledging it. */
    void note(Batch batch) {
        written = batch.end;
        control.wrote(written);
    }

    /** Acknowledges a batch that is in the database, or starts to make the batch durable. */
    void wrote(Batch batch) {
        note(batch);
        bytes += batch.payloadBytes;
        if (isDurable) {
            acknowledge();
        } else {
            acknowledgeInBackground();
        }
    }

    /** Returns whether the group should get no more records if all unacknowledged records before this one are in flight. */
    boolean isFull(long next) {
        return next - acknowledged >= MAX_UNACKNOWLEDGED;
    }

    /** Returns whether to acknowledge now: when no record comes, and now and then. */
    boolean isDue(int taken) {
        return acknowledged != written
                && (taken == 0 || System.nanoTime() - lastAcknowledgement >= MAX_DELAY_NANOS);
    }

    /**
     * Returns whether the pipeline must acknowledge records now to make room in the queue. This is so if a producer waits for room, or was
     * refused since the last call. If the pipeline has already polled all records, it stays so until those that filled the queue are
     * acknowledged, because fewer may not make enough room.
     */
    boolean isAwaited(boolean mayBeMore) {
        QueueStatistics producers = queue.statistics();
        long before = fullWaits;
        fullWaits = producers.fullWaits();
        if (fullWaits != before || producers.waitingAppends() > 0) {
            awaited = queue.nextOffset();
            return true;
        }
        return !mayBeMore && acknowledged < awaited;
    }

    /** Waits until everything written is durable, and acknowledges it. */
    void acknowledge() {
        finishSync();
        if (acknowledged == written) {
            return;
        }
        if (!isDurable) {
            positions.flush();
        }
        acknowledge(written, bytes);
    }

    /** Does the same as {@link #acknowledge()}, but waits only if too much is unacknowledged. */
    private void acknowledgeInBackground() {
        if (sync != null && sync.isDone()) {
            finishSync();
        }
        if (sync == null && isUnacknowledged(PARTS)) {
            sync = new LogSync(positions, written, bytes);
        }
        if (isUnacknowledged(1)) {
            finishSync();
        }
    }

    /** Returns whether the unacknowledged records reach this part of the limits. */
    private boolean isUnacknowledged(int part) {
        return written - acknowledged >= MAX_UNACKNOWLEDGED / part || bytes >= MAX_UNACKNOWLEDGED_BYTES / part;
    }

    private void finishSync() {
        LogSync ended = sync;
        if (ended != null) {
            sync = null;
            ended.await();
            acknowledge(ended.end, ended.bytes);
        }
    }

    private void acknowledge(long end, long acknowledgedBytes) {
        int _ = consumer.acknowledgeUpTo(end - 1);
        acknowledged = end;
        bytes -= acknowledgedBytes;
        lastAcknowledgement = System.nanoTime();
        control.done(acknowledged);
    }

    /** Flushes the log of the database in its own thread, while the pipeline continues to write. */
    private static final class LogSync {
        /** The effects of all records before this one were written when the flush began. */
        final long end;
        /** The payload bytes of the records that no earlier flush covers. */
        final long bytes;
        private final Thread thread;
        /** Read when the thread has ended. */
        private @Nullable Throwable failure;

        LogSync(PositionStore positions, long end, long bytes) {
            this.end = end;
            this.bytes = bytes;
            this.thread = Thread.ofPlatform().daemon().name("outcrop-pipeline-sync").start(() -> {
                try {
                    positions.flush();
                } catch (Throwable e) {
                    failure = e;
                }
            });
        }

        boolean isDone() {
            return !thread.isAlive();
        }

        /** Waits until the flush is done, and throws its failure. */
        void await() {
            Uninterrupted.await(thread::join);
            Throwable reason = failure;
            if (reason instanceof RuntimeException e) {
                throw e;
            }
            if (reason instanceof Error e) {
                throw e;
            }
        }
    }
}
