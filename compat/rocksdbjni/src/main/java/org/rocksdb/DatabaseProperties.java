package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.OptionString;
import dev.outcrop.rocksdb.engine.WriteStalls;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rocksdb.MutableColumnFamilyOptions.MutableColumnFamilyOptionsBuilder;
import org.rocksdb.MutableDBOptions.MutableDBOptionsBuilder;

/** Properties of a database. A family of null means the default family. */
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
            return found(NativeFamilies.intProperty(scratch, database.nativeHandle_, Reads.family(database, family),
                    NativeValues.text(scratch, name)));
        }
    }

    /** Returns the sum over the families. A block cache that several families share counts once. */
    static long getAggregatedLongProperty(RocksDB database, String name) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            database.state_.freeIdleIterators();
            long sum = RocksDB.jniGetAggregatedLongProperty(JniWrappers.object(database.nativeHandle_), name,
                    name.length());
            // RocksDB still has the dropped families, because their native handles live as long as the database.
            for (ColumnFamilyHandle gone : name.startsWith(OF_BLOCK_CACHE)
                    ? List.<ColumnFamilyHandle>of()
                    : database.state_.goneFamilies()) {
                sum -= found(NativeFamilies.intProperty(scratch, database.nativeHandle_, gone.nativeHandle_,
                        NativeValues.text(scratch, name)));
            }
            return sum;
        }
    }

    @SuppressWarnings("unchecked") // a native method has no type arguments
    static Map<String, String> getMapProperty(RocksDB database, ColumnFamilyHandle family, String name)
            throws RocksDBException {
        try (Scratch _ = database.use()) {
            database.state_.freeIdleIterators();
            return RocksDB.jniGetMapProperty(JniWrappers.object(database.nativeHandle_), object(database, family), name,
                    name.length());
        }
    }

    /** Returns the C++ object of a family. */
    static long object(RocksDB database, ColumnFamilyHandle family) {
        return JniWrappers.object(Reads.family(database, family));
    }

    static void resetStats(RocksDB database) throws RocksDBException {
        try (Scratch _ = database.use()) {
            RocksDB.jniResetStats(JniWrappers.object(database.nativeHandle_));
        }
    }

    /** Returns the current values of the options that can be changed. The builder does not know other options. */
    static MutableColumnFamilyOptionsBuilder getOptions(RocksDB database, ColumnFamilyHandle family) {
        try (Scratch _ = database.use()) {
            return MutableColumnFamilyOptions.parse(RocksDB.jniGetOptions(JniWrappers.object(database.nativeHandle_),
                    object(database, family)), true);
        }
    }

    /** Returns the options of a family that decide about stalls. The caller keeps the database from being freed. */
    static WriteStalls.Limits stallLimits(long db, long family) {
        Map<String, String> options = OptionString
                .parse(RocksDB.jniGetOptions(JniWrappers.object(db), JniWrappers.object(family))).stream()
                .collect(Collectors.toMap(OptionString.Option::name, OptionString.Option::value, (_, last) -> last));
        return new WriteStalls.Limits(!Boolean.parseBoolean(options.get("disable_auto_compactions")),
                Integer.parseInt(options.getOrDefault("level0_file_num_compaction_trigger", "0")),
                Integer.parseInt(options.getOrDefault("level0_slowdown_writes_trigger", "0")),
                Integer.parseInt(options.getOrDefault("level0_stop_writes_trigger", "0")),
                Long.parseUnsignedLong(options.getOrDefault("hard_pending_compaction_bytes_limit", "0")));
    }

    static MutableDBOptionsBuilder getDBOptions(RocksDB database) {
        try (Scratch _ = database.use()) {
            return MutableDBOptions.parse(RocksDB.jniGetDBOptions(JniWrappers.object(database.nativeHandle_)), true);
        }
    }

    /** Returns how many entries of memtables are in a range, and how much memory they take. */
    static RocksDB.CountAndSize getApproximateMemTableStats(RocksDB database, ColumnFamilyHandle family, Range range) {
        try (Scratch scratch = database.use()) {
            long[] found = RocksDB.jniGetApproximateMemTableStats(JniWrappers.object(database.nativeHandle_),
                    object(database, family), slice(scratch, range.start), slice(scratch, range.limit));
            return new RocksDB.CountAndSize(found[0], found[1]);
        }
    }

    /** Copies a slice, because another thread could close it. */
    private static long slice(Scratch scratch, Slice slice) {
        byte[] bytes = slice.bytes();
        MemorySegment copy = scratch.allocate(NativeSlice.HEADER + (long) bytes.length, Long.BYTES);
        NativeSlice.fill(copy, bytes, 0, bytes.length);
        return copy.address();
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
