package dev.outcrop.engines.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ChecksumType;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionPriority;
import org.rocksdb.CompactionStopStyle;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.HistogramType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RateLimiter;
import org.rocksdb.SkipListMemTableConfig;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBufferManager;

/** Sets the options that users of Kafka Streams set, another selection for each kind of store, and tells what the getters then say. */
public final class UserOptions implements RocksDBConfigSetter {
    // Shared by all stores, as Kafka's manual advises; never closed.
    private static final Cache CACHE = new LRUCache(8 << 20, -1, false, 0.1);
    private static final WriteBufferManager WRITE_BUFFERS = new WriteBufferManager(16 << 20, CACHE);

    private static final Map<String, List<String>> REPORTS = new TreeMap<>();
    private static final Map<String, List<AutoCloseable>> OWNED = new ConcurrentHashMap<>();

    /** Kafka makes one for each database. */
    public UserOptions() {
    }

    /** Returns the effect of the setters on each store, and the statistics of each closed store. */
    static synchronized List<String> report() {
        List<String> lines = new ArrayList<>();
        REPORTS.forEach((store, report) -> report.forEach(line -> lines.add(store + "\t" + line)));
        return lines;
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        List<AutoCloseable> owned = new ArrayList<>();
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(CACHE);
        table.setCacheIndexAndFilterBlocks(true);
        BloomFilter filter = new BloomFilter(12, false);
        owned.add(filter);
        table.setFilterPolicy(filter);
        options.setWriteBufferManager(WRITE_BUFFERS);
        options.setMaxWriteBufferNumber(3);
        options.setInfoLogLevel(InfoLogLevel.ERROR_LEVEL);
        switch (storeName.charAt(0)) {
            case 'k' -> levels(options, table);
            case 't' -> universal(options, table, owned);
            case 'w' -> partitions(options, table);
            case 's' -> ownStatistics(options, owned);
            default -> presets(options);
        }
        options.setTableFormatConfig(table);
        OWNED.put(storeName, owned);
        report(storeName, describe(options, table));
    }

