package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;

/** Writes batches to the database, and repeats writes that may succeed later. Used by any thread, one at a time. */
final class BatchCommitter {
    private static final int MAX_ATTEMPTS = 12;
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final Queue queue;
    private final DatabaseWriter writer;
    private final WorkerControl control;
    private final long stallNanos;
    private final boolean isSynced;
    /** Set by the thread that writes. Another thread reads it only after it has waited for the writing thread. */
    private int attempts;

    BatchCommitter(PipelineBuilder options, String name, RocksDB db, WorkerControl control) {
        this.queue = options.queue;
        this.writer = db.with(options.writing());
        this.control = control;
        this.name = name;
        this.stallNanos = nanos(options.stallLimit);
        this.isSynced = options.isSynced;
    }

    static long nanos(Duration time) {
        return time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? time.toNanos() : Long.MAX_VALUE;
    }

    /** Writes a batch with its position, and notes in the batch how long the write took. */
    void write(Batch batch) {
        if (isSynced && queue.durableOffset() < batch.end) {
            // Synced first: after a power cut the queue must have every record that the database has.
            queue.sync();
        }
        control.writing(Thread.currentThread());
        // Makes no events if the Flight Recorder does not run: the first event would start it, which takes a tenth of a second.
        PipelineBatchEvent event = FlightRecorder.isInitialized() ? new PipelineBatchEvent() : null;
        PipelineStallEvent stall = event == null ? null : new PipelineStallEvent();
        if (event != null && stall != null) {
            event.begin();
            stall.begin();
        }
        long begun = System.nanoTime();
        while (!isWritten(batch)) {
            // RocksDB has written nothing of a batch that it refuses as retryable.
        }
        attempts = 0;
        batch.nanos = System.nanoTime() - begun;
        batch.isStall = batch.nanos > stallNanos;
        if (event != null && stall != null) {
            event.commit(name, batch);
            stall.commit(name, batch);
        }
    }

    /** Returns false if the write failed and may succeed later. */
    private boolean isWritten(Batch batch) {
        attempts++;
        try {
            writer.write(batch.writes);
            return true;
        } catch (RocksDBException e) {
            if (!e.isRetryable() || attempts == MAX_ATTEMPTS || !control.goesOnAfter(
                    Math.min(MAX_PAUSE_NANOS, TimeUnit.MILLISECONDS.toNanos(1) << attempts))) {
                throw e;
            }
            return false;
        }
    }

    /** Returns how often the last batch was tried, for a message; empty if it was tried once. */
    String tried() {
        return attempts > 1 ? " (tried " + attempts + " times)" : "";
    }
}
