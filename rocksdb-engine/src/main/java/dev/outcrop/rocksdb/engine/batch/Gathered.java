package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.rocksdb.engine.NativeCall;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Bytes that lie in several places and stand for one key or value. */
public final class Gathered {
    /** At most twice what RocksDB can store as one entry: parts that do not matter then are not counted. */
    public final long length;
    /** A copy of the list, which could change between being measured and being copied. */
    private final MemorySegment[] parts;

    public Gathered(List<MemorySegment> parts) {
        this(parts.toArray(MemorySegment[]::new));
    }

    public Gathered(MemorySegment... parts) {
        this.parts = parts;
        long sum = 0;
        for (int i = 0; i < parts.length && Long.compareUnsigned(sum, NativeCall.LONGEST_ENTRY) <= 0; i++) {
            sum += parts[i].byteSize();
        }
        this.length = sum;
    }

    /** Copies all parts; returns where they end. */
    public long copy(MemorySegment to, long at) {
        long next = at;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, to, next, part.byteSize());
            next += part.byteSize();
        }
        return next;
    }
}
