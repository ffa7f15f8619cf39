package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The position of a pipeline in its database. */
final class PositionStore {
    /** The column family with the positions of all pipelines into a database. */
    static final String FAMILY = "outcrop.pipelines";

    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);

    private final RocksDB db;
    /** Null until there is a position: a refused start changes nothing. */
    private @Nullable ColumnFamily family;
    private final MemorySegment key;
    private final MemorySegment value;

    PositionStore(RocksDB db, Queue queue, String group) {
        this.db = db;
        this.family = db.findColumnFamily(FAMILY);
        byte[] name = group.getBytes(StandardCharsets.UTF_8);
        this.key = Arena.ofAuto().allocate(Long.BYTES + (long) name.length);
        key.set(BIG_ENDIAN, 0, queue.id());
        MemorySegment.copy(name, 0, key, ValueLayout.JAVA_BYTE, Long.BYTES, name.length);
        this.value = Arena.ofAuto().allocate(Position.BYTES, Long.BYTES);
    }

    /** Returns the column family, and creates it first if it is missing. */
    private ColumnFamily family() {
        synchronized (PositionStore.class) {
            ColumnFamily existing = family == null ? db.findColumnFamily(FAMILY) : family;
            if (existing == null) {
                // A position is valid for longer than any entry.
                existing = db.hasTtl()
                        ? db.createColumnFamilyWithTtl(FAMILY, new Options(), Duration.ZERO)
                        : db.createColumnFamily(FAMILY, new Options());
            }
            family = existing;
            return existing;
        }
    }

    /** Reads the position; null if the pipeline has never run. */
    @Nullable
    Position load() {
        byte[] found = family == null ? null : family.get(key);
        return found == null ? null : Position.read(found);
    }

    /** Stores a position without records, durably. */
    void store(Position position) {
        Position.write(value, position.next(), position.last(), position.lastTime(), position.lastSize(),
                position.lastChecksum());
        family().with(new WriteOptions().sync(true)).put(key, value);
    }

    Batch newBatch(long bytes) {
        return new Batch(bytes, db.defaultColumnFamily(), family());
    }

    /** Adds the position to a batch, after the effects of all its records. */
    void put(Batch batch, long next, long last, long lastTime, long lastSize, long lastChecksum) {
        Position.write(value, next, last, lastTime, lastSize, lastChecksum);
        batch.putPosition(key, value);
        batch.end = next;
    }

    /** Waits until everything written to the database is on the disk. */
    void flush() {
        db.flushWal(true);
    }
}
