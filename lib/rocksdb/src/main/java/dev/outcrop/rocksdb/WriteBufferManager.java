package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Limits the memory of all memtables of the databases that share it: beyond it, memtables are written to table files early. There is
 * nothing to close. Thread-safe.
 */
public final class WriteBufferManager extends SharedObject {
    private boolean stalls;

    /**
     * Limits the memory of memtables.
     *
     * @param bufferSize in bytes; 0 counts the memory, but does not limit it
     * @throws IllegalArgumentException if {@code bufferSize} is negative
     */
    public WriteBufferManager(long bufferSize) {
        super(() -> CApi.rocksdb_write_buffer_manager_create(OptionValues.notNegative("buffer_size", bufferSize),
                false),
                NativeResources::destroyWriteBufferManager);
    }

    /**
     * Limits the memory of memtables, and takes it out of a cache's capacity, so that one limit holds for both.
     *
     * @param bufferSize in bytes; 0 does not limit it
     * @param cache      the cache
     * @throws IllegalArgumentException if {@code bufferSize} is negative
     */
    public WriteBufferManager(long bufferSize, Cache cache) {
        super(() -> cache.ask(address -> NativeResources.newWriteBufferManager(
                OptionValues.notNegative("buffer_size", bufferSize), address, false)),
                NativeResources::destroyWriteBufferManager);
    }

    /**
     * Changes the limit.
     *
     * @param bytes at least 1; at least 4 MiB if {@linkplain #allowStall writes wait}
     * @return this object
     * @throws IllegalArgumentException if {@code bytes} is too low
     */
    public synchronized WriteBufferManager bufferSize(long bytes) {
        requireRoom(bytes, stalls);
        use(address -> CApi.rocksdb_write_buffer_manager_set_buffer_size(address,
                OptionValues.inRange("buffer_size", bytes, 1, Long.MAX_VALUE)));
        return this;
    }

    /**
     * Returns the limit.
     *
     * @return bytes, 0 for none
     */
    public long bufferSize() {
        return ask(CApi::rocksdb_write_buffer_manager_buffer_size);
    }

    /**
     * Sets whether writes wait while the memory is over the limit. Closing a database lets its writes continue, and now and then also one
     * write of each other database that shares the limit.
     *
     * @param allowed false if not set
     * @return this object
     * @throws IllegalArgumentException if {@code allowed} is true and the limit is less than 4 MiB: unused memtables take memory too, and
     *                                  writes would wait for it without end
     */
    public synchronized WriteBufferManager allowStall(boolean allowed) {
        requireRoom(bufferSize(), allowed);
        use(address -> NativeResources.setAllowStall(address, allowed));
        stalls = allowed;
        return this;
    }

    /** Lets the waiting writes continue; writes that later find the memory over the limit wait again. */
    synchronized void endStall() {
        if (stalls) {
            // RocksDB wakes them when waiting is no longer allowed. Without a lambda: there may be no memory to make it.
            NativeResources.setAllowStall(address(), false);
            NativeResources.setAllowStall(address(), true);
        }
    }

    private static void requireRoom(long bytes, boolean stalls) {
        if (stalls && bytes > 0) {
            OptionValues.inRange("buffer_size, where writes wait for memory,", bytes, OptionLimits.LEAST_STALLING_BYTES,
                    Long.MAX_VALUE);
        }
    }

    /**
     * Returns whether there is a limit.
     *
     * @return false if the limit is 0
     */
    public boolean enabled() {
        return ask(CApi::rocksdb_write_buffer_manager_enabled);
    }

    /**
     * Returns whether the memory is taken out of a cache's capacity.
     *
     * @return true if this was made with a cache
     */
    public boolean costToCache() {
        return ask(CApi::rocksdb_write_buffer_manager_cost_to_cache);
    }

    /**
     * Returns the memory of all memtables. Not counted for a manager without a limit and without a cache.
     *
     * @return bytes
     */
    public long memoryUsage() {
        return ask(CApi::rocksdb_write_buffer_manager_memory_usage);
    }

    /**
     * Returns the memory of the memtables that are still written to.
     *
     * @return bytes
     */
    public long mutableMemtableMemoryUsage() {
        return ask(CApi::rocksdb_write_buffer_manager_mutable_memtable_memory_usage);
    }

    /**
     * Returns the part of the cache's capacity that is taken.
     *
     * @return bytes, 0 without a cache
     */
    public long dummyEntriesInCacheUsage() {
        return ask(CApi::rocksdb_write_buffer_manager_dummy_entries_in_cache_usage);
    }
}
