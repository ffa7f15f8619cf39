package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.KeyOrder;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** How much ranges of keys take. */
final class ApproximateSizes {
    private ApproximateSizes() {
    }

    /** The shape of the C functions that estimate sizes. */
    private interface Estimate {
        void call(int count, long starts, long startLengths, long limits, long limitLengths, long sizes, long error);
    }

    static long[] of(Family family, List<KeyRange> ranges) {
        return of(family, ranges, (count, starts, startLengths, limits, limitLengths, sizes, error) -> CApi
                .rocksdb_approximate_sizes_cf(family.store.db, family.handle, count, starts, startLengths, limits,
                        limitLengths, sizes, error));
    }

    static long[] of(Family family, List<KeyRange> ranges, SizeApproximationOptions options) {
        try {
            long nativeOptions = options.use();
            return of(family, ranges, (count, starts, startLengths, limits, limitLengths, sizes, error) -> CApi
                    .rocksdb_approximate_sizes_cf_with_options(family.store.db, family.handle, nativeOptions, count,
                            starts, startLengths, limits, limitLengths, sizes, error));
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private static long[] of(Family family, List<KeyRange> ranges, Estimate estimate) {
        ranges.forEach(range -> range.require(family));
        int count = ranges.size();
        long[] sizes = new long[count];
        long array = (long) Long.BYTES * count;
        try (Scratch scratch = family.enterToLook()) {
            // Five arrays: starts, their lengths, limits, their lengths, results.
            MemorySegment words = scratch.allocate(5 * array, Long.BYTES);
            for (int i = 0; i < count; i++) {
                MemorySegment start = start(family, ranges.get(i));
                MemorySegment limit = limit(family, ranges.get(i));
                if (family.order.compare(start, limit) > 0) {
                    // Behind all keys. RocksDB would compute nonsense.
                    limit = start;
                }
                long at = (long) Long.BYTES * i;
                words.set(ValueLayout.JAVA_LONG, at, Native.in(scratch, start).address());
                words.set(ValueLayout.JAVA_LONG, at + array, start.byteSize());
                words.set(ValueLayout.JAVA_LONG, at + 2 * array, Native.in(scratch, limit).address());
                words.set(ValueLayout.JAVA_LONG, at + 3 * array, limit.byteSize());
            }
            long address = words.address();
            estimate.call(count, address, address + array, address + 2 * array, address + 3 * array,
                    address + 4 * array, Native.error(scratch));
            Native.check(scratch);
            MemorySegment.copy(words, ValueLayout.JAVA_LONG, 4 * array, sizes, 0, count);
        }
        return sizes;
    }

    /** Where a range starts: RocksDB wants a key. */
    private static MemorySegment start(Family family, KeyRange range) {
        byte[] from = range.from();
        return MemorySegment.ofArray(from != null ? from : keyAt(family, KeyValueIterator::seekToFirst));
    }

    /** Where a range ends; for one without an end, behind the last key if the order is known, which is all that counts. */
    private static MemorySegment limit(Family family, KeyRange range) {
        byte[] to = range.to();
        if (to == null) {
            byte[] last = keyAt(family, KeyValueIterator::seekToLast);
            to = KeyOrder.BYTEWISE.equals(family.order) ? Arrays.copyOf(last, last.length + 1) : last;
        }
        return MemorySegment.ofArray(to);
    }

    private static byte[] keyAt(Family family, Predicate<KeyValueIterator> move) {
        ReadOptions options = new ReadOptions().totalOrderSeek(true);
        try (KeyValueIterator entries = Iterators.of(family, options).iterator()) {
            return move.test(entries) ? entries.key().toArray(ValueLayout.JAVA_BYTE) : new byte[0];
        }
    }
}
