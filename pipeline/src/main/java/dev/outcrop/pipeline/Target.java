package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The database of a pipeline, with the pipeline's position there. */
final class Target {
    /** Where the positions of all pipelines into a database are. */
    static final String FAMILY = "outcrop.pipelines";

    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MOST_ATTEMPTS = 12;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    final RocksDB db;
    final Batches batches;
    private final ColumnFamily family;
    private final DatabaseWriter writer;
    private final MemorySegment key;
    private final MemorySegment value;
    /** Of the thread that writes; the one that waits for it reads it then. */
    private int attempts;

    Target(RocksDB db, Queue queue, String group, WriteOptions options, long batchBytes) {
        this.db = db;
        this.family = family(db);
        this.writer = db.with(options);
        this.batches = new Batches(() -> new Batch(batchBytes, db.defaultColumnFamily(), family));
        byte[] name = group.getBytes(StandardCharsets.UTF_8);
        this.key = Arena.ofAuto().allocate(Long.BYTES + (long) name.length);
        key.set(BIG_ENDIAN, 0, queue.id());
        MemorySegment.copy(name, 0, key, ValueLayout.JAVA_BYTE, Long.BYTES, name.length);
        this.value = Arena.ofAuto().allocate(Position.BYTES, Long.BYTES);
    }

    private static ColumnFamily family(RocksDB db) {
        synchronized (Target.class) {
            ColumnFamily there = db.findColumnFamily(FAMILY);
            return there != null ? there : db.createColumnFamily(FAMILY, new Options());
        }
    }

    /** How far the pipeline is; null if it was never there. */
    @Nullable
    Position load() {
        byte[] found = family.get(key);
        return found == null ? null : Position.read(found);
    }

    /** Stores a position without records, durably. */
    void store(Position position) {
        Position.write(value, position.next(), position.last(), position.lastTime(), position.lastSize(),
                position.lastChecksum());
        family.with(new WriteOptions().sync(true)).put(key, value);
    }

    /** Adds the position to a batch, behind the effects of all its records. */
    void putPosition(Batch batch, long next, long last, long lastTime, long lastSize, long lastChecksum) {
        Position.write(value, next, last, lastTime, lastSize, lastChecksum);
        batch.putPosition(key, value);
        batch.end = next;
    }

    /** Writes a batch with its position. For one thread at a time. */
    void write(Batch batch, Controls controls) {
        while (!isWritten(batch, controls)) {
            // What RocksDB refuses like this it has not begun.
        }
        attempts = 0;
    }

    /** False if it makes sense to try again, and somebody may wait for that. */
    private boolean isWritten(Batch batch, Controls controls) {
        attempts++;
        try {
            writer.write(batch.writes);
            return true;
        } catch (RocksDBException e) {
            if (!e.isRetryable() || attempts == MOST_ATTEMPTS || !controls.goesOnAfter(
                    Math.min(LONGEST_PAUSE_NANOS, TimeUnit.MILLISECONDS.toNanos(1) << attempts))) {
                throw e;
            }
            return false;
        }
    }

    /** How often the last batch was tried, for a message; nothing if that was once. */
    String tried() {
        return attempts > 1 ? " (tried " + attempts + " times)" : "";
    }

    /** Waits until all that was written is on the disk. */
    void flush() {
        db.flushWal(true);
    }
}
