package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchFamily;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The database of a pipeline, with the batch that is being filled, and the pipeline's position. For one thread. */
final class Target {
    /** Where the positions of all pipelines into a database are. */
    static final String FAMILY = "outcrop.pipelines";

    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    private static final int MOST_ATTEMPTS = 12;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    final RocksDB db;
    final WriteBatch batch;
    private final ColumnFamily family;
    private final DatabaseWriter writer;
    /** Asked for once: each time would leave garbage. */
    private final WriteBatchFamily positions;
    private final MemorySegment key;
    private final MemorySegment value;
    private int attempts;

    Target(RocksDB db, Queue queue, String group, WriteOptions options, long batchBytes) {
        this.db = db;
        this.family = family(db);
        this.writer = db.with(options);
        this.batch = new WriteBatch(batchBytes);
        this.positions = batch.in(family);
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

    /** Writes the batch together with the position behind it, and empties it. */
    void write(long next, long last, long lastTime, long lastSize, long lastChecksum, Controls controls) {
        Position.write(value, next, last, lastTime, lastSize, lastChecksum);
        positions.put(key, value);
        while (!isWritten(controls)) {
            // What RocksDB refuses like this it has not begun.
        }
        attempts = 0;
        batch.clear();
    }

    /** False if it makes sense to try again, and somebody may wait for that. */
    private boolean isWritten(Controls controls) {
        attempts++;
        try {
            writer.write(batch);
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
