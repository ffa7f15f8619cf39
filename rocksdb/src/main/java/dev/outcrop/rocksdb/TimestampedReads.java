package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CMemory;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads values with the timestamps that they were written with. RocksDB hands out copies of both, from malloc. */
final class TimestampedReads {
    /** Words of scratch memory. */
    private static final int LENGTH = 1;
    private static final int TIMESTAMP = 2;
    private static final int TIMESTAMP_LENGTH = 3;

    /** Arrays of words that a look-up of several keys takes. */
    private static final int FAMILIES = 0;
    private static final int KEYS = 1;
    private static final int KEY_LENGTHS = 2;
    private static final int VALUES = 3;
    private static final int VALUE_LENGTHS = 4;
    private static final int TIMESTAMPS = 5;
    private static final int TIMESTAMP_LENGTHS = 6;
    private static final int ERRORS = 7;
    private static final int ARRAYS = 8;

    private TimestampedReads() {
    }

    /** For options and a family that fit. */
    static @Nullable TimestampedValue get(Scratch entered, Family family, long readOptions, MemorySegment key) {
        entered.setWord(TIMESTAMP, 0);
        long value = CApi.rocksdb_get_cf_with_ts(family.store.db, readOptions, family.handle, Native.key(entered, key),
                key.byteSize(), entered.wordAddress(LENGTH), entered.wordAddress(TIMESTAMP),
                entered.wordAddress(TIMESTAMP_LENGTH), Native.error(entered));
        TimestampedValue taken = taken(value, entered.word(LENGTH), entered.word(TIMESTAMP),
                entered.word(TIMESTAMP_LENGTH), entered.word(Native.ERROR));
        CallbackFailures.rethrow();
        return taken;
    }

    /** For options and a family that fit. */
    static List<@Nullable TimestampedValue> get(Scratch entered, Family family, long readOptions, List<byte[]> keys) {
        if (family.order instanceof CheckedComparator) {
            return oneByOne(entered, family, readOptions, keys);
        }
        Words words = new Words(entered, List.copyOf(keys));
        for (int i = 0; i < words.count; i++) {
            byte[] key = words.keys.get(i);
            words.set(FAMILIES, i, family.handle);
            words.set(KEYS, i, Native.in(entered, MemorySegment.ofArray(key)).address());
            words.set(KEY_LENGTHS, i, key.length);
        }
        CallbackFailures.forget();
        if (words.count > 0) {
            CApi.rocksdb_multi_get_cf_with_ts(family.store.db, readOptions, words.address(FAMILIES), words.count,
                    words.address(KEYS), words.address(KEY_LENGTHS), words.address(VALUES),
                    words.address(VALUE_LENGTHS), words.address(TIMESTAMPS), words.address(TIMESTAMP_LENGTHS),
                    words.address(ERRORS));
        }
        List<@Nullable TimestampedValue> values = new ArrayList<>(words.count);
        int taken = 0;
        try {
            while (taken < words.count) {
                int i = taken++;
                values.add(taken(words.get(VALUES, i), words.get(VALUE_LENGTHS, i), words.get(TIMESTAMPS, i),
                        words.get(TIMESTAMP_LENGTHS, i), words.get(ERRORS, i)));
            }
        } finally {
            for (int i = taken; i < words.count; i++) {
                CMemory.free(words.get(VALUES, i));
                CMemory.free(words.get(TIMESTAMPS, i));
                CMemory.free(words.get(ERRORS, i));
            }
        }
        CallbackFailures.rethrow();
        return values;
    }

    /** RocksDB sorts many keys, and runs out of their array if a comparator in Java contradicts itself. */
    private static List<@Nullable TimestampedValue> oneByOne(Scratch entered, Family family, long readOptions,
            List<byte[]> keys) {
        List<@Nullable TimestampedValue> values = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            values.add(get(entered, family, readOptions, MemorySegment.ofArray(key)));
        }
        return values;
    }

    /** Takes over what RocksDB has allocated for one key. */
    private static @Nullable TimestampedValue taken(long value, long length, long timestamp, long timestampLength,
            long error) {
        try {
            if (error != 0) {
                throw Native.failure(new RocksDBException(Status.parse(Native.takeString(error))));
            }
            // A pointer to an empty value may be null, one to a timestamp is not.
            return timestamp == 0
                    ? null
                    : new TimestampedValue(array(value, length), array(timestamp, timestampLength));
        } finally {
            CMemory.free(value);
            CMemory.free(timestamp);
        }
    }

    private static byte[] array(long address, long length) {
        return FamilyReader.array(NativeCalls.view(address, length));
    }

    /** The arrays of a call, in scratch memory. */
    private static final class Words {
        final List<byte[]> keys;
        final int count;
        private final MemorySegment memory;

        Words(Scratch scratch, List<byte[]> keys) {
            this.keys = keys;
            this.count = keys.size();
            this.memory = scratch.allocate((long) ARRAYS * Long.BYTES * count, Long.BYTES);
        }

        private long offset(int array, int i) {
            return ((long) array * count + i) * Long.BYTES;
        }

        long address(int array) {
            return memory.address() + offset(array, 0);
        }

        void set(int array, int i, long value) {
            memory.set(ValueLayout.JAVA_LONG, offset(array, i), value);
        }

        long get(int array, int i) {
            return memory.get(ValueLayout.JAVA_LONG, offset(array, i));
        }
    }
}
