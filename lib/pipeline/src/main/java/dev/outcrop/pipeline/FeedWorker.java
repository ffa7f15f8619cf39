package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFullException;
import dev.outcrop.rocksdb.RocksDB;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The thread of a feed: reads batches from the log, and appends them to the queue. */
final class FeedWorker implements Runnable {
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private final RocksDB db;
    private final Queue queue;
    private final ChangeSource source;
    private final WorkerControl control;
    private final boolean isSynced;
    /** All changes before this one were flushed from RocksDB's buffer, and to the disk if the feed is synced. */
    private long flushed;
    /** A change that could not be appended because the feed was paused while the queue was full. */
    private @Nullable Change pending;

    FeedWorker(ChangeFeedBuilder options, Queue queue, ChangeSource source, WorkerControl control) {
        this.db = options.db;
        this.queue = queue;
        this.source = source;
        this.control = control;
        this.isSynced = options.isSynced;
    }

    @Override
    public void run() {
        control.run(this::work, this::failure, source::close);
    }

    private PipelineException failure(Throwable e) {
        return new PipelineException("It cannot go on behind change " + (source.next() - 1)
                + ", the last one in the queue: " + WorkerControl.text(e) + ". Start it again when that is mended", e);
    }

    private void work() {
        while (!control.isClosing()) {
            if (control.isPausing()) {
                control.awaitResumed();
                continue;
            }
            boolean isAny = take();
            control.done(source.next());
            if (!isAny) {
                LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
            }
        }
    }

    /** Appends a change, and waits while the queue is full. Returns false if the feed is to pause or to end instead. */
    private boolean append(Change change) {
        if (!control.beginAppend()) {
            return false;
        }
        QueueFullException full = null;
        boolean isInterrupted = false;
        try {
            long _ = queue.append(change.head(), change.batch());
        } catch (QueueFullException e) {
            full = e;
        } finally {
            isInterrupted = control.endAppend();
        }
        if (full != null && !isInterrupted) {
            throw full;
        }
        return full == null;
    }

    /** Appends the available changes; returns false if there are none. */
    private boolean take() {
        long latest = db.latestSequenceNumber();
        if (latest < source.next()) {
            return false;
        }
        if (flushed <= latest) {
            // Flushes RocksDB's own buffer, if it has one. Also flushes to the disk, if the queue must have no change that the database
            // could lose in a power cut.
            db.flushWal(isSynced);
            flushed = latest + 1;
        }
        boolean isAny = false;
        while (source.next() < flushed && !control.isClosing() && !control.isPausing()) {
            Change change = pending == null ? source.advance() : pending;
            if (change == null) {
                return isAny;
            }
            pending = null;
            if (!change.families().isEmpty() && !append(change)) {
                pending = change;
                return isAny;
            }
            source.took(change);
            control.wrote(source.next());
            isAny = true;
        }
        return isAny;
    }
}
