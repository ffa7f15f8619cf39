package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.rocksdb.engine.NativeCall;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A key or a value from several places. */
public final class SliceParts {
    /** The length of all parts; at most twice RocksDB's longest entry, because further parts are not counted. */
    public final long length;
    /** A copy of the list, because the caller could change the list before the parts are copied. */
    private final MemorySegment[] parts;

    public SliceParts(List<MemorySegment> parts) {
        this(parts.toArray(MemorySegment[]::new));
    }

    public SliceParts(MemorySegment... parts) {
        this.parts = parts;
        long sum = 0;
        for (int i = 0; i < parts.length && Long.compareUnsigned(sum, NativeCall.LONGEST_ENTRY) <= 0; i++) {
            sum += parts[i].byteSize();
        }
        this.length = sum;
    }

    /** Copies all parts; returns their end. */
    public long copy(MemorySegment to, long at) {
        long next = at;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, to, next, part.byteSize());
            next += part.byteSize();
        }
        return next;
    }
}
