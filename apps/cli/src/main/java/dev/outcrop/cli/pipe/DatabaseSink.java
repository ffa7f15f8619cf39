package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.db.FamilyOption;
import dev.outcrop.cli.db.Messages;
import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.pipeline.PipelineException;
import dev.outcrop.pipeline.RecordWrites;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFullException;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Property;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Appends chunks to the queue. A pipeline writes them from the queue to the database, in its own thread. */
final class DatabaseSink implements AutoCloseable {
    static final String GROUP = "pipe";
    /** The longest wait of a call before it checks whether the database can still be written. */
    static final Duration PATIENCE = Duration.ofMillis(200);
    /** How long RocksDB may try to recover from a failure. */
    private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Queue queue;
    private final RocksDB db;
    private final Positions positions;
    private final @Nullable RejectedRecords rejected;
    private final Pipeline pipeline;
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    /** When the position stopped moving after a background error. */
    private long stuckSince;
    private long stuckAt = -1;

    /** Starts the pipeline, and reads the positions of the chunks that are waiting in the queue. */
    DatabaseSink(Queue queue, RocksDB db, Positions positions, @Nullable RejectedRecords rejected) {
        this.queue = queue;
        this.db = db;
        this.positions = positions;
        this.rejected = rejected;
        try {
            this.pipeline = Pipeline.from(queue, GROUP).map(this::map).startPaused().into(db);
        } catch (PipelineException e) {
            throw new Failure("the queue " + queue.directory() + " and the database " + db.path()
                    + " do not fit: one of them is older than the other, has lost something, or belongs to another one ("
                    + Messages.of(e)
                    + "). Use those that belong together; or remove this queue, after which files go on"
                    + " where the database is, and start with --create");
        }
        try {
            positions.readWaiting(queue, pipeline.position());
        } catch (Throwable e) {
            pipeline.close();
            throw e;
        }
        pipeline.resume();
    }

    // --- In the pipeline's thread ---

    private void map(long offset, MemorySegment record, RecordWrites writes) {
        Chunk chunk = Chunk.read(record);
        ColumnFamily family = db.findColumnFamily(chunk.family());
        if (family == null) {
            throw new Failure("the column family '" + FamilyOption.shown(chunk.family()) + "' has been dropped from "
                    + db.path() + ", but "
                    + "entries of it wait in the queue " + queue.directory() + "; make it again");
        }
        reject(offset, chunk);
        RecordWrites entries = writes.in(family);
        chunk.forEach((kind, key, value) -> {
            switch (kind) {
                case Chunk.PUT -> entries.put(key, value);
                case Chunk.MERGE -> entries.merge(key, value);
                default -> {
                    // A rejected record.
                }
            }
        });
        writes.in(positions.family()).put(Positions.key(chunk.family(), chunk.source()), chunk.position().text());
        stored.addAndGet(chunk.entries());
        refused.addAndGet(chunk.refused());
    }

    private void reject(long offset, Chunk chunk) {
        if (chunk.refused() == 0) {
            return;
        }
        RejectedRecords to = rejected;
        if (to == null) {
            throw new Failure("records that are no entries wait in the queue " + queue.directory()
                    + "; give --bad as before, so that they can be put away");
        }
        to.begin(offset, pipeline.position());
        chunk.forEach((kind, reason, bytes) -> {
            if (kind == Chunk.REFUSED) {
                to.put(Chunk.text(reason), bytes);
            }
        });
        to.sync();
    }

    // --- In the command's thread ---

    /** Appends a chunk; waits while the queue is full. */
    void append(byte[] chunk) {
        while (true) {
            requireAlive();
            try {
                long _ = queue.append(chunk);
                return;
            } catch (QueueFullException e) {
                // The database is slower than the input. Wait as long as it makes progress.
                requireMoving();
            }
        }
    }

    /** Returns the number of entries that the pipeline has mapped. */
    long stored() {
        return stored.get();
    }

    /** Returns the number of rejected records. */
    long refused() {
        return refused.get();
    }

    /** Waits some time until everything is in the database and on its disk. Returns whether this is the case. */
    boolean drain() {
        try {
            if (pipeline.drain(PATIENCE)) {
                return true;
            }
        } catch (PipelineException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted while waiting for the database");
        }
        requireMoving();
        return false;
    }

    /** Stores the records that are mapped, and stops mapping. */
    void pause() {
        try {
            pipeline.pause();
        } catch (PipelineException e) {
            throw failure(e);
        }
    }

    /** Fails if the pipeline has stopped. */
    void requireAlive() {
        PipelineException reason = pipeline.failure();
        if (reason != null) {
            throw failure(reason);
        }
    }

    private Failure failure(PipelineException reason) {
        Throwable cause = reason;
        while (cause instanceof PipelineException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return new Failure(Messages.of(cause)
                + (cause instanceof Failure ? "" : "; when that is mended, the same command goes on where it was"),
                reason);
    }

    /** Fails if the database makes no progress: on a full disk RocksDB would wait for room without end. */
    private void requireMoving() {
        requireAlive();
        Long errors = db.longProperty(Property.BACKGROUND_ERRORS);
        long position = pipeline.position();
        if (errors == null || errors == 0 || position != stuckAt) {
            stuckAt = position;
            stuckSince = System.nanoTime();
        } else if (System.nanoTime() - stuckSince > RECOVERY_NANOS) {
            // Ends the write that waits.
            db.backgroundWork().cancelAll(false);
            throw new Failure("RocksDB can no longer write to " + db.path()
                    + ", since its work in the background has failed; is the disk full? When that is mended,"
                    + " the same command goes on where it was");
        }
    }

    /** Ends the pipeline. Chunks that it has not written stay in the queue. */
    @Override
    public void close() {
        pipeline.close();
    }
}
