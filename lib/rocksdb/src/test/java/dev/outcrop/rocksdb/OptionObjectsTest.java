package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.Env.ThreadPool;
import dev.outcrop.rocksdb.engine.OptionsFile;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each object that options take, in a database that uses it. Only the database keeps the objects. */
@Tag("verify")
class OptionObjectsTest extends DatabaseTest {
    private static final int KEYS = 500;

    @Override
    RocksDB open(Options options) {
        return open("db", options);
    }

    private RocksDB open(String name, Options options) {
        RocksDB db = RocksDB.open(directory.resolve(name), options);
        // The database keeps the objects of its options; otherwise they would be collected here.
        System.gc();
        return db;
    }

    private static byte[] key(int i) {
        return Bytes.of("key%06d".formatted(i));
    }

    private static void fill(RocksDB db) {
        for (int i = 0; i < KEYS; i++) {
            db.put(key(i), Bytes.of("value%06d".formatted(i)));
        }
        db.flush();
        System.gc();
    }

    private static void check(RocksDB db) {
        for (int i = 0; i < KEYS; i++) {
            assertThat(db.get(key(i))).isEqualTo(Bytes.of("value%06d".formatted(i)));
        }
        assertThat(db.get(Bytes.of("key999999"))).isNull();
        List<byte[]> found = new ArrayList<>();
        db.scan((key, _) -> found.add(key.toArray(ValueLayout.JAVA_BYTE)));
        assertThat(found).hasSize(KEYS);
    }

    /** A line of the file in which RocksDB stores what it opened the database with. */
    private String stored(String option) throws IOException {
        return Objects.requireNonNull(OptionsFile.ofFamilies(directory.resolve("db")).get("default")).getOrDefault(
                option, "");
    }

    private long files(String name, String suffix) throws IOException {
        if (!Files.exists(directory.resolve(name))) {
            return 0;
        }
        try (Stream<Path> files = Files.list(directory.resolve(name))) {
            return files.filter(file -> file.toString().endsWith(suffix)).count();
        }
    }

    static Stream<Cache> caches() {
        return Stream.of(Cache.lru(8 << 20), Cache.lruWithStrictCapacityLimit(8 << 20),
                Cache.lru(new LruCacheOptions().capacity(8 << 20).numShardBits(2)), Cache.hyperClock(8 << 20),
                Cache.hyperClock(new HyperClockCacheOptions(8 << 20).numShardBits(1).estimatedEntryCharge(4096)));
    }

    @ParameterizedTest
    @MethodSource("caches")
    void aCacheServesSeveralDatabases(Cache cache) {
        assertThat(cache.capacity()).isEqualTo(8 << 20);
        long empty = cache.usage();
        RocksDB first = closeLater(
                open("1", create().blockBasedTableFactory(new BlockBasedTableOptions().blockCache(cache))));
        RocksDB second = closeLater(open("2",
                create().blockBasedTableFactory(new BlockBasedTableOptions().blockCache(cache))));
        fill(first);
        check(first);
        long one = cache.usage();
        assertThat(one).isGreaterThan(empty + 10_000);
        assertThat(cache.occupancyCount()).isPositive();
        assertThat(cache.tableAddressCount()).isPositive();
        fill(second);
        check(second);
        assertThat(cache.usage()).isGreaterThan(one + 10_000);
        assertThat(cache.pinnedUsage()).isLessThanOrEqualTo(cache.usage());

        PinnedSlice pinned = Objects.requireNonNull(first.getPinned(Bytes.inNative(key(7))));
        assertThat(cache.pinnedUsage()).isPositive();
        pinned.close();
        assertThat(cache.capacity(6 << 20).capacity()).isEqualTo(6 << 20);
        check(first);
    }

    @Test
    void aFullStrictCacheFailsReadsWithTheReason() {
        Cache cache = Cache.lruWithStrictCapacityLimit(0);
        RocksDB db = closeLater(open(create().blockBasedTableFactory(new BlockBasedTableOptions().blockCache(cache))));
        fill(db);
        assertThatThrownBy(() -> db.get(key(1))).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("Memory limit");
        cache.capacity(8 << 20);
        assertThat(db.get(key(1))).isNotNull();
    }

