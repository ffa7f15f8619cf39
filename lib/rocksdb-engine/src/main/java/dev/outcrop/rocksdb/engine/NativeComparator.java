package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.Callback;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorWatchdog;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * A native comparator that calls a Java one. RocksDB only points to it. The caller that passes its address to RocksDB keeps this object
 * reachable until no native code uses it.
 */
public final class NativeComparator implements Upcall {
    private static final MemorySegment COMPARE = Callbacks.stubOfLong(MethodHandles.lookup(), "compare", "compareBytes",
            CCallbacks.ROCKSDB_COMPARATOR_CREATE_COMPARE);

    /** The kinds of comparisons. */
    private static final int KEYS = 0;
    private static final int KEYS_AND_TIMESTAMPS = 1;
    private static final int TIMESTAMPS = 2;
    private static final int KEYS_WITHOUT_TIMESTAMPS = 3;

    public final CheckedComparator checked;
    private final NativeObject owned;

    /**
     * Makes the native comparator.
     *
     * @param owner the user's object
     * @param name  stored with a database
     */
    public NativeComparator(UserComparator order, Object owner, String name, int timestampSize) {
        String _ = Callback.requireName("comparator", name);
        if (name.startsWith("rocksdb.") || name.startsWith("leveldb.")) {
            throw new IllegalArgumentException("The comparator's name must not be one of RocksDB's own: " + name);
        }
        if (timestampSize < 0 || timestampSize > Timestamped.LARGEST) {
            throw new IllegalArgumentException("The timestamps of the comparator " + name + " must have 0 to "
                    + Timestamped.LARGEST + " bytes, not " + timestampSize);
        }
        ComparatorWatchdog.start();
        this.checked = new CheckedComparator(order, owner, name, timestampSize,
                CheckedComparator.Trust.UNTIL_IT_THROWS);
        this.owned = new NativeObject(this, create(checked), NativeComparator::destroy);
    }

    /** Makes a native comparator for a registered one. */
    public static long create(long id, MemorySegment compare) {
        return CApi.rocksdb_comparator_create(id, Callbacks.DESTRUCTOR, compare, Callbacks.NAME);
    }

    public static void destroy(long comparator) {
        CApi.rocksdb_comparator_destroy(comparator);
    }

    private static long create(CheckedComparator checked) {
        long id = Callbacks.register(checked, checked.owner, CallbackKind.COMPARATOR, checked.name);
        return checked.timestampSize == 0
                ? create(id, COMPARE)
                : CApi.rocksdb_comparator_with_ts_create(id, Callbacks.DESTRUCTOR, Timestamped.COMPARE,
                        Timestamped.COMPARE_TIMESTAMPS, Timestamped.COMPARE_WITHOUT, Callbacks.NAME,
                        checked.timestampSize);
    }

    /** Valid while this object is reachable. */
    public long address() {
        return owned.address();
    }

    public static int compare(RunningCallbacks running, long id, long a, long aLength, long b, long bLength) {
        return compare(running, id, KEYS, a, aLength, false, b, bLength, false);
    }

