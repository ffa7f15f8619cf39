package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;

/** Makes the native table format of a configuration. */
final class TableFormats {

    private TableFormats() {
    }

    static void set(Scratch scratch, long options, TableFormatConfig config) {
        switch (config) {
            case BlockBasedTableConfig blocks -> set(options, blocks);
            default ->
                throw Unsupported.method("Options.setTableFormatConfig(" + config.getClass().getSimpleName() + ")");
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
}
