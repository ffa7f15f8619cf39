package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.Unsupported;

/** Creates the native table factories and memtable factories of configurations. */
final class TableFormats {

    /** RocksDB has an entry on the stack for each level of a skip list. */
    private static final int MOST_HEIGHT = 32;
    /** RocksDB truncates it to 16 bits, and divides by it. */
    private static final int MOST_BRANCHING = 0xffff;
    /** A memtable allocates 8 bytes for each in one piece. */
    private static final int MOST_BUCKETS = 9_999_999;
    private static final int MOST_RESERVED = 1 << 27;
    /** Writing a table takes as much memory. */
    private static final long MOST_BLOCK = 256 << 20;

    private TableFormats() {
    }

    /** RocksDB divides by it. */
    private static void checkBuckets(long count) {
        OptionChecks.check("bucketCount", count, 1, MOST_BUCKETS);
    }

    private static void check(BlockBasedTableConfig config) {
        OptionChecks.check("blockSize", config.blockSize, 1, MOST_BLOCK);
        OptionChecks.checkFinite("dataBlockHashTableUtilRatio", config.dataBlockHashTableUtilRatio);
        OptionChecks.checkFinite("uniformCvThreshold", config.uniformCvThreshold);
    }

    static void set(long options, TableFormatConfig config) {
        Options.jniSetTableFactory(options, config.newTableFactoryHandle());
    }

    /** Creates a table factory with JNI's function: C's would write a filter into the options file without its bits per key. */
    static long blocks(BlockBasedTableConfig config) {
        check(config);
        Cache cache = config.blockCache;
        long filter = config.filterPolicy == null ? 0 : newFilter(config.filterPolicy);
        PersistentCache files = config.persistentCache;
        try (Scratch _ = cache == null ? null : cache.use(); Scratch _ = files == null ? null : files.use()) {
            return blocks(config, cache == null ? 0 : cache.nativeHandle_, files == null ? 0 : files.nativeHandle_,
                    filter);
        } finally {
            if (filter != 0) {
                Filter.jniDisposeInternalJni(filter);
            }
        }
    }

    /** Returns a {@code shared_ptr}, which the caller owns. */
    private static long newFilter(Filter filter) {
        if (filter instanceof BloomFilter bloom) {
            return BloomFilter.jniCreateNewBloomFilter(bloom.bitsPerKey());
        }
        throw Unsupported.method("BlockBasedTableConfig.setFilterPolicy(" + filter.getClass().getSimpleName() + ")");
    }

    static Filter createFilter(FilterPolicyType type, long handle, double bitsPerKey) {
        return type == FilterPolicyType.kBloomFilterPolicy ? new BloomFilter(bitsPerKey) : null;
    }

    private static long blocks(BlockBasedTableConfig config, long cache, long persistentCache, long filter) {
        return BlockBasedTableConfig.jniNewTableFactoryHandle(
                config.cacheIndexAndFilterBlocks,
                config.cacheIndexAndFilterBlocksWithHighPriority,
                config.pinL0FilterAndIndexBlocksInCache,
                config.pinTopLevelIndexAndFilter, config.indexType.getValue(),
                (byte) config.dataBlockIndexType.toNative(), config.dataBlockHashTableUtilRatio,
                config.checksumType.getValue(), config.noBlockCache, cache, persistentCache,
                config.blockSize, config.blockSizeDeviation, config.blockRestartInterval,
                config.indexBlockRestartInterval, config.metadataBlockSize, config.partitionFilters,
                config.optimizeFiltersForMemory, config.useDeltaEncoding, filter,
                config.wholeKeyFiltering, config.verifyCompression,
                config.readAmpBytesPerBit, config.formatVersion, config.separateKeyValueInDataBlock,
                config.uniformCvThreshold, config.enableIndexCompression,
                config.blockAlign, config.superBlockAlignmentSize,
                config.superBlockAlignmentSpaceOverheadRatio, (byte) config.indexShortening.toNative(),
                (byte) config.indexSearchType.toNative(), config.blockCacheSize, config.cacheNumShardBits);
    }

    static long plain(PlainTableConfig config) {
        OptionChecks.check("bloomBitsPerKey", config.bloomBitsPerKey, 0, 1000);
        OptionChecks.check("indexSparseness", config.indexSparseness, 1, 1_000_000);
        // RocksDB allocates prefixes divided by the ratio in one piece; 0 means no hash table.
        if (config.hashTableRatio != 0) {
            OptionChecks.check("hashTableRatio", config.hashTableRatio, 0.001, 1e6);
        }
        return PlainTableConfig.jniNewTableFactoryHandle(config.keySize, config.bloomBitsPerKey,
                config.hashTableRatio, config.indexSparseness, config.hugePageTlbSize,
                config.encodingType.getValue(), config.fullScanMode,
                config.storeIndexInFile);
    }

    static long memTable(HashSkipListMemTableConfig config) {
        checkBuckets(config.bucketCount);
        OptionChecks.check("height", config.height, 1, MOST_HEIGHT);
        OptionChecks.check("branchingFactor", config.branchingFactor, 1, MOST_BRANCHING);
        return HashSkipListMemTableConfig.jniNewMemTableFactoryHandle(config.bucketCount,
                config.height, config.branchingFactor);
    }

    static long memTable(HashLinkedListMemTableConfig config) {
        checkBuckets(config.bucketCount);
        return HashLinkedListMemTableConfig.jniNewMemTableFactoryHandle(config.bucketCount,
                config.hugePageTlbSize, config.bucketEntriesLoggingThreshold,
                config.ifLogBucketDistWhenFlush, config.thresholdUseSkiplist);
    }

    static long memTable(VectorMemTableConfig config) {
        OptionChecks.check("reservedSize", config.reservedSize, 0, MOST_RESERVED);
        return VectorMemTableConfig.jniNewMemTableFactoryHandle(config.reservedSize);
    }

    static long memTable(SkipListMemTableConfig config) {
        return SkipListMemTableConfig.jniNewMemTableFactoryHandle0(config.lookahead);
    }
}
