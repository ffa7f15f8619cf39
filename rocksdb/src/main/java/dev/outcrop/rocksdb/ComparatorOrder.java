package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeComparator;
import dev.outcrop.rocksdb.engine.callbacks.UserOrder;
import java.lang.foreign.MemorySegment;

/** A user's comparator, as the engine asks for its order. */
record ComparatorOrder(KeyComparator comparator) implements UserOrder {
    /** As RocksDB's. */
    static NativeComparator nativeOf(KeyComparator comparator) {
        return new NativeComparator(new ComparatorOrder(comparator), comparator, comparator.name(),
                comparator.timestampSize());
    }

    @Override
    public int compare(MemorySegment a, MemorySegment b) {
        return comparator.compare(a, b);
    }

    @Override
    public int compareTimestamps(MemorySegment a, MemorySegment b) {
        return comparator.compareTimestamps(a, b);
    }
}