    @Test
    void aRowCacheAndABlobCacheFillUp() {
        Cache rows = Cache.lru(8 << 20);
        Cache blobs = Cache.lru(8 << 20);
        try (RocksDB db = open(create().rowCache(rows).blobCache(blobs).enableBlobFiles(true).minBlobSize(10))) {
            fill(db);
            check(db);
            assertThat(blobs.usage()).isGreaterThan(10_000);
        }
        RocksDB db = closeLater(open("rows", create().rowCache(rows)));
        fill(db);
        check(db);
        assertThat(rows.usage()).isGreaterThan(10_000);
    }

    @Test
    void aFilterIsInTheTablesOfAllDatabasesThatShareIt() throws IOException {
        for (FilterPolicy policy : List.of(FilterPolicy.bloom(10), FilterPolicy.ribbon(10),
                FilterPolicy.ribbonHybrid(10, 1))) {
            BlockBasedTableOptions table = new BlockBasedTableOptions().filterPolicy(policy).filterPolicy(policy);
            for (int i = 0; i < 2; i++) {
                try (RocksDB db = open(policy.toString().replace(':', '-') + i,
                        create().blockBasedTableFactory(table).blockBasedTableFactory(table))) {
                    fill(db);
                    check(db);
                    assertThat(db.property("rocksdb.aggregated-table-properties"))
                            .containsPattern("filter block size=[1-9]");
                }
            }
        }
        RocksDB db = closeLater(open(create()));
        fill(db);
        assertThat(db.property("rocksdb.aggregated-table-properties")).contains("filter block size=0");
    }

    @Test
    void aRateLimiterIsUsed() throws IOException {
        RateLimiter limiter = RateLimiter.of(50 << 20);
        for (RateLimiter each : List.of(limiter, limiter, RateLimiter.autoTuned(50 << 20),
                RateLimiter.of(50 << 20, Duration.ofMillis(10), 5, RateLimiterMode.ALL_IO, true))) {
            try (RocksDB db = open(create().rateLimiter(each))) {
                fill(db);
                check(db);
            }
            assertThat(Files.readString(directory.resolve("db/LOG"))).containsPattern("Options.rate_limiter: 0x");
        }
    }

