package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Native read options with the bounds of a range, beside all that was set by the user. */
/*
 * RocksDB needs to know a bound to stop at it: a scan that looked at keys itself would read on through everything that is deleted
 * behind the end until it saw the next key. Bounds are part of the read options, which other threads use at the same time; hence a copy.
 */
final class RangeOptions {
    private RangeOptions() {
    }

    /**
     * Makes them. A range means all that is in it, so iterators must not rely on a prefix extractor unless they were asked to.
     *
     * @param memory where the bounds go, which RocksDB points to
     * @return the {@code rocksdb_readoptions_t *}, to be destroyed by the caller
     */
    static long create(SegmentAllocator memory, Family family, ReadOptions options, KeyRange range) {
        range.require(family);
        MemorySegment from = later(family, range.from(), options.lowerBound(), 1);
        MemorySegment to = later(family, range.to(), options.upperBound(), -1);
        MemorySegment lower = copy(memory, from);
        MemorySegment upper = copy(memory, to);
        long copy = options.copyNative();
        if (from != null) {
            CApi.rocksdb_readoptions_set_iterate_lower_bound(copy, lower, from.byteSize());
        }
        if (to != null) {
            CApi.rocksdb_readoptions_set_iterate_upper_bound(copy, upper, to.byteSize());
        }
        if (CApi.rocksdb_readoptions_get_prefix_same_as_start(copy) == 0
                && CApi.rocksdb_readoptions_get_auto_prefix_mode(copy) == 0) {
            CApi.rocksdb_readoptions_set_total_order_seek(copy, (byte) 1);
        }
        return copy;
    }

    /** The one of two keys that comes later, or earlier if the sign is negative; the other one if one is null. */
    private static @Nullable MemorySegment later(Family family, byte @Nullable [] key, @Nullable MemorySegment other,
            int sign) {
        if (key == null) {
            return other;
        }
        MemorySegment segment = MemorySegment.ofArray(key);
        return other == null || sign * family.order.compare(segment, other) >= 0 ? segment : other;
    }

    private static MemorySegment copy(SegmentAllocator memory, @Nullable MemorySegment key) {
        if (key == null) {
            return MemorySegment.NULL;
        }
        // At least a byte, because the C API takes a null pointer for none.
        MemorySegment copy = memory.allocate(Math.max(1, key.byteSize()), 1);
        MemorySegment.copy(key, ValueLayout.JAVA_BYTE, 0, copy, ValueLayout.JAVA_BYTE, 0, key.byteSize());
        return copy;
    }
}
