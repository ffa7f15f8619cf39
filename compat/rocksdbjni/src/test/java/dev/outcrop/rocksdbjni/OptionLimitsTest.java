package dev.outcrop.rocksdbjni;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.HyperClockCache;
import org.rocksdb.LRUCache;
import org.rocksdb.MemTableConfig;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.Priority;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdb.WriteBufferManager;

/** Opening refuses options with which RocksDB would end the process. */
class OptionLimitsTest extends DatabaseTest {
    private static final byte[] NAME = "f".getBytes(StandardCharsets.UTF_8);

    private final Options options = closeLater(new Options());

    /** It takes effect at once, on the pool that all databases share: without a thread there, no compaction would ever end. */
    @Test
    void parallelismWithoutThreadsIsRefused() {
        DBOptions databaseOptions = closeLater(new DBOptions());
        options.setIncreaseParallelism(2);
        for (int threads : new int[]{0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> options.setIncreaseParallelism(threads))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("totalThreads");
            assertThatThrownBy(() -> databaseOptions.setIncreaseParallelism(threads))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("totalThreads");
        }
        assertThat(Env.getDefault().getBackgroundThreads(Priority.LOW)).isEqualTo(2);
        assertThat(options.maxBackgroundJobs()).isEqualTo(2);
    }

    /** If the system gives a table of a terabyte, RocksDB gets it; if not, RocksDB would end the process. */
    @Test
    void aHyperClockCacheThatTheSystemHasNoMemoryForIsRefused() {
        for (int i = 0; i < 20; i++) {
            try (HyperClockCache cache = new HyperClockCache(1L << 42, 0, 0, false)) {
                assertThat(cache.getUsage()).isZero();
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("has no memory");
            }
        }
    }

    @Test
    void nothingIsNoConstantOfATable() {
        assertThatThrownBy(() -> new BlockBasedTableConfig().setChecksumType(null))
                .isInstanceOf(NullPointerException.class).hasMessage("checksumType");
        assertThat(new BlockBasedTableConfig().setBlockCache(null).setFilterPolicy(null).noBlockCache()).isFalse();
    }

    @Test
    void nothingIsNoValueOfAMutableOption() {
        assertThatThrownBy(() -> MutableColumnFamilyOptions.builder().setCompressionType(null))
                .isInstanceOf(NullPointerException.class).hasMessageContaining("compression");
    }

    private static void refused(String option, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(option);
    }

    private void refused(String option, Consumer<Options> change) {
        try (Options options = new Options().setCreateIfMissing(true)) {
            change.accept(options);
            refused(option, () -> RocksDB.open(options, path()));
        }
    }

    private static void refusedAtOnce(String option, Consumer<Options> change) {
        try (Options options = new Options()) {
            refused(option, () -> change.accept(options));
        }
    }

    @Test
    void absurdNumbersAreRefused() throws RocksDBException {
        refused("num_levels", options -> options.setNumLevels(1 << 30));
        refused("num_levels", options -> options.setNumLevels(-1));
        refused("delayed_write_rate", options -> options.setDelayedWriteRate(1));
        refused("delayed_write_rate", options -> options.setDelayedWriteRate(3));
        refused("experimental_mempurge_threshold", options -> options.setExperimentalMempurgeThreshold(0.1));
        refused("table_cache_numshardbits", options -> options.setTableCacheNumshardbits(20));
        refused("log_readahead_size", options -> options.setLogReadaheadSize(1L << 50));
        refused("max_background_jobs", options -> options.setMaxBackgroundJobs(1 << 30));
        refused("max_file_opening_threads", options -> options.setMaxFileOpeningThreads(1 << 30));
        refused("inplace_update_num_locks",
                options -> options.setInplaceUpdateSupport(true).setInplaceUpdateNumLocks(0));
        refused("allow_mmap_writes", options -> options.setAllowMmapWrites(true).setAllowFAllocate(false));
        RocksDB.open(path()).close();
    }

