package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;

/** Makes the native table formats and memtables of configurations. */
final class TableFormats {

    private TableFormats() {
    }

    static void set(long options, TableFormatConfig config) {
        switch (config) {
            case BlockBasedTableConfig blocks -> set(options, blocks);
            default -> Exports.OPTIONS_SET_TABLE_FACTORY.call(options, config.newTableFactoryHandle());
        }
    }

    private static void set(long options, BlockBasedTableConfig config) {
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
        return Exports.PLAIN_TABLE_CONFIG_NEW_TABLE_FACTORY_HANDLE.call(config.keySize, config.bloomBitsPerKey,
                Double.doubleToRawLongBits(config.hashTableRatio), config.indexSparseness, config.hugePageTlbSize,
                config.encodingType.getValue(), Natives.flag(config.fullScanMode),
                Natives.flag(config.storeIndexInFile));
    }

    static long memTable(HashSkipListMemTableConfig config) {
        return Exports.HASH_SKIP_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE.call(config.bucketCount,
                config.height, config.branchingFactor);
    }

    static long memTable(HashLinkedListMemTableConfig config) {
        return Exports.HASH_LINKED_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE.call(config.bucketCount,
                config.hugePageTlbSize, config.bucketEntriesLoggingThreshold,
                Natives.flag(config.ifLogBucketDistWhenFlush), config.thresholdUseSkiplist);
    }

    static long memTable(VectorMemTableConfig config) {
        return Exports.VECTOR_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE.call(config.reservedSize);
    }

    static long memTable(SkipListMemTableConfig config) {
        return Exports.SKIP_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE0.call(config.lookahead);
    }
}
