package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;

/** Makes the native table formats and memtables of configurations. */
final class TableFormats {

    /** A place on the stack for each level of a skip list. */
    private static final int MOST_HEIGHT = 32;
    /** RocksDB cuts it to 16 bits, and divides by it. */
    private static final int MOST_BRANCHING = 0xffff;
    /** A memtable takes 8 bytes for each in one piece. */
    private static final int MOST_BUCKETS = 9_999_999;
    private static final int MOST_RESERVED = 1 << 27;
    /** A table that is written takes as much memory. */
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
        switch (config) {
            case BlockBasedTableConfig blocks -> set(options, blocks);
            default -> Exports.OPTIONS_SET_TABLE_FACTORY.call(options, config.newTableFactoryHandle());
        }
    }

    private static void set(long options, BlockBasedTableConfig config) {
        check(config);
        long table = CApi.rocksdb_block_based_options_create();
        try {
            config.apply(table);
            setCache(table, config);
            if (config.filterPolicy != null) {
                CApi.rocksdb_block_based_options_set_filter_policy(table, Filters.make(config.filterPolicy));
            }
            CApi.rocksdb_options_set_block_based_table_factory(options, table);
        } finally {
            CApi.rocksdb_block_based_options_destroy(table);
        }
    }

    /** A cache of its own, if there is to be one and the configuration has none. */
    private static void setCache(long table, BlockBasedTableConfig config) {
        Cache cache = config.blockCache;
        if (cache != null) {
            try (Scratch _ = cache.use()) {
                CApi.rocksdb_block_based_options_set_block_cache(table, cache.nativeHandle_);
            }
        } else if (!config.noBlockCache && config.blockCacheSize > 0) {
            long own = Exports.newLruCache(config.blockCacheSize, config.cacheNumShardBits, false, 0, 0);
            CApi.rocksdb_block_based_options_set_block_cache(table, own);
            CApi.rocksdb_cache_destroy(own);
        }
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
