package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * A cache in memory, for blocks of table files, for rows or for blobs. One cache may serve any number of databases, which then share its
 * capacity. There is nothing to close: it is freed when neither a database nor Java code refers to it. Thread-safe.
 */
public final class Cache extends SharedObject {
    private Cache(LongSupplier create) {
        super(create, NativeResources::destroyCache);
    }

    /**
     * Makes a cache that evicts the least recently used entries.
     *
     * @param capacity in bytes; a cache that is full of entries in use grows beyond it
     * @return the cache
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public static Cache lru(long capacity) {
        OptionValues.notNegative("capacity", capacity);
        return new Cache(() -> CApi.rocksdb_cache_create_lru(capacity));
    }

    /**
     * Makes a cache that evicts the least recently used entries, and that refuses to grow beyond its capacity: a read that finds no room in
     * it fails.
     *
     * @param capacity in bytes
     * @return the cache
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public static Cache lruWithStrictCapacityLimit(long capacity) {
        OptionValues.notNegative("capacity", capacity);
        return new Cache(() -> CApi.rocksdb_cache_create_lru_with_strict_capacity_limit(capacity));
    }

    /**
     * Makes a cache that evicts the least recently used entries.
     *
     * @param options its options
     * @return the cache
     */
    public static Cache lru(LruCacheOptions options) {
        synchronized (options) {
            return new Cache(() -> CApi.rocksdb_cache_create_lru_opts(options.reading()));
        }
    }

    /**
     * Makes RocksDB's fastest cache for many threads, which needs no lock to read from.
     *
     * @param capacity in bytes, from {@value HyperClockCacheOptions#LEAST_BYTES} to
     *                 {@value HyperClockCacheOptions#MOST_BYTES}
     * @return the cache
     * @throws IllegalArgumentException if {@code capacity} is out of its range, or too much for this system
     */
    public static Cache hyperClock(long capacity) {
        return new Cache(() -> HyperClockCacheOptions.createCache(capacity));
    }

    /**
     * Makes RocksDB's fastest cache for many threads, which needs no lock to read from.
     *
     * @param options its options
     * @return the cache
     * @throws IllegalArgumentException if its table would be too small, or too large for this system
     */
    public static Cache hyperClock(HyperClockCacheOptions options) {
        Objects.requireNonNull(options, "options");
        return new Cache(options::createCache);
    }

    /**
     * Changes the capacity; entries beyond it are evicted.
     *
     * @param capacity in bytes
     * @return this object
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    public Cache capacity(long capacity) {
        use(address -> CApi.rocksdb_cache_set_capacity(address, OptionValues.notNegative("capacity", capacity)));
        return this;
    }

    /**
     * Returns the capacity.
     *
     * @return bytes
     */
    public long capacity() {
        return ask(CApi::rocksdb_cache_get_capacity);
    }

    /**
     * Returns the charge of all entries.
     *
     * @return bytes, including the overhead of the cache
     */
    public long usage() {
        return ask(CApi::rocksdb_cache_get_usage);
    }

    /**
     * Returns the charge of entries that are in use at the moment and cannot be evicted.
     *
     * @return bytes
     */
    public long pinnedUsage() {
        return ask(CApi::rocksdb_cache_get_pinned_usage);
    }

    /**
     * Returns the number of slots of the hash table, as a measure of its memory.
     *
     * @return slots
     */
    public long tableAddressCount() {
        return ask(CApi::rocksdb_cache_get_table_address_count);
    }

    /**
     * Returns the number of entries.
     *
     * @return entries
     */
    public long occupancyCount() {
        return ask(CApi::rocksdb_cache_get_occupancy_count);
    }
}
