package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.ClockCacheLimits;
import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.io.File;

/** Creates native objects for constructors if C's {@code create} functions do not suffice. */
final class NativeConstructors {

    static final int DEFAULT_SHARDS = -1;

    /** The ratio of the greatest to the least rate of an automatically tuned limiter. */
    private static final int RANGE_OF_AUTOMATIC = 20;
    /** Greater charges overflow. */
    private static final long MOST_ENTRY_CHARGE = 1L << 40;

    private NativeConstructors() {
    }

    static long lru(long capacity, int shardBits, boolean strict, double highPriority, double lowPriority) {
        long cache = LRUCache.jniNewLRUCache(capacity, shardBits, strict,
                highPriority, lowPriority);
        return made(cache, "an LRU cache with pools of " + highPriority + " and " + lowPriority, capacity, shardBits);
    }

    private static long made(long cache, String kind, long capacity, int shardBits) {
        // If RocksDB refuses, it returns no wrapper, or an empty wrapper.
        if (cache == 0 || NativeCalls.readLong(cache) == 0) {
            if (cache != 0) {
                NativeResources.destroyCache(cache);
            }
            throw new IllegalArgumentException("RocksDB does not make " + kind + " of " + capacity
                    + " bytes in 2^" + shardBits + " shards");
        }
        return cache;
    }

    static long rateLimiter(long bytesPerSecond, long refillMicros, int fairness, RateLimiterMode mode,
            boolean autoTune) {
        long least = autoTune ? bytesPerSecond / RANGE_OF_AUTOMATIC : bytesPerSecond;
        if (least == 0) {
            throw new IllegalArgumentException("rateBytesPerSecond must be at least " + (autoTune
                    ? RANGE_OF_AUTOMATIC + " with autoTune"
                    : 1) + ", or negative for no limit, not " + bytesPerSecond + ": RocksDB would divide by 0");
        }
        OptionChecks.check("refillPeriodMicros", refillMicros, 1, Long.MAX_VALUE);
        if (fairness == 0) {
            throw new IllegalArgumentException("fairness must not be 0: RocksDB would divide by it");
        }
        // With less than a byte in each period, waits for the limiter would never end.
        long period = least < 0 ? refillMicros : Math.max(refillMicros, Math.ceilDiv(1_000_000, least));
        return NativeResources.newRateLimiter(bytesPerSecond, period, fairness, mode.toNative(), autoTune);
    }

    static long readOptions(boolean verifyChecksums, boolean fillCache) {
        long options = NativeReadOptions.create();
        NativeReadOptions.setVerifyChecksums(options, verifyChecksums);
        NativeReadOptions.setFillCache(options, fillCache);
        return options;
    }

    static long ingestOptions(boolean move, boolean snapshotConsistency, boolean globalSequence,
            boolean blockingFlush) {
        long options = NativeFiles.newIngestOptions();
        CApi.rocksdb_ingestexternalfileoptions_set_move_files(options, NativeValues.flag(move));
        CApi.rocksdb_ingestexternalfileoptions_set_snapshot_consistency(options,
                NativeValues.flag(snapshotConsistency));
        CApi.rocksdb_ingestexternalfileoptions_set_allow_global_seqno(options, NativeValues.flag(globalSequence));
        CApi.rocksdb_ingestexternalfileoptions_set_allow_blocking_flush(options, NativeValues.flag(blockingFlush));
        return options;
    }

    static long backupEngineOptions(String path) {
        File directory = path == null ? null : new File(path);
        if (directory == null || !directory.isDirectory() || !directory.canWrite()) {
            throw new IllegalArgumentException("Illegal path provided.");
        }
        try (Scratch scratch = Scratch.open()) {
            return NativeBackups.newOptions(NativeValues.text(scratch, path));
        }
    }

    /** Combines the options of a database with the options of a family. */
    static OptionsState.Copy options(DBOptions database, ColumnFamilyOptions family) {
        try (Scratch _ = database.use(); Scratch _ = family.use()) {
            long half;
            PrefixSettings prefixes;
            synchronized (family.state_) {
                prefixes = family.state_.prefixes();
                half = ColumnFamilyOptions.jniNewColumnFamilyOptionsFromOptions(family.nativeHandle_);
            }
            try {
                synchronized (database.state_) {
                    return new OptionsState.Copy(Options.jniNewOptions(database.nativeHandle_, half),
                            prefixes, database.state_.keptManager());
                }
            } finally {
                ColumnFamilyOptions.jniDisposeInternalJni(half);
            }
        }
    }

    /** Converts {@code ColumnFamilyOptions} of C++ to C's structure, and frees them. */
    static long familyOptions(long half) {
        long database = NativeDbOptions.create();
        try {
            return Options.jniNewOptions(database, half);
        } finally {
            NativeDbOptions.destroy(database);
            ColumnFamilyOptions.jniDisposeInternalJni(half);
        }
    }

    static long compressionOptions() {
        return CompressionOptions.jniNewCompressionOptions();
    }

    static long uint64Add() {
        return UInt64AddOperator.jniNewSharedUInt64AddOperator();
    }

    static long cassandraMerge(int graceSeconds, int operands) {
        return CassandraValueMergeOperator.jniNewSharedCassandraValueMergeOperator(graceSeconds,
                operands);
    }

    static long fixedPrefixPartitioner(long length) {
        return SstPartitionerFixedPrefixFactory.jniNewSstPartitionerFixedPrefixFactory0(length);
    }

    static long cassandraFilter(boolean purge, int graceSeconds) {
        return CassandraCompactionFilter.jniCreateNewCassandraCompactionFilter0(
                purge,
                graceSeconds);
    }

    static long removeEmptyValues() {
        return RemoveEmptyValueCompactionFilter.jniCreateNewRemoveEmptyValueCompactionFilter0();
    }

    static long hyperClock(long capacity, long entryCharge, int shardBits, boolean strict) {
        OptionChecks.check("capacity", capacity, 1, ClockCacheLimits.MOST_BYTES);
        OptionChecks.check("numShardBits", shardBits, Integer.MIN_VALUE, ClockCacheLimits.MOST_SHARD_BITS);
        if (entryCharge != 0) {
            // The table has a fixed size.
            OptionChecks.check("estimatedEntryCharge", entryCharge, Math.max(1, capacity / ClockCacheLimits.MOST_SLOTS),
                    MOST_ENTRY_CHARGE);
        }
        ClockCacheLimits.requireMemory(capacity, entryCharge == 0 ? 0 : capacity / entryCharge);
        return made(HyperClockCache.jniNewHyperClockCache(capacity, entryCharge, shardBits,
                strict), "a hyper clock cache", capacity, shardBits);
    }

    @SuppressWarnings("deprecation") // the published class is deprecated
    static long clock(long capacity, int shardBits, boolean strict) {
        return made(ClockCache.jniNewClockCache(capacity, shardBits, strict),
                "a clock cache",
                capacity, shardBits);
    }

    static OptionsState.Copy copyOf(Options options) {
        return options.state_.copy();
    }
}
