package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The order of a column family's keys. */
@FunctionalInterface
public interface KeyOrder {
    /** RocksDB's own: by unsigned bytes, a prefix first. */
    KeyOrder BYTEWISE = KeyOrder::compareBytes;
    /** The reverse of it. */
    KeyOrder REVERSE_BYTEWISE = (a, b) -> compareBytes(b, a);

    /** Negative if {@code a} comes before {@code b}, 0 if they are the same key, positive if it comes after. */
    int compare(MemorySegment a, MemorySegment b);

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
