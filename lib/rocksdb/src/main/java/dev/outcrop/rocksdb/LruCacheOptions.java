package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of a cache made by {@link Cache#lru(LruCacheOptions)}. It can be changed and used again. There is nothing to close. Thread-safe.
 */
public final class LruCacheOptions extends LruCacheOptionsSetters {
    /** Makes RocksDB's default options, with a capacity of 32 MiB. */
    public LruCacheOptions() {
        super(CApi::rocksdb_lru_cache_options_create, CApi::rocksdb_lru_cache_options_destroy);
    }

    /**
     * Sets where the cache takes its memory from.
     *
     * @param allocator for any number of caches
     * @return this object
     */
    public synchronized LruCacheOptions memoryAllocator(MemoryAllocator allocator) {
        allocator.use(address -> CApi.rocksdb_lru_cache_options_set_memory_allocator(changing(), address));
        return this;
    }
}
