package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;

/**
 * A Java comparator as RocksDB's. RocksDB only points to it: whoever gives its address to RocksDB keeps this object reachable until
 * nothing native uses it any more.
 */
final class NativeComparator implements Upcall {
    private static final MemorySegment COMPARE = stub("compare", CCallbacks.ROCKSDB_COMPARATOR_CREATE_COMPARE);

    final KeyComparator comparator;
    final String name;
    final int timestampSize;
    private final NativeObject owned;

    NativeComparator(KeyComparator comparator) {
        this.name = CallbackNames.check("comparator", comparator.name());
        if (name.startsWith("rocksdb.") || name.startsWith("leveldb.")) {
            throw new IllegalArgumentException("The comparator's name must not be one of RocksDB's own: " + name);
        }
        this.timestampSize = comparator.timestampSize();
        if (timestampSize < 0 || timestampSize > Timestamped.LARGEST) {
            throw new IllegalArgumentException("The timestamps of the comparator " + name + " must have 0 to "
                    + Timestamped.LARGEST + " bytes, not " + timestampSize);
        }
        this.comparator = comparator;
        this.owned = new NativeObject(this, create(comparator, name, timestampSize),
                CApi::rocksdb_comparator_destroy);
    }

    private static long create(KeyComparator comparator, String name, int timestampSize) {
        if (timestampSize == 0) {
            return CApi.rocksdb_comparator_create(Callbacks.register(comparator, "comparator", name),
                    Callbacks.DESTRUCTOR, COMPARE, Callbacks.NAME);
        }
        long id = Callbacks.register(new WithTimestamps(comparator, timestampSize), "comparator", name);
        return CApi.rocksdb_comparator_with_ts_create(id, Callbacks.DESTRUCTOR, Timestamped.COMPARE,
                Timestamped.COMPARE_TIMESTAMPS, Timestamped.COMPARE_WITHOUT, Callbacks.NAME, timestampSize);
    }

    /** Valid while this object is reachable. */
    long address() {
        return owned.address();
    }

    /** The order of the keys' bytes: what RocksDB is told when a comparator fails. */
    static int bytewise(MemorySegment a, MemorySegment b) {
        long at = a.mismatch(b);
        if (at < 0) {
            return 0;
        }
        if (at == a.byteSize() || at == b.byteSize()) {
            return Long.compare(a.byteSize(), b.byteSize());
        }
        return Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
    }

    static int compare(long id, long a, long aLength, long b, long bLength) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment memory = NativeCalls.readOnlyMemory(call);
            MemorySegment aKey = memory.asSlice(a, aLength);
            MemorySegment bKey = memory.asSlice(b, bLength);
            try {
                return ((KeyComparator) Callbacks.of(id).target).compare(aKey, bKey);
            } catch (Throwable e) {
                CallbackFailures.add(id, e);
                return bytewise(aKey, bKey);
            }
        } catch (Throwable e) {
            // No stack or no memory left to report it: any answer is better than an exception, which would end the JVM.
            return 0;
        }
    }

    private static MemorySegment stub(String method, FunctionDescriptor descriptor) {
        return Callbacks.stub(MethodHandles.lookup(), method, descriptor);
    }

    /** A comparator and the size of its timestamps, asked for once. */
    record WithTimestamps(KeyComparator comparator, int timestampSize) {
        /** By key, and the newest first. */
        int compare(MemorySegment a, MemorySegment b) {
            int byKey = comparator.compare(key(a), key(b));
            return byKey != 0 ? byKey : comparator.compareTimestamps(timestamp(b), timestamp(a));
        }

        MemorySegment key(MemorySegment both) {
            return both.asSlice(0, Math.max(0, both.byteSize() - timestampSize));
        }

        private MemorySegment timestamp(MemorySegment both) {
            return both.asSlice(Math.max(0, both.byteSize() - timestampSize));
        }
    }

    /** The callbacks of comparators with timestamps. */
    static final class Timestamped implements Upcall {
        /** RocksDB itself uses 8 bytes; it keeps room for any size in each entry. */
        static final int LARGEST = 1024;
        static final MemorySegment COMPARE = stub("compare",
                CCallbacks.ROCKSDB_COMPARATOR_WITH_TS_CREATE_COMPARE);
        static final MemorySegment COMPARE_TIMESTAMPS = stub("compareTimestamps",
                CCallbacks.ROCKSDB_COMPARATOR_WITH_TS_CREATE_COMPARE_TS);
        static final MemorySegment COMPARE_WITHOUT = stub("compareWithout",
                CCallbacks.ROCKSDB_COMPARATOR_WITH_TS_CREATE_COMPARE_WITHOUT_TS);

        static int compare(long id, long a, long aLength, long b, long bLength) {
            try (Arena call = Arena.ofConfined()) {
                MemorySegment memory = NativeCalls.readOnlyMemory(call);
                MemorySegment aKey = memory.asSlice(a, aLength);
                MemorySegment bKey = memory.asSlice(b, bLength);
                try {
                    return ((WithTimestamps) Callbacks.of(id).target).compare(aKey, bKey);
                } catch (Throwable e) {
                    CallbackFailures.add(id, e);
                    return bytewise(aKey, bKey);
                }
            } catch (Throwable e) {
                return 0; // as above
            }
        }

        static int compareTimestamps(long id, long a, long aLength, long b, long bLength) {
            try (Arena call = Arena.ofConfined()) {
                MemorySegment memory = NativeCalls.readOnlyMemory(call);
                MemorySegment older = memory.asSlice(a, aLength);
                MemorySegment newer = memory.asSlice(b, bLength);
                try {
                    return ((WithTimestamps) Callbacks.of(id).target).comparator.compareTimestamps(older, newer);
                } catch (Throwable e) {
                    CallbackFailures.add(id, e);
                    return bytewise(older, newer);
                }
            } catch (Throwable e) {
                return 0; // as above
            }
        }

        static int compareWithout(long id, long a, long aLength, byte aHasTimestamp, long b, long bLength,
                byte bHasTimestamp) {
            try (Arena call = Arena.ofConfined()) {
                MemorySegment memory = NativeCalls.readOnlyMemory(call);
                MemorySegment aKey = memory.asSlice(a, aLength);
                MemorySegment bKey = memory.asSlice(b, bLength);
                try {
                    WithTimestamps target = (WithTimestamps) Callbacks.of(id).target;
                    return target.comparator.compare(aHasTimestamp != 0 ? target.key(aKey) : aKey,
                            bHasTimestamp != 0 ? target.key(bKey) : bKey);
                } catch (Throwable e) {
                    CallbackFailures.add(id, e);
                    return bytewise(aKey, bKey);
                }
            } catch (Throwable e) {
                return 0; // as above
            }
        }

        private static MemorySegment stub(String method, FunctionDescriptor descriptor) {
            return Callbacks.stub(MethodHandles.lookup(), method, descriptor);
        }
    }
}
