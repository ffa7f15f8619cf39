package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Bytes that lie in several places and stand for one key or value. */
final class Gathered {
    final long length;
    /** A copy of the list, which could change between being measured and being copied. */
    private final MemorySegment[] parts;

    Gathered(List<MemorySegment> parts) {
        this(parts.toArray(MemorySegment[]::new));
    }

    Gathered(MemorySegment... parts) {
        this.parts = parts;
        long sum = 0;
        for (MemorySegment part : parts) {
            Native.requireSize(part.byteSize());
            sum += part.byteSize();
            Native.requireSize(sum);
        }
        this.length = sum;
    }

    /** Copies all parts; returns where they end. */
    long copy(MemorySegment to, long at) {
        long next = at;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, to, next, part.byteSize());
            next += part.byteSize();
        }
        return next;
    }
}
