package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Properties of a database. A family of null is the default one. */
final class DatabaseProperties {

    private static final String OF_BLOCK_CACHE = "rocksdb.block-cache-";

    private DatabaseProperties() {
    }

    static String getProperty(RocksDB database, ColumnFamilyHandle family, String name) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            database.state_.freeIdleIterators();
            return found(NativeFamilies.property(database.nativeHandle_, Reads.family(database, family),
                    NativeValues.text(scratch, name)));
        }
    }

    static long getLongProperty(RocksDB database, ColumnFamilyHandle family, String name) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            database.state_.freeIdleIterators();
            return number(scratch, database, Reads.family(database, family), name);
        }
    }

    /** Returns the sum over the families. A block cache counts once, and C does not report which families share one. */
    static long getAggregatedLongProperty(RocksDB database, String name) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            database.state_.freeIdleIterators();
            ColumnFamilyHandle first = database.state_.defaultFamily();
            List<ColumnFamilyHandle> families = database.state_.families();
            long sum = number(scratch, database, first.nativeHandle_, name);
            if (name.startsWith(OF_BLOCK_CACHE) && families.stream().anyMatch(family -> isOther(family, first))) {
                throw Unsupported
                        .method("RocksDB.getAggregatedLongProperty(String) for block caches of several families");
            }
            for (ColumnFamilyHandle family : families) {
                if (isOther(family, first)) {
                    sum += number(scratch, database, family.nativeHandle_, name);
                }
            }
            return sum;
        }
    }

    private static boolean isOther(ColumnFamilyHandle family, ColumnFamilyHandle first) {
        return NativeFamilies.id(family.nativeHandle_) != NativeFamilies.id(first.nativeHandle_);
    }

    private static long number(Scratch scratch, RocksDB database, long family, String name) throws RocksDBException {
        return found(
                NativeFamilies.intProperty(scratch, database.nativeHandle_, family, NativeValues.text(scratch, name)));
    }

    private static <T> T found(T property) throws RocksDBException {
        if (property == null) {
            throw new RocksDBException(new Status(Status.Code.NotFound, Status.SubCode.None, null));
        }
        return property;
    }

    static long[] getApproximateSizes(RocksDB database, ColumnFamilyHandle family, List<Range> ranges,
            SizeApproximationFlag... flags) {
        int include = 0;
        for (SizeApproximationFlag flag : flags) {
            include |= flag.toNative();
        }
        int count = ranges.size();
        try (Scratch scratch = database.use()) {
            long in = Reads.family(database, family);
            MemorySegment starts = NativeValues.words(scratch, count);
            MemorySegment startLengths = NativeValues.words(scratch, count);
            MemorySegment limits = NativeValues.words(scratch, count);
            MemorySegment limitLengths = NativeValues.words(scratch, count);
            MemorySegment sizes = NativeValues.words(scratch, count).fill((byte) 0);
            for (int i = 0; i < count; i++) {
                set(scratch, starts, startLengths, i, ranges.get(i).start);
                set(scratch, limits, limitLengths, i, ranges.get(i).limit);
            }
            if (count > 0 && include != 0) {
                CApi.rocksdb_approximate_sizes_cf_with_flags(database.nativeHandle_, in, count, starts.address(),
                        startLengths.address(), limits.address(), limitLengths.address(), (byte) include,
                        sizes.address(), Errors.place(scratch));
                Errors.check(scratch);
            }
            return sizes.asSlice(0, Long.BYTES * (long) count).toArray(ValueLayout.JAVA_LONG);
        } catch (RocksDBException e) {
            throw Errors.undeclared(e);
        }
    }

    private static void set(Scratch scratch, MemorySegment addresses, MemorySegment lengths, int index, Slice slice) {
        byte[] bytes = slice.bytes();
        addresses.setAtIndex(ValueLayout.JAVA_LONG, index, NativeValues.copy(scratch, bytes).address());
        lengths.setAtIndex(ValueLayout.JAVA_LONG, index, bytes.length);
    }

    static int numberLevels(RocksDB database, ColumnFamilyHandle family) {
        try (Scratch _ = database.use()) {
            return RocksDB.jniNumberLevels(NativeCalls.readLong(database.nativeHandle_),
                    NativeCalls.readLong(Reads.family(database, family)));
        }
    }

    static int level0StopWriteTrigger(RocksDB database, ColumnFamilyHandle family) {
        try (Scratch _ = database.use()) {
            return RocksDB.jniLevel0StopWriteTrigger(NativeCalls.readLong(database.nativeHandle_),
                    NativeCalls.readLong(Reads.family(database, family)));
        }
    }

    /** Returns 0: RocksDB always flushes to level 0. */
    static int maxMemCompactionLevel(RocksDB database, ColumnFamilyHandle family) {
        try (Scratch _ = database.use()) {
            long _ = Reads.family(database, family);
            return 0;
        }
    }

    static long getLatestSequenceNumber(RocksDB database) {
        try (Scratch _ = database.use()) {
            return NativeLog.latestSequenceNumber(database.nativeHandle_);
        }
    }

    static String getName(RocksDB database) {
        try (Scratch _ = database.use()) {
            return database.state_.path;
        }
    }
}
