package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import java.util.concurrent.locks.LockSupport;

/** The thread of a feed: takes batches from the log, and appends them to the queue. */
final class FeedWorker implements Runnable {
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private final RocksDB db;
    private final Queue queue;
    private final ChangeSource source;
    private final Controls controls;
    private final boolean isSynced;
    /** All before this change is on the database's disk. */
    private long flushed;

    FeedWorker(ChangeFeedBuilder options, Queue queue, ChangeSource source, Controls controls) {
        this.db = options.db;
        this.queue = queue;
        this.source = source;
        this.controls = controls;
        this.isSynced = options.isSynced;
    }

    @Override
    public void run() {
        controls.run(this::work, this::failure, source::close);
    }

    private PipelineException failure(Throwable e) {
        return new PipelineException("It cannot go on behind change " + (source.next() - 1)
                + ", the last one in the queue: " + Controls.text(e) + ". Start it again when that is mended", e);
    }

    private void work() {
        while (!controls.isClosing()) {
            if (controls.isPausing()) {
                controls.awaitResumed();
                continue;
            }
            boolean isAny = take();
            controls.done(source.next());
            if (!isAny) {
                LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
            }
        }
    }

    /** Takes what there is; false if that is nothing. */
    private boolean take() {
        long latest = db.latestSequenceNumber();
        if (latest < source.next()) {
            return false;
        }
        if (flushed <= latest) {
            // Out of RocksDB's own buffer, if it has one; and to the disk, if the queue must not have what a power cut takes from the
            // database.
            db.flushWal(isSynced);
            flushed = latest + 1;
        }
        boolean isAny = false;
        while (source.next() < flushed && !controls.isClosing() && !controls.isPausing()) {
            Change change = source.advance();
            if (change == null) {
                return isAny;
            }
            if (!change.families().isEmpty()) {
                long _ = queue.append(change.head(), change.batch());
            }
            source.took(change);
            controls.wrote(source.next());
            isAny = true;
        }
        return isAny;
    }
}
