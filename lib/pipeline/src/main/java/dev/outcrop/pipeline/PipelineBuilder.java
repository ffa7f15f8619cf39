package dev.outcrop.pipeline;

import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.WriteOptions;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Options of a {@link Pipeline}. The setters return this object. Not thread-safe. */
public final class PipelineBuilder {
    final Queue queue;
    final String group;
    final RecordViewMapper mapper;
    long batchBytes = 128 << 10;
    Duration linger = Duration.ZERO;
    Duration stallLimit = Duration.ofMillis(100);
    @Nullable
    WriteOptions writeOptions;
    @Nullable
    Queue deadLetters;
    /** -1 for the position of the pipeline. */
    long startAt = -1;
    boolean mayReplay;
    boolean startsPaused;
    boolean isSynced;

    PipelineBuilder(Queue queue, String group, RecordViewMapper mapper) {
        this.queue = queue;
        this.group = group;
        this.mapper = Objects.requireNonNull(mapper, "mapper");
    }

    /**
     * Sets the size at which a batch is full and is written. The last record may make the batch larger. If there are no more records, a
     * batch is written earlier, see {@link #linger}. A pipeline has memory for three batches.
     *
     * @param bytes of the batch in RocksDB's format, from 1 byte to 1 GiB; 128 KiB by default
     * @return this
     * @throws IllegalArgumentException if the size is out of this range
     */
    public PipelineBuilder batchBytes(long bytes) {
        if (bytes < 1 || bytes > 1 << 30) {
            throw new IllegalArgumentException("batchBytes must be from 1 to " + (1 << 30) + ", not " + bytes);
        }
        this.batchBytes = bytes;
        return this;
    }

    /**
     * Sets how long a batch that is not full waits for more records.
     *
     * @param time exact to some milliseconds; not negative; by default {@link Duration#ZERO}, which means not at all
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public PipelineBuilder linger(Duration time) {
        this.linger = requireNotNegative("linger", time);
        return this;
    }

    /**
     * Sets how long a write to the database may take before it counts as a stall, see {@link PipelineStatistics#stalls()}.
     *
     * @param time not negative; 100 ms by default
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public PipelineBuilder stallLimit(Duration time) {
        this.stallLimit = requireNotNegative("stallLimit", time);
        return this;
    }

    /**
     * Appends each record that the mapper cannot map to another queue, as a {@link DeadLetter} of the pipeline's group, and goes on. By
     * default the pipeline stops before such a record.
     *
     * <p>A dead letter is on the disk before the pipeline goes on. If the process is killed in between, the record has two dead letters. If
     * the other queue is full, the pipeline waits for room, up to that queue's {@link dev.outcrop.queue.QueueOptions#fullTimeout}. If the
     * dead letter cannot be appended, because the other queue is closed, still full or poisoned, the pipeline stops.
     *
     * @param letters another queue, which the caller closes after the pipeline
     * @return this
     * @throws IllegalArgumentException if it is the pipeline's own queue
     */
    public PipelineBuilder deadLetters(Queue letters) {
        Objects.requireNonNull(letters, "letters");
        if (letters.equals(queue)) {
            throw new IllegalArgumentException("The dead letters of a pipeline of " + queue
                    + " cannot go to the same queue: the pipeline would take them again. Open another one for them");
        }
        this.deadLetters = letters;
        return this;
    }

    /**
     * Sets the options for writing batches.
     *
     * @param options with the log enabled, because it keeps the pipeline's position; the options cannot be changed afterwards
     * @return this
     * @throws IllegalArgumentException if the log is off
     */
    public PipelineBuilder writeOptions(WriteOptions options) {
        if (options.disableWAL()) {
            throw new IllegalArgumentException(
                    "A pipeline cannot write without the log (disableWAL): after a crash, its position"
                            + " in the database and its records would not belong together. Leave disableWAL as it is");
        }
        this.writeOptions = options;
        return this;
    }

    /**
     * Sets when records and their effects must be on the disk.
     *
     * <p>With {@link Durability#PAGE_CACHE}, the default, a kill of the process loses nothing and duplicates nothing. After a power cut the
     * queue may have lost records that the database has. The pipeline then refuses to start, and says so.
     *
     * <p>With {@link Durability#SYNCED} this cannot happen: the records of a batch are on the disk before the batch is written, and the
     * batch is on the disk after it is written.
     *
     * @param durability {@code PAGE_CACHE} or {@code SYNCED}
     * @return this
     * @throws IllegalArgumentException if it is another durability: {@link #batchBytes} and {@link #linger} say how many records wait for
     *                                  the disk together
     */
    public PipelineBuilder durability(Durability durability) {
        if (!durability.equals(Durability.SYNCED) && !durability.equals(Durability.PAGE_CACHE)) {
            throw new IllegalArgumentException(
                    "A pipeline has Durability.SYNCED or Durability.PAGE_CACHE, not " + durability
                            + ". To wait less often for the disk with SYNCED, set batchBytes and linger");
        }
        this.isSynced = durability.equals(Durability.SYNCED);
        return this;
    }

    /**
     * Starts at this record instead of at the pipeline's position. Earlier records are not mapped, now or later. Remove this call after
     * that start: otherwise the pipeline starts there each time.
     *
     * @param offset of a record that the queue has, or of the next record to be appended
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public PipelineBuilder startAt(long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("An offset cannot be " + offset);
        }
        this.startAt = offset;
        return this;
    }

    /**
     * Lets {@link #startAt} go back, so the pipeline maps records again that already have their effects in the database. This is harmless
     * if the records only put and delete, but not if they merge.
     *
     * @return this
     */
    public PipelineBuilder allowReplay() {
        this.mayReplay = true;
        return this;
    }

    /**
     * Starts in the state {@link PipelineState#PAUSED}, until {@link Pipeline#resume()}.
     *
     * @return this
     */
    public PipelineBuilder startPaused() {
        this.startsPaused = true;
        return this;
    }

    /**
     * Starts a pipeline, in its own thread.
     *
     * @param db the database, which the caller closes after the pipeline; the column family {@code outcrop.pipelines}, which holds the
     *           pipeline's position, is created if it is missing
     * @return the pipeline, which the caller must close
     * @throws PipelineException        if the effect of each record cannot be in the database exactly once; or if a pipeline of this queue
     *                                  and group is already running
     * @throws RocksDBException         if RocksDB fails
     * @throws IllegalArgumentException if the options contradict each other, or no consumer group can have the name
     */
    public Pipeline into(RocksDB db) {
        Objects.requireNonNull(db, "db");
        if (mayReplay && startAt < 0) {
            throw new IllegalArgumentException("allowReplay() is for startAt(offset): say which record to go back to");
        }
        // Checked before the start, because a refused start changes nothing.
        WriteOptions _ = writing();
        return Pipeline.start(this, db);
    }

    /** Returns the options to write with. */
    WriteOptions writing() {
        WriteOptions given = writeOptions;
        if (given == null) {
            return new WriteOptions().sync(isSynced);
        }
        if (isSynced && !given.sync()) {
            throw new IllegalArgumentException(
                    "Durability.SYNCED needs write options with sync(true), or none; those of this pipeline have sync(false)");
        }
        return given;
    }

    private static Duration requireNotNegative(String name, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + time);
        }
        return time;
    }
}