    @Test
    void refusalsOfRocksDbAreExceptions() {
        Options options = closeLater(new Options().setCreateIfMissing(true));
        options.setMaxBytesForLevelMultiplier(Double.NaN);
        assertThatThrownBy(() -> RocksDB.open(options, path())).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.InvalidArgument))
                .hasMessageContaining("max_bytes_for_level_multiplier");
    }

    @Test
    void eachWayOfOpeningLooksAtTheOptions() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true).setNumLevels(2000));
        DBOptions plain = closeLater(new DBOptions().setCreateIfMissing(true));
        TransactionDBOptions locking = closeLater(new TransactionDBOptions());
        EnvOptions environment = closeLater(new EnvOptions());
        ColumnFamilyOptions family = closeLater(new ColumnFamilyOptions().setNumLevels(2000));
        RocksDB db = closeLater(RocksDB.open(path("other")));
        List<ColumnFamilyDescriptor> families = List
                .of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
        List<ThrowingCallable> calls = List.of(
                () -> RocksDB.open(plain, path(), families, new ArrayList<>()),
                () -> RocksDB.openReadOnly(options, path()),
                () -> RocksDB.openAsSecondary(options, path(), path() + "2"),
                () -> TransactionDB.open(options, locking, path()),
                () -> OptimisticTransactionDB.open(options, path()),
                () -> TtlDB.open(options, path(), 1, false),
                () -> new SstFileWriter(environment, options),
                () -> db.createColumnFamily(new ColumnFamilyDescriptor(NAME, family)));
        calls.forEach(call -> refused("num_levels", call));
    }

    @Test
    void backupsTakeNoBuffersThatDoNotFitIntoMemory() throws RocksDBException {
        BackupEngineOptions options = closeLater(new BackupEngineOptions(directory.toString()));
        RateLimiter limiter = closeLater(new RateLimiter(1 << 20));
        RocksDB db = closeLater(RocksDB.open(path()));
        options.setBackupRateLimit(1L << 50);
        refused("backupRateLimit", () -> BackupEngine.open(Env.getDefault(), options));
        options.setBackupRateLimit(0).setBackupRateLimiter(limiter);
        BackupEngine engine = closeLater(BackupEngine.open(Env.getDefault(), options));
        engine.createNewBackup(db);
        // At once: a backup may begin to copy a file at this moment.
        refused("rate limiter", () -> limiter.setBytesPerSecond(1L << 50));
        limiter.setBytesPerSecond(10L << 30);
        engine.createNewBackup(db);
    }

    @Test
    void theRateOfAClosedLimiterCountsForBackups() throws RocksDBException {
        BackupEngineOptions options = closeLater(new BackupEngineOptions(directory.toString()));
        RateLimiter limiter = new RateLimiter(1L << 50);
        options.setRestoreRateLimiter(limiter);
        limiter.close();
        refused("rate limiter", () -> BackupEngine.open(Env.getDefault(), options));
    }

    @Test
    void memtablesAndTablesThatCannotBeMadeAreRefused() {
        refusedAtOnce("bucketCount",
                options -> options.setMemTableConfig(new HashSkipListMemTableConfig().setBucketCount(0)));
        refusedAtOnce("height", options -> options.setMemTableConfig(new HashSkipListMemTableConfig().setHeight(33)));
        refusedAtOnce("branchingFactor",
                options -> options.setMemTableConfig(new HashSkipListMemTableConfig().setBranchingFactor(1 << 16)));
        refusedAtOnce("bucketCount",
                options -> options.setMemTableConfig(new HashLinkedListMemTableConfig().setBucketCount(1L << 40)));
        refusedAtOnce("reservedSize",
                options -> options.setMemTableConfig(new VectorMemTableConfig().setReservedSize(-1)));
        refusedAtOnce("bloomBitsPerKey",
                options -> options.setTableFormatConfig(new PlainTableConfig().setBloomBitsPerKey(-1)));
        refusedAtOnce("indexSparseness",
                options -> options.setTableFormatConfig(new PlainTableConfig().setIndexSparseness(-1)));
        refusedAtOnce("hashTableRatio",
                options -> options.setTableFormatConfig(new PlainTableConfig().setHashTableRatio(1e-300)));
        refusedAtOnce("blockSize",
                options -> options.setTableFormatConfig(new BlockBasedTableConfig().setBlockSize(-1)));
        refusedAtOnce("dataBlockHashTableUtilRatio", options -> options
                .setTableFormatConfig(new BlockBasedTableConfig().setDataBlockHashTableUtilRatio(Double.NaN)));
    }

    @Test
    void largestMemtablesThatAreTakenWork() throws RocksDBException {
        List<MemTableConfig> configs = List.of(
                new HashSkipListMemTableConfig().setHeight(32).setBranchingFactor(0xffff),
                new HashLinkedListMemTableConfig(), new VectorMemTableConfig().setReservedSize(1 << 27));
        for (MemTableConfig config : configs) {
            try (Options options = new Options().setCreateIfMissing(true).setMemTableConfig(config)
                    .useFixedLengthPrefixExtractor(1).setAllowConcurrentMemtableWrite(false);
                    RocksDB db = RocksDB.open(options, directory.resolve(config.getClass().getName()).toString())) {
                db.put(NAME, NAME);
                assertThat(db.get(NAME)).isEqualTo(NAME);
            }
        }
    }

    @Test
    void readAheadThatDoesNotFitIntoMemoryIsRefused() {
        refused("compaction_readahead_size", options -> options.setCompactionReadaheadSize(1L << 40));
        refused("blob_compaction_readahead_size", options -> options.setBlobCompactionReadaheadSize(-1));
        ReadOptions options = closeLater(new ReadOptions());
        refused("readaheadSize", () -> options.setReadaheadSize(1L << 40));
        refused("readaheadSize", () -> options.setReadaheadSize(-1));
        assertThat(options.setReadaheadSize(1 << 30).readaheadSize()).isEqualTo(1 << 30);
    }

    @Test
    void optionsOfAnOpenDatabaseHaveTheSameLimits() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        refused("max_background_jobs", () -> db
                .setDBOptions(MutableDBOptions.builder().setMaxBackgroundJobs(Integer.MAX_VALUE).build()));
        refused("compaction_readahead_size", () -> db
                .setDBOptions(MutableDBOptions.builder().setCompactionReadaheadSize(1L << 40).build()));
        refused("blob_compaction_readahead_size", () -> db.setOptions(
                MutableColumnFamilyOptions.builder().setBlobCompactionReadaheadSize(1L << 40).build()));
        // Options made of a text have no such threshold, and an open database that is given one has.
        refused("experimental_mempurge_threshold", () -> db
                .setOptions(MutableColumnFamilyOptions.builder().setExperimentalMempurgeThreshold(0.5).build()));
        for (long rate : new long[]{0, 3}) {
            refused("delayed_write_rate",
                    () -> db.setDBOptions(MutableDBOptions.builder().setDelayedWriteRate(rate).build()));
        }
        db.setDBOptions(MutableDBOptions.builder().setMaxBackgroundJobs(3).setDelayedWriteRate(1 << 20).build());
        db.setOptions(MutableColumnFamilyOptions.builder().setWriteBufferSize(1 << 20)
                .setMaxBytesForLevelMultiplierAdditional(new int[]{1, 2}).build());
    }

    @Test
    void changesThatBlockWritesAreRefused() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true).setMaxWriteBufferNumber(5)
                .setMinWriteBufferNumberToMerge(3));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        refused("max_write_buffer_number", () -> db.setOptions(
                MutableColumnFamilyOptions.builder().setMaxWriteBufferNumber(2).build()));
        db.setOptions(MutableColumnFamilyOptions.builder().setMaxWriteBufferNumber(4).build());
        refused("level0_stop_writes_trigger", () -> db.setOptions(
                MutableColumnFamilyOptions.builder().setLevel0StopWritesTrigger(0).build()));
        db.setOptions(MutableColumnFamilyOptions.builder().setLevel0StopWritesTrigger(20).build());
        refused("level0_stop_writes_trigger", () -> db.setOptions(
                MutableColumnFamilyOptions.builder().setLevel0FileNumCompactionTrigger(21).build()));
        db.setOptions(MutableColumnFamilyOptions.builder().setDisableAutoCompactions(true)
                .setLevel0FileNumCompactionTrigger(21).build());
        db.put(NAME, NAME);
    }

    @Test
    void writesDoNotWaitForMemoryThatIsNotGivenBack() throws RocksDBException {
        LRUCache cache = closeLater(new LRUCache(1 << 20));
        WriteBufferManager small = closeLater(new WriteBufferManager(2000, cache, true));
        WriteBufferManager large = closeLater(new WriteBufferManager(4 << 20, cache, true));
        refused("allowStall", options -> options.setWriteBufferManager(small));
        Options options = closeLater(new Options().setCreateIfMissing(true).setWriteBufferManager(large));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        for (int i = 0; i < 100; i++) {
            db.put(("key" + i).getBytes(StandardCharsets.UTF_8), new byte[50_000]);
        }
    }

    @Test
    void databasesAreDestroyedWithCheckedOptions() throws RocksDBException {
        RocksDB.open(path()).close();
        Options options = closeLater(new Options().setMaxBackgroundJobs(1 << 30));
        refused("max_background_jobs", () -> RocksDB.destroyDB(path(), options));
        RocksDB.destroyDB(path(), options.setMaxBackgroundJobs(2));
    }

    @Test
    void ratesThatGiveOutNothingAreRefused() {
        refused("rateBytesPerSecond", () -> new RateLimiter(0));
        refused("refillPeriodMicros", () -> new RateLimiter(1 << 20, 1L << 40));
        refused("fairness", () -> new RateLimiter(1 << 20, 100_000, 0));
        refused("rateBytesPerSecond", () -> new RateLimiter(19, 10_000, 10, RateLimiterMode.ALL_IO, true));
        new RateLimiter(20, 10_000, 10, RateLimiterMode.ALL_IO, true).close();
        RateLimiter limiter = closeLater(new RateLimiter(1 << 20, 100_000, 1000));
        refused("bytesPerSecond", () -> limiter.setBytesPerSecond(0));
        limiter.setBytesPerSecond(10);
        assertThat(limiter.getSingleBurstBytes()).isEqualTo(1);
        refused("less than a byte", () -> limiter.setBytesPerSecond(9));
        assertThat(limiter.getBytesPerSecond()).isEqualTo(10);
    }

    /** Its period is longer than what was asked for: RocksDB would wait for its first byte without end. */
    @ParameterizedTest
    @CsvSource({"1, 100000, 1", "9, 100000, 1", "10, 100000, 1", "1000, 999, 1", "999, 100000, 99",
            "999999, 1, 1", "1000000, 1, 1"})
    void aLowRateGivesOutAByteInAPeriod(long rate, long micros, long burst) throws RocksDBException {
        RateLimiter limiter = closeLater(new RateLimiter(rate, micros));
        Options options = closeLater(new Options().setCreateIfMissing(true).setRateLimiter(limiter));
        RocksDB database = closeLater(RocksDB.open(options, path()));
        assertThat(limiter.getBytesPerSecond()).isEqualTo(rate);
        assertThat(limiter.getSingleBurstBytes()).isEqualTo(burst);
        database.put(new byte[]{1}, new byte[]{2});
        assertThat(database.get(new byte[]{1})).containsExactly(2);
    }

    /** A second writer of the same file would cut it off under the first one. */
    @Test
    void tableFilesOfAWriterAreNotMapped() {
        EnvOptions environment = closeLater(new EnvOptions().setUseMmapWrites(true));
        refused("useMmapWrites", () -> new SstFileWriter(environment, options));
        environment.setUseMmapWrites(false).setUseDirectWrites(true).setWritableFileMaxBufferSize(0);
        refused("writableFileMaxBufferSize", () -> new SstFileWriter(environment, options));
        environment.setWritableFileMaxBufferSize(1 << 20).setUseDirectWrites(false);
        new SstFileWriter(environment, options).close();
    }

    @Test
    void poolsKeepAThreadForWhatWaits() {
        Env env = closeLater(new RocksMemEnv(Env.getDefault()));
        if (env.getBackgroundThreads(Priority.BOTTOM) == 0) {
            // The process has one pool, which other tests may have enlarged.
            assertThat(env.setBackgroundThreads(0, Priority.BOTTOM).getBackgroundThreads(Priority.BOTTOM)).isZero();
        }
        env.setBackgroundThreads(2, Priority.BOTTOM);
        refused("number", () -> env.setBackgroundThreads(0, Priority.BOTTOM));
        refused("number", () -> env.setBackgroundThreads(-1, Priority.BOTTOM));
        env.setBackgroundThreads(1, Priority.BOTTOM);
    }

    @Test
    void readOnlyDatabasesAreCopiedWithoutAFlush() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true).setManualWalFlush(true);
                BackupEngineOptions of = new BackupEngineOptions(directory.toString());
                BackupEngine engine = BackupEngine.open(Env.getDefault(), of)) {
            try (RocksDB db = RocksDB.open(options, path())) {
                db.put(NAME, NAME);
            }
            try (RocksDB reader = RocksDB.openReadOnly(options, path())) {
                assertThat(reader.getLiveFiles(false).files).isNotEmpty();
                engine.createNewBackup(reader);
            }
            try (RocksDB follower = RocksDB.openAsSecondary(options, path(), path() + "2")) {
                assertThat(follower.getLiveFiles(false).files).isNotEmpty();
            }
        }
        assertThat(directory.resolve("meta")).isNotEmptyDirectory();
    }
}
