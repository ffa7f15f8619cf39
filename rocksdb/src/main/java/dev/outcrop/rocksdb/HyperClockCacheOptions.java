package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;

/**
 * What a cache made by {@link Cache#hyperClock(HyperClockCacheOptions)} is like. It can be changed and used again. There is nothing to
 * close. Thread-safe.
 */
public final class HyperClockCacheOptions extends HyperClockCacheOptionsSetters {
    /** The greatest capacity: RocksDB reserves addresses in proportion, and ends the process when there are none left. */
    static final long MOST_BYTES = 1L << 42;
    /** The greatest number of slots of a table with a fixed size, 4 GiB, for the same reason. */
    private static final long MOST_SLOTS = 1L << 26;

    private long capacity;
    private long estimatedEntryCharge;

    /**
     * Makes RocksDB's default options.
     *
     * @param capacity in bytes, from 0 to {@value #MOST_BYTES}
     * @throws IllegalArgumentException if {@code capacity} is out of its range
     * @throws IllegalStateException    if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError     if the native library cannot be found or loaded
     */
    public HyperClockCacheOptions(long capacity) {
        super(() -> CApi.rocksdb_hyper_clock_cache_options_create(requireCapacity(capacity), 0),
                CApi::rocksdb_hyper_clock_cache_options_destroy);
        this.capacity = capacity;
    }

    /**
     * Sets how much fits in.
     *
     * @param value in bytes, from 0 to {@value #MOST_BYTES}
     * @return this object
     * @throws IllegalArgumentException if {@code value} is out of its range
     */
    @Override
    public synchronized HyperClockCacheOptions capacity(long value) {
        super.capacity(requireCapacity(value));
        capacity = value;
        return this;
    }

    /**
     * Sets how large an entry is expected to be. The cache then has a table of a fixed size; with 0, which is the default, it grows.
     *
     * @param value in bytes; 0, or so much that the capacity has room for no more than 67,108,864 entries
     * @return this object
     * @throws IllegalArgumentException if {@code value} is negative
     */
    @Override
    public synchronized HyperClockCacheOptions estimatedEntryCharge(long value) {
        super.estimatedEntryCharge(value);
        estimatedEntryCharge = value;
        return this;
    }

    static long requireCapacity(long capacity) {
        return OptionValues.inRange("capacity", capacity, 0, MOST_BYTES);
    }

    /** Makes a cache of the options. */
    synchronized long createCache() {
        if (estimatedEntryCharge > 0 && capacity / estimatedEntryCharge > MOST_SLOTS) {
            throw new IllegalArgumentException("A cache of " + capacity + " bytes with entries of "
                    + estimatedEntryCharge + " bytes would have a table with more than " + MOST_SLOTS
                    + " slots; raise estimated_entry_charge, or set it to 0");
        }
        return CApi.rocksdb_cache_create_hyper_clock_opts(reading());
    }

    /**
     * Sets where the cache takes its memory from.
     *
     * @param allocator for any number of caches
     * @return this object
     */
    public synchronized HyperClockCacheOptions memoryAllocator(MemoryAllocator allocator) {
        allocator.use(address -> CApi.rocksdb_hyper_clock_cache_options_set_memory_allocator(changing(), address));
        return this;
    }
}
