package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchFamily;
import java.lang.foreign.MemorySegment;

/** What records write that follow each other, and the position behind them: written at once. For one thread at a time. */
final class Batch {
    final WriteBatch writes;
    /** Asked for once: each time would leave garbage. */
    private final WriteBatchFamily positions;
    /** When the first record came. */
    long begun;
    long records;
    /** Of the records. */
    long payloadBytes;
    /** Set before it is written: the offset of the first record, and that behind the last one. */
    long start;
    long end;
    /** How long writing took. */
    long nanos;
    /** What {@link WriteBehind} says of it. */
    boolean isWritten;

    Batch(long bytes, ColumnFamily defaultFamily, ColumnFamily positions) {
        this.writes = new WriteBatch(bytes);
        // While it is empty: later it could not learn any more that this one has timestamps.
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
