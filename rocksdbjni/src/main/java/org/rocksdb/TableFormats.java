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
        Ranges.check("bucketCount", count, 1, MOST_BUCKETS);
    }

    private static void check(BlockBasedTableConfig config) {
        Ranges.check("blockSize", config.blockSize, 1, MOST_BLOCK);
        Ranges.checkFinite("dataBlockHashTableUtilRatio", config.dataBlockHashTableUtilRatio);
        Ranges.checkFinite("uniformCvThreshold", config.uniformCvThreshold);
    }

    static void set(long options, TableFormatConfig config) {
        Exports.OPTIONS_SET_TABLE_FACTORY.call(options, config.newTableFactoryHandle());
    }

    /** Creates a table factory with JNI's function: C's would write a filter into the options file without its bits per key. */
    static long blocks(BlockBasedTableConfig config) {
        check(config);
        Cache cache = config.blockCache;
        long filter = config.filterPolicy == null ? 0 : newFilter(config.filterPolicy);
        try (Scratch _ = cache == null ? null : cache.use()) {
            return blocks(config, cache == null ? 0 : cache.nativeHandle_, filter);
        } finally {
            if (filter != 0) {
                Exports.FILTER_DISPOSE_INTERNAL_JNI.call(filter);
            }
        }
    }

    /** Returns a {@code shared_ptr}, which the caller owns. */
    private static long newFilter(Filter filter) {
        if (filter instanceof BloomFilter bloom) {
            return Exports.BLOOM_FILTER_CREATE_NEW_BLOOM_FILTER.call(Double.doubleToRawLongBits(bloom.bitsPerKey()));
        }
        throw Unsupported.method("BlockBasedTableConfig.setFilterPolicy(" + filter.getClass().getSimpleName() + ")");
    }

    static Filter createFilter(FilterPolicyType type, long handle, double bitsPerKey) {
        return type == FilterPolicyType.kBloomFilterPolicy ? new BloomFilter(bitsPerKey) : null;
    }

    private static long blocks(BlockBasedTableConfig config, long cache, long filter) {
        long noPersistentCache = 0;
        return Exports.BLOCK_BASED_TABLE_CONFIG_NEW_TABLE_FACTORY_HANDLE.call(
                Natives.flag(config.cacheIndexAndFilterBlocks),
                Natives.flag(config.cacheIndexAndFilterBlocksWithHighPriority),
                Natives.flag(config.pinL0FilterAndIndexBlocksInCache),
                Natives.flag(config.pinTopLevelIndexAndFilter), config.indexType.getValue(),
                config.dataBlockIndexType.toNative(), Double.doubleToRawLongBits(config.dataBlockHashTableUtilRatio),
                config.checksumType.getValue(), Natives.flag(config.noBlockCache), cache, noPersistentCache,
                config.blockSize, config.blockSizeDeviation, config.blockRestartInterval,
                config.indexBlockRestartInterval, config.metadataBlockSize, Natives.flag(config.partitionFilters),
                Natives.flag(config.optimizeFiltersForMemory), Natives.flag(config.useDeltaEncoding), filter,
                Natives.flag(config.wholeKeyFiltering), Natives.flag(config.verifyCompression),
                config.readAmpBytesPerBit, config.formatVersion, Natives.flag(config.separateKeyValueInDataBlock),
                Double.doubleToRawLongBits(config.uniformCvThreshold), Natives.flag(config.enableIndexCompression),
                Natives.flag(config.blockAlign), config.superBlockAlignmentSize,
                config.superBlockAlignmentSpaceOverheadRatio, config.indexShortening.toNative(),
                config.indexSearchType.toNative(), config.blockCacheSize, config.cacheNumShardBits);
    }

    static long plain(PlainTableConfig config) {
        Ranges.check("bloomBitsPerKey", config.bloomBitsPerKey, 0, 1000);
        Ranges.check("indexSparseness", config.indexSparseness, 1, 1_000_000);
        // There are as many slots as prefixes divided by it, in one piece of memory; 0 is for no slots.
        if (config.hashTableRatio != 0) {
            Ranges.check("hashTableRatio", config.hashTableRatio, 0.001, 1e6);
        }
        return Exports.PLAIN_TABLE_CONFIG_NEW_TABLE_FACTORY_HANDLE.call(config.keySize, config.bloomBitsPerKey,
                Double.doubleToRawLongBits(config.hashTableRatio), config.indexSparseness, config.hugePageTlbSize,
                config.encodingType.getValue(), Natives.flag(config.fullScanMode),
                Natives.flag(config.storeIndexInFile));
    }

    static long memTable(HashSkipListMemTableConfig config) {
        checkBuckets(config.bucketCount);
        Ranges.check("height", config.height, 1, MOST_HEIGHT);
        Ranges.check("branchingFactor", config.branchingFactor, 1, MOST_BRANCHING);
        return Exports.HASH_SKIP_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE.call(config.bucketCount,
                config.height, config.branchingFactor);
    }

    static long memTable(HashLinkedListMemTableConfig config) {
        checkBuckets(config.bucketCount);
        return Exports.HASH_LINKED_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE.call(config.bucketCount,
                config.hugePageTlbSize, config.bucketEntriesLoggingThreshold,
                Natives.flag(config.ifLogBucketDistWhenFlush), config.thresholdUseSkiplist);
    }

    static long memTable(VectorMemTableConfig config) {
        Ranges.check("reservedSize", config.reservedSize, 0, MOST_RESERVED);
        return Exports.VECTOR_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE.call(config.reservedSize);
    }

    static long memTable(SkipListMemTableConfig config) {
        return Exports.SKIP_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE0.call(config.lookahead);
    }
}
