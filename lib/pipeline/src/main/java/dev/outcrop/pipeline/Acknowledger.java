package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledges records once the database cannot lose their effects: after a flush of its log, unless each batch is durable when it is
 * written. For one thread.
 */
final class Acknowledger {
    /** A group can have some 65,505 records in flight, and delivers no more. */
    private static final long MAX_UNACKNOWLEDGED = 56_000;
    private static final long MAX_UNACKNOWLEDGED_BYTES = 64 << 20;
    /** At half of the limits a flush of the log begins, so that the pipeline hardly ever waits for one. */
    private static final int PARTS = 2;
    /** How long an acknowledgement waits for others at most, so that they share a flush of the log. */
    private static final long MAX_DELAY_NANOS = 1_000_000_000;

    private final Queue queue;
    private final Consumer consumer;
    private final PositionStore positions;
    private final WorkerControl control;
    private final boolean isDurable;
    /** The effects of all records before this one are in the database. */
    private long written;
    private long acknowledged;
    /** The payload bytes of the records between the two. */
    private long bytes;
    private long lastAcknowledgement = System.nanoTime();
    private long fullWaits;
    /** A flush that runs, or has ended and is not acknowledged yet. */
    private @Nullable LogSync sync;

    Acknowledger(PipelineBuilder options, Consumer consumer, PositionStore positions, WorkerControl control,
            long start) {
        this.queue = options.queue;
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

    /** Acknowledges a batch that is in the database, or begins to make it durable. */
    void wrote(Batch batch) {
        note(batch);
        bytes += batch.payloadBytes;
        if (isDurable) {
            acknowledge();
        } else {
            acknowledgeInBackground();
        }
    }

    /** Whether a group with all records before this one in flight should get no more. */
    boolean isFull(long next) {
        return next - acknowledged >= MAX_UNACKNOWLEDGED;
    }

    /** Whether to acknowledge now: when no record comes, when producers wait for room, and now and then. */
    boolean isDue(int taken) {
        if (acknowledged == written) {
            return false;
        }
        long waits = queue.statistics().fullWaits();
        boolean hasWaited = waits != fullWaits;
        fullWaits = waits;
        return hasWaited || taken == 0 || System.nanoTime() - lastAcknowledgement >= MAX_DELAY_NANOS;
    }

    /** Acknowledges everything that is written. Waits until that is durable. */
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

    /** As {@link #acknowledge()}, but waits only if too much is unacknowledged. */
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

    /** Whether the unacknowledged records reach a part of the limits. */
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

    /** Flushes the log of the database in a thread of its own, while the pipeline goes on writing. */
    private static final class LogSync {
        /** The effects of all records before this one were written when it began. */
        final long end;
        /** The payload bytes of those that no earlier flush covers. */
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

        /** Waits until it is done, and throws its failure. */
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
