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
    /** RocksDB's own copies of batches are kept, with the memory they have taken, if they are not larger than 256 KiB. */
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
     * Sets the largest size of a batch, without its last record: when it has so many bytes, it is written. It is written earlier when there
     * are no more records, see {@link #linger}. A pipeline has memory for three of them.
     *
     * @param bytes of the batch in RocksDB's format, from 1 byte to 1 GiB; 128 KiB by default
     * @return this
     * @throws IllegalArgumentException if it is not
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
     * @param time to some milliseconds; not negative; {@link Duration#ZERO}, not at all, by default
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public PipelineBuilder linger(Duration time) {
        this.linger = requireNotNegative("linger", time);
        return this;
    }

    /**
     * Sets from when on a write to the database counts as a stall, see {@link PipelineStatistics#stalls()}.
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
     * Puts records that the mapper cannot map into another queue, each as a {@link DeadLetter} of the pipeline's group, and goes on. By
     * default the pipeline stops in front of such a record.
     *
     * <p>A dead letter is on the disk before the pipeline goes on. If the process is killed between the two, there are two dead letters of
     * one record. If it cannot be put away, because that queue is closed, full or poisoned, the pipeline stops.
     *
     * @param letters another queue, which stays the caller's to close, after the pipeline
     * @return this
     * @throws IllegalArgumentException if it is the pipeline's own queue
     */
    public PipelineBuilder deadLetters(Queue letters) {
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
     * @param options not without the log, which keeps the pipeline's position; they cannot be changed afterwards
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
     * Sets when records and their effects are on the disk.
     *
     * <p>With {@link Durability#PAGE_CACHE}, the default, a kill of the process loses nothing and doubles nothing. After a power cut the
     * queue may have lost records that the database has; then the pipeline refuses to start, and says so.
     *
     * <p>With {@link Durability#SYNCED} that cannot happen: before a batch is written, its records are on the disk, and then so is the
     * batch.
     *
     * @param durability one of the two
     * @return this
     * @throws IllegalArgumentException if it is another one: for batches, {@link #batchBytes} and {@link #linger} say how many records wait
     *                                  for the disk together
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
     * Sets the first record, in place of the pipeline's position. Records before it are not mapped, now or later. Remove the call after
     * that start: the pipeline would start there each time.
     *
     * @param offset of a record that the queue has, or of the next one
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
     * Lets {@link #startAt} go back: records whose effects are in the database are mapped again. That is harmless where they only put and
     * delete, and not where they merge.
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
     * Starts a pipeline, in a thread of its own.
     *
     * @param db gets the column family {@code outcrop.pipelines}, if it has none, for the pipeline's position; stays the caller's to close,
     *           after the pipeline
     * @return the pipeline, to be closed by the caller
     * @throws PipelineException        if the effect of each record cannot be in the database exactly once; or if there is such a pipeline
     *                                  already
     * @throws RocksDBException         if RocksDB fails
     * @throws IllegalArgumentException if the options contradict each other
     */
    public Pipeline into(RocksDB db) {
        Objects.requireNonNull(db, "db");
        if (mayReplay && startAt < 0) {
            throw new IllegalArgumentException("allowReplay() is for startAt(offset): say which record to go back to");
        }
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