    /**
     * Compares keys or timestamps.
     *
     * <p>This is one method on purpose: HotSpot inlines methods of up to 325 bytecodes, and this one is longer, see
     * {@link Callbacks#stubOfLong}.
     */
    private static int compare(RunningCallbacks running, long id, int what, long a, long aLength, boolean aHasTimestamp,
            long b, long bLength, boolean bHasTimestamp) {
        CheckedComparator checked = (CheckedComparator) Callbacks.of(id).target;
        if (checked.isDue(running)) {
            return compareAndCheck(running, id, what, a, aLength, aHasTimestamp, b, bLength, bHasTimestamp);
        }
        switch (what) {
            case KEYS -> {
                try (Arena call = Arena.ofConfined()) {
                    MemorySegment memory = NativeCalls.readOnlyMemory(call);
                    MemorySegment aKey = memory.asSlice(a, aLength);
                    MemorySegment bKey = memory.asSlice(b, bLength);
                    return checked.keys(running, id, aKey, bKey);
                }
            }
            case KEYS_AND_TIMESTAMPS -> {
                try (Arena call = Arena.ofConfined()) {
                    MemorySegment memory = NativeCalls.readOnlyMemory(call);
                    MemorySegment aBoth = memory.asSlice(a, aLength);
                    MemorySegment bBoth = memory.asSlice(b, bLength);
                    return checked.both(running, id, aBoth, bBoth);
                }
            }
            case TIMESTAMPS -> {
                try (Arena call = Arena.ofConfined()) {
                    MemorySegment memory = NativeCalls.readOnlyMemory(call);
                    MemorySegment aTimestamp = memory.asSlice(a, aLength);
                    MemorySegment bTimestamp = memory.asSlice(b, bLength);
                    return checked.timestamps(running, id, aTimestamp, bTimestamp);
                }
            }
            default -> {
                try (Arena call = Arena.ofConfined()) {
                    MemorySegment memory = NativeCalls.readOnlyMemory(call);
                    MemorySegment aKey = memory.asSlice(a, aLength);
                    MemorySegment bKey = memory.asSlice(b, bLength);
                    return checked.keys(running, id, aHasTimestamp ? checked.key(aKey) : aKey,
                            bHasTimestamp ? checked.key(bKey) : bKey);
                }
            }
        }
    }

    /** A separate method: if segments escape from a method, the JIT compiler makes them on all paths of that method. */
    private static int compareAndCheck(RunningCallbacks running, long id, int what, long a, long aLength,
            boolean aHasTimestamp, long b, long bLength, boolean bHasTimestamp) {
        try (Arena call = Arena.ofConfined()) {
            CheckedComparator checked = checked(id);
            MemorySegment memory = NativeCalls.readOnlyMemory(call);
            MemorySegment first = memory.asSlice(a, aLength);
            MemorySegment second = memory.asSlice(b, bLength);
            return switch (what) {
                case KEYS_AND_TIMESTAMPS -> checked.checkedBoth(running, id, first, second);
                case TIMESTAMPS -> checked.checkedTimestamps(running, id, first, second);
                default -> checked.checkedKeys(running, id, aHasTimestamp ? checked.key(first) : first,
                        bHasTimestamp ? checked.key(second) : second);
            };
        }
    }

    private static CheckedComparator checked(long id) {
        return (CheckedComparator) Callbacks.of(id).target;
    }

    /** The callbacks of comparators with timestamps. */
    public static final class Timestamped implements Upcall {
        /** RocksDB itself uses 8 bytes. */
        public static final int LARGEST = 1024;
        public static final MemorySegment COMPARE = Callbacks.stubOfLong(MethodHandles.lookup(), "compare",
                "compareBytes",
                CCallbacks.ROCKSDB_COMPARATOR_WITH_TS_CREATE_COMPARE);
        public static final MemorySegment COMPARE_TIMESTAMPS = Callbacks.stubOfLong(MethodHandles.lookup(),
                "compareTimestamps",
                "compareBytes", CCallbacks.ROCKSDB_COMPARATOR_WITH_TS_CREATE_COMPARE_TS);
        public static final MemorySegment COMPARE_WITHOUT = Callbacks.stubOfLong(MethodHandles.lookup(),
                "compareWithout",
                "compareBytesWithout", CCallbacks.ROCKSDB_COMPARATOR_WITH_TS_CREATE_COMPARE_WITHOUT_TS);

        private Timestamped() {
        }

        public static int compare(RunningCallbacks running, long id, long a, long aLength, long b, long bLength) {
            return NativeComparator.compare(running, id, KEYS_AND_TIMESTAMPS, a, aLength, true, b, bLength, true);
        }

        public static int compareTimestamps(RunningCallbacks running, long id, long a, long aLength, long b,
                long bLength) {
            return NativeComparator.compare(running, id, TIMESTAMPS, a, aLength, true, b, bLength, true);
        }

        public static int compareWithout(RunningCallbacks running, long id, long a, long aLength, byte aHasTimestamp,
                long b,
                long bLength, byte bHasTimestamp) {
            return NativeComparator.compare(running, id, KEYS_WITHOUT_TIMESTAMPS, a, aLength, aHasTimestamp != 0, b,
                    bLength, bHasTimestamp != 0);
        }
    }
}