    private static void levels(Options options, BlockBasedTableConfig table) {
        table.setBlockSize(2048).setBlockSizeDeviation(5).setBlockRestartInterval(8).setFormatVersion(5);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true).setPinL0FilterAndIndexBlocksInCache(true);
        table.setPinTopLevelIndexAndFilter(false).setChecksumType(ChecksumType.kXXH3);
        table.setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash).setDataBlockHashTableUtilRatio(0.6);
        table.setWholeKeyFiltering(true).setEnableIndexCompression(false);
        options.setCompressionType(CompressionType.LZ4_COMPRESSION);
        options.setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION);
        options.setCompactionStyle(CompactionStyle.LEVEL).setCompactionPriority(CompactionPriority.MinOverlappingRatio);
        options.setLevelCompactionDynamicLevelBytes(true).setMaxBytesForLevelBase(4 << 20)
                .setMaxBytesForLevelMultiplier(8).setTargetFileSizeBase(1 << 20).setTargetFileSizeMultiplier(2);
        options.setNumLevels(5).setLevel0FileNumCompactionTrigger(3).setLevel0SlowdownWritesTrigger(12)
                .setLevel0StopWritesTrigger(20);
        options.setWriteBufferSize(64 << 10).setMinWriteBufferNumberToMerge(2);
        options.setMemtablePrefixBloomSizeRatio(0.1).setMemtableWholeKeyFiltering(true);
        options.setMaxOpenFiles(64).setMaxBackgroundJobs(2).setMaxSubcompactions(2);
        options.setOptimizeFiltersForHits(true).setReportBgIoStats(true).setParanoidFileChecks(true);
    }

    private static void universal(Options options, BlockBasedTableConfig table, List<AutoCloseable> owned) {
        table.setBlockSize(4096).setIndexType(IndexType.kBinarySearch);
        options.setCompactionStyle(CompactionStyle.UNIVERSAL);
        try (CompactionOptionsUniversal universal = new CompactionOptionsUniversal()) {
            universal.setSizeRatio(5).setMinMergeWidth(2).setMaxSizeAmplificationPercent(150)
                    .setStopStyle(CompactionStopStyle.CompactionStopStyleTotalSize);
            options.setCompactionOptionsUniversal(universal);
        }
        try (CompressionOptions compression = new CompressionOptions()) {
            compression.setLevel(3).setMaxDictBytes(4096).setZStdMaxTrainBytes(65536).setEnabled(true);
            options.setCompressionOptions(compression);
            options.setBottommostCompressionOptions(compression);
        }
        options.setCompressionType(CompressionType.ZSTD_COMPRESSION);
        RateLimiter limiter = new RateLimiter(100 << 20);
        owned.add(limiter);
        options.setRateLimiter(limiter);
        options.setBytesPerSync(1 << 20).setWalBytesPerSync(1 << 19).setStrictBytesPerSync(true);
        options.setWritableFileMaxBufferSize(1 << 18).setCompactionReadaheadSize(1 << 18);
        options.setStatsDumpPeriodSec(0).setStatsPersistPeriodSec(0).setKeepLogFileNum(3).setMaxLogFileSize(1 << 20);
        options.setPeriodicCompactionSeconds(0).setTtl(0).setMaxCompactionBytes(64 << 20);
    }

    private static void partitions(Options options, BlockBasedTableConfig table) {
        table.setIndexType(IndexType.kTwoLevelIndexSearch).setPartitionFilters(true).setMetadataBlockSize(1024);
        table.setOptimizeFiltersForMemory(false);
        options.setCompressionPerLevel(List.of(CompressionType.NO_COMPRESSION, CompressionType.SNAPPY_COMPRESSION,
                CompressionType.LZ4HC_COMPRESSION));
        options.setMemTableConfig(new SkipListMemTableConfig().setLookahead(2));
        options.setAllowConcurrentMemtableWrite(false).setEnableWriteThreadAdaptiveYield(false);
        options.setEnablePipelinedWrite(false).setUnorderedWrite(false).setInplaceUpdateSupport(false);
        options.setArenaBlockSize(16 << 10).setMaxSuccessiveMerges(3).setMaxSequentialSkipInIterations(4);
        options.setIncreaseParallelism(2);
        options.setSoftPendingCompactionBytesLimit(1L << 30).setHardPendingCompactionBytesLimit(1L << 31);
        options.setDbWriteBufferSize(1 << 20).setSkipStatsUpdateOnDbOpen(true).setAvoidFlushDuringShutdown(false);
        options.useFixedLengthPrefixExtractor(4);
    }

    private static void ownStatistics(Options options, List<AutoCloseable> owned) {
        Statistics statistics = new Statistics();
        statistics.setStatsLevel(StatsLevel.ALL);
        owned.add(statistics);
        options.setStatistics(statistics);
        options.setEnableBlobFiles(true).setMinBlobSize(64).setBlobCompressionType(CompressionType.LZ4_COMPRESSION)
                .setEnableBlobGarbageCollection(true).setBlobGarbageCollectionAgeCutoff(0.5);
    }

    private static void presets(Options options) {
        options.optimizeForSmallDb();
        options.setMaxManifestFileSize(1 << 20).setRecycleLogFileNum(0).setUseFsync(false).setAdviseRandomOnOpen(true);
        options.setMaxTotalWalSize(1 << 20).setDeleteObsoleteFilesPeriodMicros(1_000_000);
        options.setDelayedWriteRate(1 << 20).setManualWalFlush(false);
    }

    private static synchronized void report(String store, List<String> lines) {
        REPORTS.computeIfAbsent(store, _ -> new ArrayList<>()).addAll(lines);
    }

    private static List<String> describe(Options options, BlockBasedTableConfig table) {
        List<String> lines = new ArrayList<>(Getters.of(options, Options.class));
        Getters.of(table, BlockBasedTableConfig.class).forEach(line -> lines.add("table." + line));
        return lines;
    }

    @Override
    public void close(String storeName, Options options) {
        for (AutoCloseable one : OWNED.remove(storeName)) {
            try (one) {
                if (one instanceof Statistics statistics) {
                    report(storeName,
                            List.of("written " + statistics.getTickerCount(TickerType.NUMBER_KEYS_WRITTEN),
                                    "bytes " + statistics.getTickerCount(TickerType.BYTES_WRITTEN),
                                    "writes " + statistics.getHistogramData(HistogramType.DB_WRITE).getCount()));
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
