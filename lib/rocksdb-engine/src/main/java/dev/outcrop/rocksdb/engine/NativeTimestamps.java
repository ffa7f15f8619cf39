package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads values with the timestamps that they were written with. RocksDB allocates copies of both. A function of the caller copies these
 * again, and then they are freed.
 */
public final class NativeTimestamps {
    /** Words of scratch memory. */
    private static final int LENGTH = 1;
    private static final int TIMESTAMP = 2;
    private static final int TIMESTAMP_LENGTH = 3;

    private NativeTimestamps() {
    }

    /** Reads one value; returns null if the key does not exist, or if there is an error. */
    public static <T> @Nullable T get(Scratch scratch, long db, long options, long family, MemorySegment key,
            long keyLength, BiFunction<MemorySegment, MemorySegment, T> copy) {
        scratch.setWord(TIMESTAMP, 0);
        long value = CApi.rocksdb_get_cf_with_ts(db, options, family, key, keyLength, scratch.wordAddress(LENGTH),
                scratch.wordAddress(TIMESTAMP), scratch.wordAddress(TIMESTAMP_LENGTH), NativeCall.error(scratch));
        return take(value, scratch.word(LENGTH), scratch.word(TIMESTAMP), scratch.word(TIMESTAMP_LENGTH), copy);
    }

    /** Reads values. Leaves the first error, if there is one, in the same place as a single call. */
    public static <T> List<@Nullable T> get(Scratch scratch, long db, long options, long family, List<byte[]> keys,
            BiFunction<MemorySegment, MemorySegment, T> copy) {
        int count = keys.size();
        MemorySegment families = array(scratch, count);
        MemorySegment addresses = array(scratch, count);
        MemorySegment lengths = array(scratch, count);
        for (int i = 0; i < count; i++) {
            byte[] key = keys.get(i);
            families.setAtIndex(ValueLayout.JAVA_LONG, i, family);
            addresses.setAtIndex(ValueLayout.JAVA_LONG, i,
                    NativeCall.in(scratch, MemorySegment.ofArray(key)).address());
            lengths.setAtIndex(ValueLayout.JAVA_LONG, i, key.length);
        }
        MemorySegment values = array(scratch, count);
        MemorySegment valueLengths = array(scratch, count);
        MemorySegment timestamps = array(scratch, count);
        MemorySegment timestampLengths = array(scratch, count);
        MemorySegment errors = array(scratch, count);
        CallbackFailures.forget();
        scratch.setWord(NativeCall.ERROR, 0);
        if (count > 0) {
            CApi.rocksdb_multi_get_cf_with_ts(db, options, families.address(), count, addresses.address(),
                    lengths.address(), values.address(), valueLengths.address(), timestamps.address(),
                    timestampLengths.address(), errors.address());
        }
        List<@Nullable T> found = new ArrayList<>(count);
        int next = 0;
        try {
            while (next < count) {
                int i = next++;
                takeError(scratch, word(errors, i));
                found.add(take(word(values, i), word(valueLengths, i), word(timestamps, i), word(timestampLengths, i),
                        copy));
            }
        } finally {
            for (int i = next; i < count; i++) {
                NativeHeap.free(word(values, i));
                NativeHeap.free(word(timestamps, i));
                NativeHeap.free(word(errors, i));
            }
        }
        return found;
    }

    private static MemorySegment array(Scratch scratch, int count) {
        return scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, count));
    }

    private static long word(MemorySegment array, int index) {
        return array.getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    private static void takeError(Scratch scratch, long error) {
        if (scratch.word(NativeCall.ERROR) == 0) {
            scratch.setWord(NativeCall.ERROR, error);
        } else {
            NativeHeap.free(error);
        }
    }

    private static <T> @Nullable T take(long value, long length, long timestamp, long timestampLength,
            BiFunction<MemorySegment, MemorySegment, T> copy) {
        try {
            // A pointer to an empty value may be null, but a pointer to a timestamp is not.
            return timestamp == 0
                    ? null
                    : copy.apply(NativeCalls.view(value, length), NativeCalls.view(timestamp, timestampLength));
        } finally {
            NativeHeap.free(value);
            NativeHeap.free(timestamp);
        }
    }
}
