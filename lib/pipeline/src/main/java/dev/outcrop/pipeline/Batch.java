package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchFamily;
import java.lang.foreign.MemorySegment;

/** The effects of consecutive records and the position after them, written together. For one thread at a time. */
final class Batch {
    final WriteBatch writes;
    /** Kept, because asking the batch for it allocates. */
    private final WriteBatchFamily positions;
    /** When the first record came, in {@link System#nanoTime()}. */
    long begun;
    long records;
    long payloadBytes;
    /** The offset of the first record, and the offset after the last record. Both are set before the batch is written. */
    long start;
    long end;
    /** How long writing took. */
    long nanos;
    boolean isStall;
    /** Set by {@link WriteBehind}. */
    boolean isWritten;

    Batch(long bytes, ColumnFamily defaultFamily, ColumnFamily positions) {
        this.writes = new WriteBatch(bytes);
        // Called while the batch is empty: later the batch could not learn that this family has timestamps.
        WriteBatchFamily _ = writes.in(defaultFamily);
        this.positions = writes.in(positions);
    }

    void putPosition(MemorySegment key, MemorySegment value) {
        positions.put(key, value);
    }

    void clear() {
        writes.clear();
        records = 0;
        payloadBytes = 0;
    }
}