    @Test
    void aRateLimiterThatWouldStopEverythingIsRefused() {
        assertThatThrownBy(() -> RateLimiter.of(0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rate_bytes_per_sec").hasMessageContaining("0");
        assertThatThrownBy(() -> RateLimiter.of(5000, Duration.ofNanos(1000), 10, RateLimiterMode.ALL_IO, false))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("less than a byte");
        assertThatThrownBy(() -> RateLimiter.of(5000, Duration.ZERO, 10, RateLimiterMode.ALL_IO, false))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("period");
        assertThatThrownBy(() -> RateLimiter.of(5000, Duration.ofSeconds(1), 0, RateLimiterMode.ALL_IO, false))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fairness");
    }

    @Test
    void aWriteBufferManagerCountsAndLimits() {
        Cache cache = Cache.lru(64 << 20);
        WriteBufferManager manager = new WriteBufferManager(4 << 20, cache).allowStall(false);
        assertThat(manager.enabled()).isTrue();
        assertThat(manager.costToCache()).isTrue();
        try (RocksDB db = open(create().writeBufferManager(manager).writeBufferSize(1L << 30))) {
            byte[] value = Bytes.random(1, 10_000);
            for (int i = 0; i < 100; i++) {
                db.put(key(i), value);
            }
            assertThat(manager.memoryUsage()).isGreaterThan(900_000);
            assertThat(manager.mutableMemtableMemoryUsage()).isPositive();
            assertThat(manager.dummyEntriesInCacheUsage()).isPositive();
            assertThat(cache.usage()).isPositive();
            for (int i = 0; i < 1500; i++) {
                db.put(key(i), value);
            }
            // The memtable alone would have room for all of it; a flush that is still waiting is not counted.
            assertThat(Long.parseLong(Objects.requireNonNull(db.property("rocksdb.cur-size-active-mem-table"))))
                    .isLessThan(14_500_000);
        }
        assertThat(manager.bufferSize(1 << 20).bufferSize()).isEqualTo(1 << 20);
        assertThat(new WriteBufferManager(0).enabled()).isFalse();
        assertThatThrownBy(() -> manager.bufferSize(0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("buffer_size");
    }

    @Test
    void anSstFileManagerWatchesTheSpace() {
        SstFileManager manager = new SstFileManager();
        try (RocksDB db = open(create().sstFileManager(manager))) {
            fill(db);
            assertThat(manager.totalSize()).isPositive();
            assertThat(manager.isMaxAllowedSpaceReached()).isFalse();
            manager.maxAllowedSpaceUsage(1000).compactionBufferSize(10);
            assertThat(manager.isMaxAllowedSpaceReached()).isTrue();
            assertThat(manager.isMaxAllowedSpaceReachedIncludingCompactions()).isTrue();
            assertThatThrownBy(() -> fill(db)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("Max allowed space");
            check(db);
        }
        assertThat(manager.deleteRateBytesPerSecond(12345).deleteRateBytesPerSecond()).isEqualTo(12345);
        assertThat(manager.maxTrashDbRatio(0.5).maxTrashDbRatio()).isEqualTo(0.5);
        assertThat(manager.totalTrashSize()).isZero();
    }

    @Test
    void theRateOfDeletingCanBeSetByManyThreadsAtATime() throws Exception {
        ExecutorService threads = closeLater(Executors.newFixedThreadPool(4));
        for (int i = 0; i < 300; i++) {
            SstFileManager manager = new SstFileManager();
            CyclicBarrier together = new CyclicBarrier(4);
            List<Future<?>> calls = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                calls.add(threads.submit(() -> {
                    together.await();
                    return manager.deleteRateBytesPerSecond(1000);
                }));
            }
            for (Future<?> call : calls) {
                call.get();
            }
            assertThat(manager.deleteRateBytesPerSecond()).isEqualTo(1000);
        }
    }

    @Test
    void anEnvironmentInMemoryHoldsDatabasesWithoutAFile() {
        Options options = create().env(Env.inMemory()).sstFileManager(new SstFileManager());
        try (RocksDB db = open(options)) {
            fill(db);
            db.compact();
            check(db);
        }
        assertThat(directory.resolve("db")).doesNotExist();
        try (RocksDB again = open(options.copy())) {
            check(again);
        }
        try (RocksDB other = open(create().env(Env.inMemory()))) {
            assertThat(other.get(key(1))).isNull();
        }
        assertThat(directory.resolve("db")).doesNotExist();
    }

    @Test
    void anEnvironmentOutlivesItsJavaObjectsForAsLongAsADatabaseIsOpen() throws InterruptedException {
        List<RocksDB> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            open.add(open("env" + i, create().env(Env.inMemory())));
        }
        for (int round = 0; round < 2; round++) {
            Collector.run();
            open.forEach(OptionObjectsTest::fill);
            open.forEach(OptionObjectsTest::check);
        }
        open.forEach(RocksDB::close);
    }

    @Test
    void threadPoolsOfAnEnvironment() {
        Env env = Env.defaultEnv();
        int before = env.backgroundThreads(ThreadPool.BOTTOM);
        assertThat(env.backgroundThreads(ThreadPool.BOTTOM, before + 1).backgroundThreads(ThreadPool.BOTTOM))
                .isEqualTo(before + 1);
        assertThat(env.backgroundThreads(ThreadPool.LOW, 3).backgroundThreads(ThreadPool.LOW)).isEqualTo(3);
        assertThat(env.backgroundThreads(ThreadPool.HIGH, 2).backgroundThreads(ThreadPool.HIGH)).isEqualTo(2);
        assertThat(env.lowerIoPriority(ThreadPool.LOW).lowerCpuPriority(ThreadPool.HIGH)).isSameAs(env);
        assertThatThrownBy(() -> env.backgroundThreads(ThreadPool.BOTTOM, 0))
                .hasMessageContaining("background_threads");
        assertThatThrownBy(() -> env.backgroundThreads(ThreadPool.LOW, 0)).hasMessageContaining("background_threads");
        assertThatThrownBy(() -> env.backgroundThreads(ThreadPool.HIGH, 1025)).hasMessageContaining("1025");
        assertThatThrownBy(() -> env.lowerIoPriority(ThreadPool.BOTTOM)).hasMessageContaining("BOTTOM");
    }

    @Test
    void anEnvironmentMakesDirectories() {
        Path made = directory.resolve("made");
        Env.defaultEnv().createDirIfMissing(made.toString()).createDirIfMissing(made.toString());
        assertThat(made).isDirectory();
        assertThatThrownBy(() -> Env.defaultEnv().createDirIfMissing(directory.resolve("a/b").toString()))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("a/b");
        assertThatThrownBy(() -> Env.defaultEnv().createDirIfMissing("a\0b"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("NUL");
    }

    @Test
    void anAllocatorThatIsNotBuiltInIsSaid() {
        assertThatThrownBy(MemoryAllocator::jemallocNodump).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("jemalloc");
    }

    @Test
    void tableFilesGoToTheDirectoriesThatAreNamed() throws IOException {
        List<DbPath> paths = List.of(new DbPath(directory.resolve("fast"), 0),
                new DbPath(directory.resolve("slow"), 1L << 40));
        try (RocksDB db = open(create().dbPaths(paths))) {
            fill(db);
            db.compact();
            check(db);
            assertThat(files("db", ".sst")).isZero();
            assertThat(files("fast", ".sst") + files("slow", ".sst")).isPositive();
        }
        try (RocksDB db = open("cf", create().cfPaths(List.of(new DbPath(directory.resolve("family"), 1L << 40))))) {
            fill(db);
            check(db);
            assertThat(files("family", ".sst")).isPositive();
            assertThat(files("cf", ".sst")).isZero();
        }
        assertThatThrownBy(() -> new DbPath(directory, -1)).hasMessageContaining("target_size");
    }

    @Test
    void aPrefixExtractorIsStored() throws IOException {
        SliceTransform prefix = SliceTransform.fixedPrefix(3);
        try (RocksDB db = open(create().prefixExtractor(SliceTransform.noop()).prefixExtractor(prefix))) {
            fill(db);
            check(db);
        }
        assertThat(stored("prefix_extractor")).contains("FixedPrefix.3");
        try (RocksDB db = open(create().prefixExtractor(SliceTransform.noop()))) {
            check(db);
        }
        assertThat(stored("prefix_extractor")).contains("Noop");
        assertThatThrownBy(() -> SliceTransform.fixedPrefix(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPartitionerAndAChecksumFactoryAreUsed() throws IOException {
        try (RocksDB db = open(create().sstPartitionerFactory(SstPartitionerFactory.fixedPrefix(1))
                .fileChecksumGenFactory(FileChecksumGenFactory.crc32c()))) {
            for (String key : List.of("a1", "b1", "c1")) {
                db.put(Bytes.of(key), Bytes.of("value"));
            }
            db.flush();
            for (String key : List.of("a2", "b2", "c2")) {
                db.put(Bytes.of(key), Bytes.of("value"));
            }
            db.flush();
            db.compact();
            assertThat(Objects.requireNonNull(db.property("rocksdb.sstables")).lines()
                    .filter(line -> line.contains("seq"))).hasSize(3);
        }
        assertThat(Files.readString(directory.resolve("db/MANIFEST-000005"),
                StandardCharsets.ISO_8859_1)).contains("FileChecksumCrc32c");
    }

    @Test
    void levelsAreSetOneByOne() throws IOException {
        try (RocksDB db = open(create().compressionPerLevel(List.of(CompressionType.NONE, CompressionType.ZSTD))
                .maxBytesForLevelMultiplierAdditional(List.of(1, 2, 3)))) {
            fill(db);
            check(db);
        }
        assertThat(stored("compression_per_level")).isEqualTo("kNoCompression:kZSTD");
        assertThat(stored("max_bytes_for_level_multiplier_additional")).startsWith("1:2:3");
        try (RocksDB db = open(create().numLevels(3).compression(CompressionType.LZ4).minLevelToCompress(2))) {
            check(db);
        }
        assertThat(stored("compression_per_level")).isEqualTo("kNoCompression:kNoCompression:kLZ4Compression");
    }

    @Test
    void universalCompactionKeepsEverything() throws IOException {
        try (RocksDB db = open(create().compactionStyle(CompactionStyle.UNIVERSAL)
                .universalCompactionOptions(new UniversalCompactionOptions().sizeRatio(7).minMergeWidth(2)
                        .stopStyle(CompactionStopStyle.SIMILAR_SIZE)))) {
            for (int i = 0; i < 6; i++) {
                fill(db);
            }
            db.compact();
            check(db);
        }
        assertThat(stored("compaction_options_universal")).contains("size_ratio=7").contains("SimilarSize");
    }

    @Test
    void fifoCompactionDropsTheOldest() {
        RocksDB db = closeLater(open(create().compactionStyle(CompactionStyle.FIFO).compression(CompressionType.NONE)
                .fifoCompactionOptions(new FifoCompactionOptions().maxTableFilesSize(300_000))));
        for (int i = 0; i < 10; i++) {
            db.put(key(i), Bytes.random(i, 100_000));
            db.flush();
        }
        db.compact();
        assertThat(db.get(key(0))).isNull();
        assertThat(db.get(key(9))).isEqualTo(Bytes.random(9, 100_000));
    }

    static Stream<Options> tables() {
        SliceTransform prefix = SliceTransform.fixedPrefix(8);
        return Stream.of(
                new Options().plainTableFactory(new PlainTableOptions().hashTableRatio(0)),
                new Options().prefixExtractor(prefix).plainTableFactory(new PlainTableOptions()),
                new Options().plainTableFactory(new PlainTableOptions().storeIndexInFile(true).bloomBitsPerKey(5))
                        .prefixExtractor(prefix),
                new Options().prefixExtractor(prefix).plainTableFactory(
                        new PlainTableOptions().encodingType(PlainTableEncoding.PREFIX).indexSparseness(4)),
                new Options().cuckooTableFactory(new CuckooTableOptions().hashTableRatio(0.5).useModuleHash(false)),
                new Options().cuckooTableFactory(new CuckooTableOptions()).plainTableFactory(new PlainTableOptions()
                        .hashTableRatio(0)).blockBasedTableFactory(new BlockBasedTableOptions().blockSize(512)));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void everyKindOfTableFindsEverything(Options options) {
        options.createIfMissing(true).allowMmapReads(true).compression(CompressionType.NONE);
        try (RocksDB db = open(options)) {
            fill(db);
            check(db);
            fill(db);
            db.delete(key(1));
            db.put(key(1), Bytes.of("value000001"));
            db.compact();
            check(db);
        }
        RocksDB db = closeLater(open(options));
        check(db);
        assertThat(db.get(Bytes.of("k"))).isNull();
    }

    @Test
    void aPlainTableWithAPrefixThatIsNotSafeIsRefused() {
        PlainTableOptions byPrefix = new PlainTableOptions().encodingType(PlainTableEncoding.PREFIX);
        assertThatThrownBy(() -> new Options().plainTableFactory(byPrefix)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("prefixExtractor");
        assertThatThrownBy(() -> new Options().prefixExtractor(SliceTransform.fixedPrefix(9))
                .plainTableFactory(new PlainTableOptions())).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fixed:9");
        Options plain = new Options().prefixExtractor(SliceTransform.fixedPrefix(3)).plainTableFactory(byPrefix);
        assertThatThrownBy(() -> plain.copy().prefixExtractor(SliceTransform.fixedPrefix(9)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("at most 8");
        assertThatThrownBy(() -> plain.copy().set("prefix_extractor=nullptr"))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("prefixExtractor");
    }

    @Test
    void aCopyHasTheSameValuesAndALifeOfItsOwn() {
        Options options = create().maxOpenFiles(123).pinBudget(77).mergeOperator(MergeOperator.MAX).env(Env.inMemory());
        Options copy = options.copy();
        options.maxOpenFiles(7).set("merge_operator=nullptr");
        assertThat(copy.maxOpenFiles()).isEqualTo(123);
        assertThat(copy.pinBudget()).isEqualTo(77);
        assertThat(copy.hasMergeOperator()).isTrue();
        try (RocksDB db = open(copy)) {
            db.merge(Bytes.of("a"), Bytes.of("b"));
            fill(db);
            assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("b"));
        }
        assertThat(directory.resolve("db")).doesNotExist();
    }

    @Test
    void boundsAreCopiedAndKept() {
        RocksDB db = closeLater(open(create()));
        fill(db);
        byte[] lower = key(10);
        byte[] upper = key(20);
        KeyValueReader reader = db.with(new ReadOptions().iterateLowerBound(lower).iterateUpperBound(upper)
                .requestId("some request"));
        Arrays.fill(lower, (byte) 0);
        Arrays.fill(upper, (byte) 0);
        System.gc();
        List<String> found = new ArrayList<>();
        reader.scan((key, _) -> found.add(new String(key.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
        assertThat(found).hasSize(10).startsWith("key000010").endsWith("key000019");
        List<String> none = new ArrayList<>();
        db.with(new ReadOptions().iterateUpperBound(new byte[0])).scan((key, _) -> none.add(key.toString()));
        assertThat(none).isEmpty();
    }

    @Test
    void aTimestampWhereThereAreNoneIsRefused() {
        RocksDB db = closeLater(open(create()));
        fill(db);
        assertThatThrownBy(() -> db.with(new ReadOptions().timestamp(new byte[8])))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("timestamp");
        assertThatThrownBy(() -> db.with(new ReadOptions().iterStartTs(new byte[8]).timestamp(new byte[8])))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("timestamp");
        // An empty one is found out by RocksDB.
        KeyValueReader empty = db.with(new ReadOptions().timestamp(new byte[0]));
        assertThatThrownBy(() -> empty.get(key(1))).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("timestamp");
        assertThatThrownBy(() -> empty.scan((_, _) -> true)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("timestamp");
    }

    @Test
    void anIndexThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> new BlockBasedTableOptions().userDefinedIndexFactory("nosuch"))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("nosuch");
        assertThatThrownBy(() -> new ReadOptions().tableIndexFactory("nosuch")).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("nosuch");
        BlockBasedTableOptions table = new BlockBasedTableOptions().userDefinedIndexFactory("trie_index");
        assertThat(table.userDefinedIndexFactoryName()).isEqualTo("trie_index");
        try (RocksDB db = open(create().blockBasedTableFactory(table))) {
            fill(db);
            check(db);
            KeyValueReader byTrie = db.with(new ReadOptions().tableIndexFactory("trie_index"));
            assertThat(byTrie.get(key(5))).isEqualTo(Bytes.of("value000005"));
        }
        assertThat(table.clearUserDefinedIndexFactory().userDefinedIndexFactoryName()).isEmpty();
    }

    @Test
    void optionsInUseAreFrozen() {
        FlushOptions flush = new FlushOptions().waits(false);
        CompactRangeOptions compact = new CompactRangeOptions();
        EnvOptions env = new EnvOptions().rateLimiter(RateLimiter.of(1 << 20));
        CompactionOptions files = new CompactionOptions().canceled(new Cancellation());
        List.of(flush, compact, env, files).forEach(NativeOptions::use);
        assertThatThrownBy(() -> flush.waits(true)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("new FlushOptions()");
        assertThatThrownBy(() -> compact.fullHistoryTsLow(new byte[8])).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("new CompactRangeOptions()");
        assertThatThrownBy(() -> env.rateLimiter(RateLimiter.of(1 << 20))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> files.canceled(new Cancellation())).isInstanceOf(IllegalStateException.class);
        assertThat(flush.waits()).isFalse();
    }

    @Test
    void partsOfACompactionService() {
        Options options = create().enableStatistics().env(Env.inMemory());
        CompactionServiceOptionsOverride override = CompactionServiceOptionsOverride.of(options);
        assertThat(override.kept()).hasSize(1);
        override.env(Env.defaultEnv()).prefixExtractor(SliceTransform.fixedPrefix(2))
                .blockBasedTableFactory(new BlockBasedTableOptions().blockCache(Cache.lru(1 << 20)))
                .cuckooTableFactory(new CuckooTableOptions()).statistics(options)
                .fileChecksumGenFactory(FileChecksumGenFactory.crc32c())
                .sstPartitionerFactory(SstPartitionerFactory.fixedPrefix(1)).option("max_open_files", "10");
        assertThatThrownBy(() -> override.option("merge_operator", "nosuch")).isInstanceOf(RocksDBException.class);
        Cancellation cancellation = new Cancellation();
        assertThat(new OpenAndCompactOptions().canceled(cancellation).allowResumption(true).allowResumption()).isTrue();
        cancellation.cancel();
        assertThat(cancellation.isCanceled()).isTrue();
    }

    @Test
    void setsOfConstants() {
        assertThat(new Options().checksumHandoffFileTypes(Set.of(FileType.TABLE, FileType.BLOB))
                .checksumHandoffFileTypes()).containsExactlyInAnyOrder(FileType.TABLE, FileType.BLOB);
        assertThat(new TraceOptions().filter(Set.of(TraceFilter.GET, TraceFilter.MULTI_GET)).filter())
                .containsExactlyInAnyOrder(TraceFilter.GET, TraceFilter.MULTI_GET);
        assertThat(new OccLockBuckets(1000, true).approximateMemoryUsage()).isGreaterThan(1000);
        assertThat(new OptimisticTransactionDBOptions().sharedLockBuckets(new OccLockBuckets(16, false))).isNotNull();
    }

    @Test
    void backupsAreInTheirDirectory() {
        BackupEngineOptions options = new BackupEngineOptions(directory.resolve("backups")).env(Env.inMemory())
                .backupRateLimiter(RateLimiter.of(1 << 20)).restoreRateLimiter(RateLimiter.of(1 << 20));
        assertThat(options.backupDir()).isEqualTo(directory.resolve("backups"));
        assertThat(options.kept()).hasSize(1);
    }
}
