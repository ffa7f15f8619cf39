package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Native read options with the bounds of a range and the settings of the user. */
/*
 * RocksDB must know a bound to stop there. A scan that compared keys itself would read on through all deleted entries behind the end, until
 * it saw the next key. Bounds are part of the read options, which other threads use at the same time, so this class makes a copy.
 */
final class RangeOptions {
    private RangeOptions() {
    }

    /**
     * Makes native read options. A range includes all its keys, so iterators must not rely on a prefix extractor unless the user asked for
     * that.
     *
     * @param memory where the bounds go, which RocksDB points to
     * @return the {@code rocksdb_readoptions_t *}, which the caller must destroy
     */
    static long create(Arena memory, Family family, ReadOptions options, KeyRange range) {
        byte[] from = from(family, options, range);
        byte[] to = to(family, options, range);
        return create(options, from, from == null ? MemorySegment.NULL : copy(memory, from), to,
                to == null ? MemorySegment.NULL : copy(memory, to));
    }

    /**
     * Makes native read options for a scan, valid as long as the scratch is held. It uses both areas of the scratch, and makes no objects
     * if the range fits there.
     */
    static long create(Scratch memory, Family family, ReadOptions options, KeyRange range) {
        byte[] from = from(family, options, range);
        byte[] to = to(family, options, range);
        long made = create(options, from, from == null ? MemorySegment.NULL : ApiCall.key(memory, from), to,
                to == null ? MemorySegment.NULL : ApiCall.value(memory, to, 0, to.length));
        if (range.isReversed()) {
            // Such a scan starts from its exclusive end, which has the prefix of the next keys: RocksDB would show nothing.
            NativeReadOptions.setPrefixSameAsStart(made, false);
            NativeReadOptions.setTotalOrderSeek(made, true);
        }
        return made;
    }

    /** Makes native read options with the bounds of the range; the copy already has the bounds of the options. */
    private static long create(ReadOptions options, byte @Nullable [] from, MemorySegment lower, byte @Nullable [] to,
            MemorySegment upper) {
        long copy = options.copyNative();
        if (from != null) {
            NativeReadOptions.setLowerBound(copy, lower, from.length);
        }
        if (to != null) {
            NativeReadOptions.setUpperBound(copy, upper, to.length);
        }
        if (!NativeReadOptions.prefixSameAsStart(copy) && !NativeReadOptions.autoPrefixMode(copy)) {
            NativeReadOptions.setTotalOrderSeek(copy, true);
        }
        return copy;
    }

    /** Returns the start of the range; null if it has none, or if the start is before the lower bound of the options. */
    private static byte @Nullable [] from(Family family, ReadOptions options, KeyRange range) {
        range.require(family);
        byte[] from = range.from();
        MemorySegment other = options.lowerBound();
        return from == null || other == null || family.order.compare(MemorySegment.ofArray(from), other) >= 0
                ? from
                : null;
    }

    /** Returns the end of the range; null if it has none, or if the end is behind the upper bound of the options. */
    private static byte @Nullable [] to(Family family, ReadOptions options, KeyRange range) {
        byte[] to = range.to();
        MemorySegment other = options.upperBound();
        return to == null || other == null || family.order.compare(MemorySegment.ofArray(to), other) <= 0 ? to : null;
    }

    private static MemorySegment copy(Arena memory, byte[] key) {
        // At least a byte, because the C API takes a null pointer for "no bound".
        MemorySegment copy = memory.allocate(Math.max(1, key.length), 1);
        MemorySegment.copy(key, 0, copy, ValueLayout.JAVA_BYTE, 0, key.length);
        return copy;
    }
}
