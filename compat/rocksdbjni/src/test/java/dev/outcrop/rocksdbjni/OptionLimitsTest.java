package dev.outcrop.rocksdbjni;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
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
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Opening refuses options with which RocksDB would end the process. */
class OptionLimitsTest extends DatabaseTest {
    private static final byte[] NAME = "f".getBytes(StandardCharsets.UTF_8);

    private final Options options = closeLater(new Options());

    /** It takes effect at once, on the pool that all databases share: without a thread there, no compaction would ever end. */
    @Test
    void parallelismWithoutThreadsLeavesOneForCompactions() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true));
        for (int threads : new int[]{2, 0, -1, Integer.MIN_VALUE}) {
            options.setIncreaseParallelism(threads);
            assertThat(options.maxBackgroundJobs()).isEqualTo(threads);
            assertThat(Env.getDefault().getBackgroundThreads(Priority.LOW)).isEqualTo(Math.max(0, threads));
        }
        RocksDB db = closeLater(RocksDB.open(options, path()));
        db.put(NAME, NAME);
        db.compactRange();
        refused("totalThreads", () -> options.setIncreaseParallelism(Integer.MAX_VALUE));
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

    @Test
    void absurdNumbersAreRefused() throws RocksDBException {
        refused("num_levels", options -> options.setNumLevels(1 << 30));
        refused("num_levels", options -> options.setNumLevels(-1));
        refused("table_cache_numshardbits", options -> options.setTableCacheNumshardbits(20));
        refused("max_background_jobs", options -> options.setMaxBackgroundJobs(1 << 30));
        refused("max_file_opening_threads", options -> options.setMaxFileOpeningThreads(1 << 30));
        refused("allow_mmap_writes", options -> options.setAllowMmapWrites(true).setAllowFAllocate(false));
        RocksDB.open(path()).close();
    }

    @Test
    void refusalsOfRocksDbAreExceptions() {
        Options options = closeLater(new Options().setCreateIfMissing(true));
        options.setMaxBytesForLevelMultiplier(Double.NaN);
        assertThatThrownBy(() -> RocksDB.open(options, path())).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.IOError))
                .hasMessageContaining("max_bytes_for_level_multiplier");
    }

    @Test
    void eachWayOfOpeningLooksAtTheOptions() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true).setNumLevels(20_000));
        DBOptions plain = closeLater(new DBOptions().setCreateIfMissing(true));
        TransactionDBOptions locking = closeLater(new TransactionDBOptions());
        EnvOptions environment = closeLater(new EnvOptions());
        ColumnFamilyOptions family = closeLater(new ColumnFamilyOptions().setNumLevels(20_000));
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
        options.setBackupRateLimit(1L << 50).setRestoreRateLimit(Long.MAX_VALUE);
        try (BackupEngine engine = BackupEngine.open(Env.getDefault(), options)) {
            engine.createNewBackup(db);
        }
        assertThat(options.backupRateLimit()).isEqualTo(1L << 50);
        assertThat(options.restoreRateLimit()).isEqualTo(Long.MAX_VALUE);
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
    void memtablesAndTablesThatCannotBeMadeAreRefusedWhenTheyAreUsed() throws RocksDBException {
        refused("bucketCount",
                options -> options.setMemTableConfig(new HashSkipListMemTableConfig().setBucketCount(0)));
        refused("height", options -> options.setMemTableConfig(new HashSkipListMemTableConfig().setHeight(1 << 20)));
        refused("branchingFactor",
                options -> options.setMemTableConfig(new HashSkipListMemTableConfig().setBranchingFactor(1 << 16)));
        refused("bucketCount",
                options -> options.setMemTableConfig(new HashLinkedListMemTableConfig().setBucketCount(1L << 40)));
        refused("reservedSize",
                options -> options.setMemTableConfig(new VectorMemTableConfig().setReservedSize(-1)));
        refused("bloomBitsPerKey",
                options -> options.setTableFormatConfig(new PlainTableConfig().setBloomBitsPerKey(-1)));
        refused("hashTableRatio",
                options -> options.setTableFormatConfig(new PlainTableConfig().setHashTableRatio(1e-300)));
        refused("keySize", options -> options.setTableFormatConfig(new PlainTableConfig().setKeySize(-1)));
        refused("blockSize must not be 0", options -> options
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockSize(0).setBlockAlign(true)));
    }

    /** The native tables have the numbers of that moment. */
    @Test
    void numbersOfATableCountAsTheyAreWhenItIsSet() throws RocksDBException {
        Options options = closeLater(
                new Options().setCreateIfMissing(true).setCompressionType(CompressionType.NO_COMPRESSION));
        BlockBasedTableConfig table = new BlockBasedTableConfig().setBlockSize(0).setBlockAlign(true);
        options.setTableFormatConfig(table);
        table.setBlockSize(4096);
        refused("blockSize", () -> RocksDB.open(options, path()));
        try (Options copy = new Options(options)) {
            refused("blockSize", () -> RocksDB.open(copy, path()));
        }
        options.setTableFormatConfig(table);
        RocksDB.open(options, path()).close();
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
    void numbersOfReadOptionsAreCopied() {
        ReadOptions options = closeLater(new ReadOptions().setReadaheadSize(1L << 40));
        ReadOptions copy = closeLater(new ReadOptions(options));
        assertThat(copy.readaheadSize()).isEqualTo(1L << 40);
        assertThat(options.setReadaheadSize(5).readaheadSize()).isEqualTo(5);
        assertThat(copy.readaheadSize()).isEqualTo(1L << 40);
    }

    /** RocksDB takes samples of a full memtable, and reads beyond one that has nothing but deletions of ranges. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void memtablesArePurgedUntilRangesAreDeleted(boolean later) throws RocksDBException {
        MutableColumnFamilyOptions purging = MutableColumnFamilyOptions.builder()
                .setExperimentalMempurgeThreshold(0.5).build();
        // A memtable of so many ranges is sampled at random.
        Options options = closeLater(new Options().setCreateIfMissing(true).setWriteBufferSize(4 << 20)
                .setExperimentalMempurgeThreshold(later ? 0 : 0.5));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        if (later) {
            db.setOptions(purging);
        }
        ColumnFamilyOptions familyOptions = closeLater(new ColumnFamilyOptions().setWriteBufferSize(4 << 20)
                .setExperimentalMempurgeThreshold(0.5));
        ColumnFamilyHandle family = closeLater(
                db.createColumnFamily(new ColumnFamilyDescriptor(NAME, familyOptions)));
        byte[] begin = {0, 0, 0, 0};
        byte[] end = {0, 0, 0, 1};
        ColumnFamilyHandle in = later ? db.getDefaultColumnFamily() : family;
        for (int i = 0; i < 250; i++) {
            try (WriteBatch batch = new WriteBatch(); WriteOptions writing = new WriteOptions()) {
                for (int range = 0; range < 1000; range++) {
                    batch.deleteRange(in, begin, end);
                }
                db.write(writing, batch);
            }
            if (i == 100) {
                // Has no effect any longer.
                db.setOptions(in, purging);
            }
        }
        db.deleteRange(in, begin, end);
        assertThat(db.get(in, begin)).isNull();
    }

    @Test
    void optionsOfAnOpenDatabaseHaveTheSameLimits() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        refused("max_background_jobs", () -> db
                .setDBOptions(MutableDBOptions.builder().setMaxBackgroundJobs(Integer.MAX_VALUE).build()));
        refused("delayed_write_rate",
                () -> db.setDBOptions(MutableDBOptions.builder().setDelayedWriteRate(0).build()));
        db.setDBOptions(MutableDBOptions.builder().setMaxBackgroundJobs(3).setDelayedWriteRate(1 << 20).build());
        db.setOptions(MutableColumnFamilyOptions.builder().setWriteBufferSize(1 << 20)
                .setMaxBytesForLevelMultiplierAdditional(new int[]{1, 2}).build());
    }

    /** RocksDB takes the rate of delayed writes from the limiter, and divides by a quarter of it. */
    @ParameterizedTest
    @CsvSource({"2, 1000000, false, 4", "3, 100000, false, 4", "3, 100000, true, 4", "4, 1000000, false, 4",
            "1000, 100000, false, 1000"})
    void delayedWritesHaveARateToDivideBy(long rate, long period, boolean isClosed, long expected)
            throws RocksDBException {
        RateLimiter limiter = closeLater(new RateLimiter(rate, period, 10));
        Options options = closeLater(new Options().setCreateIfMissing(true).setRateLimiter(limiter));
        assertThat(limiter.getBytesPerSecond()).isEqualTo(rate);
        if (isClosed) {
            limiter.close();
        }
        RocksDB db = closeLater(RocksDB.open(options, path()));
        assertThat(db.getDBOptions().delayedWriteRate()).isEqualTo(expected);
        assertThat(options.delayedWriteRate()).isZero();
    }

    @Test
    void aRateThatIsSetLaterCountsAtTheNextOpening() throws RocksDBException {
        RateLimiter limiter = closeLater(new RateLimiter(1000, 1_000_000, 10));
        Options options = closeLater(new Options().setCreateIfMissing(true).setRateLimiter(limiter));
        RocksDB.open(options, path()).close();
        limiter.setBytesPerSecond(2);
        RocksDB db = closeLater(RocksDB.open(options, path()));
        assertThat(db.getDBOptions().delayedWriteRate()).isEqualTo(4);
    }

    /** A flush would wait until level 0 has less files. Opening makes 2 of 1 as well. */
    @Test
    void oneMemtableBecomesTwo() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true).setDisableAutoCompactions(true)
                .setLevel0FileNumCompactionTrigger(1));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        db.setOptions(MutableColumnFamilyOptions.builder().setMaxWriteBufferNumber(1).build());
        assertThat(db.getOptions().maxWriteBufferNumber()).isEqualTo(2);
        FlushOptions flush = closeLater(new FlushOptions());
        for (int i = 0; i < 3; i++) {
            db.put(NAME, NAME);
            db.flush(flush);
        }
        assertThat(db.getProperty("rocksdb.num-files-at-level0")).isEqualTo("3");
    }

    @Test
    void changesThatBlockWritesAreRefused() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true).setMaxWriteBufferNumber(5)
                .setMinWriteBufferNumberToMerge(3));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        refused("max_write_buffer_number", () -> db.setOptions(
                MutableColumnFamilyOptions.builder().setMaxWriteBufferNumber(3).build()));
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

    /** Writes would wait for files that are never merged. */
    @ParameterizedTest
    @CsvSource({"1000, -1, min_merge_width", "-1, -1, min_merge_width", "33, -1, min_merge_width",
            "5, 4, min_merge_width", "2, 0, max_merge_width", "0, 1, max_merge_width"})
    void universalCompactionMergesWhatWritesWaitFor(int least, int most, String named) throws RocksDBException {
        CompactionOptionsUniversal universal = closeLater(
                new CompactionOptionsUniversal().setMinMergeWidth(least).setMaxMergeWidth(most));
        ColumnFamilyOptions family = closeLater(new ColumnFamilyOptions().setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setCompactionOptionsUniversal(universal));
        ColumnFamilyOptions copy = closeLater(new ColumnFamilyOptions(family));
        Options options = closeLater(new Options(closeLater(new DBOptions().setCreateIfMissing(true)), family));
        refused(named, () -> RocksDB.open(options, path()));
        refused(named, () -> RocksDB.open(closeLater(new DBOptions(options)), path(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, copy)), new ArrayList<>()));
        RocksDB db = closeLater(RocksDB.open(path()));
        refused(named, () -> db.createColumnFamily(new ColumnFamilyDescriptor(NAME, family)));
        closeLater(db.createColumnFamily(
                new ColumnFamilyDescriptor(NAME, copy.setCompactionStyle(CompactionStyle.LEVEL))));
        Properties properties = new Properties();
        properties.setProperty("compaction_style", "kCompactionStyleUniversal");
        properties.setProperty("compaction_options_universal", "{min_merge_width=" + Integer.toUnsignedString(least)
                + ";max_merge_width=" + Integer.toUnsignedString(most) + "}");
        ColumnFamilyOptions read = closeLater(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties));
        refused(named, () -> db.createColumnFamily(new ColumnFamilyDescriptor(b("read"), read)));
    }

    /** RocksDB raises the number of files at which writes wait. */
    @Test
    void widthsAreComparedWithTheOptionsOfTheOpenFamily() throws RocksDBException {
        CompactionOptionsUniversal universal = closeLater(new CompactionOptionsUniversal().setMinMergeWidth(40));
        Options options = closeLater(new Options().setCreateIfMissing(true)
                .setCompactionStyle(CompactionStyle.UNIVERSAL).setCompactionOptionsUniversal(universal)
                .setLevel0SlowdownWritesTrigger(44));
        RocksDB.open(options, path()).close();
        options.setLevel0SlowdownWritesTrigger(43);
        refused("min_merge_width", () -> RocksDB.open(options, path()));
        closeLater(RocksDB.openReadOnly(options, path()));
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
        refused("refillPeriodMicros", () -> new RateLimiter(1 << 20, 0));
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
    void poolsKeepAThreadForWhatWaits() throws RocksDBException {
        Env env = closeLater(new RocksMemEnv(Env.getDefault()));
        if (env.getBackgroundThreads(Priority.BOTTOM) == 0) {
            // The process has one pool, which other tests may have enlarged.
            assertThat(env.setBackgroundThreads(0, Priority.BOTTOM).getBackgroundThreads(Priority.BOTTOM)).isZero();
        }
        env.setBackgroundThreads(2, Priority.BOTTOM);
        assertThat(env.setBackgroundThreads(0, Priority.BOTTOM).getBackgroundThreads(Priority.BOTTOM)).isZero();
        assertThat(env.setBackgroundThreads(-1, Priority.BOTTOM).getBackgroundThreads(Priority.BOTTOM)).isZero();
        RocksDB db = closeLater(RocksDB.open(path()));
        db.put(NAME, NAME);
        db.compactRange();
        assertThat(env.getBackgroundThreads(Priority.BOTTOM)).isEqualTo(1);
        refused("number", () -> env.setBackgroundThreads(Integer.MAX_VALUE, Priority.BOTTOM));
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
