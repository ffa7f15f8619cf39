package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The order of a column family's keys, like RocksDB's {@code user_comparator()}. BYTEWISE and its reverse are RocksDB's own comparators.
 */
@FunctionalInterface
public interface UserComparator {
    /** By unsigned bytes, a prefix first. */
    UserComparator BYTEWISE = UserComparator::compareBytes;
    /** The reverse order. */
    UserComparator REVERSE_BYTEWISE = (a, b) -> compareBytes(b, a);

    /** Compares keys without timestamps. */
    int compare(MemorySegment a, MemorySegment b);

    /** Compares timestamps, if keys have any. */
    default int compareTimestamps(MemorySegment a, MemorySegment b) {
        throw new UnsupportedOperationException("keys have no timestamps");
    }

    private static int compareBytes(MemorySegment a, MemorySegment b) {
        long at = a.mismatch(b);
        if (at < 0) {
            return 0;
        }
        if (at == a.byteSize() || at == b.byteSize()) {
            return Long.compare(a.byteSize(), b.byteSize());
        }
        return Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
    }
}
