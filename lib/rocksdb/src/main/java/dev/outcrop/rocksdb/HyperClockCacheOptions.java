package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.ClockCacheLimits;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of a cache made by {@link Cache#hyperClock(HyperClockCacheOptions)}. It can be changed and used again. There is nothing to close.
 * Thread-safe.
 */
public final class HyperClockCacheOptions extends HyperClockCacheOptionsSetters {
    /** The least capacity: RocksDB ends the process if there is none. */
    static final long LEAST_BYTES = 1L << 16;
    /** The greatest capacity. */
    static final long MOST_BYTES = ClockCacheLimits.MOST_BYTES;

    private long capacity;
    private long estimatedEntryCharge;

    /**
     * Makes RocksDB's default options.
     *
     * @param capacity in bytes, from {@value #LEAST_BYTES} to {@value #MOST_BYTES}
     * @throws IllegalArgumentException if {@code capacity} is out of its range
     */
    public HyperClockCacheOptions(long capacity) {
        super(() -> CApi.rocksdb_hyper_clock_cache_options_create(requireCapacity(capacity), 0),
                CApi::rocksdb_hyper_clock_cache_options_destroy);
        this.capacity = capacity;
    }

    /**
     * Sets the capacity.
     *
     * @param value in bytes, from {@value #LEAST_BYTES} to {@value #MOST_BYTES}
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
     * @param value in bytes; 0, or a size for which the capacity has room for 1 to 67,108,864 entries; otherwise no cache can be made
     * @return this object
     * @throws IllegalArgumentException if {@code value} is negative
     */
    @Override
    public synchronized HyperClockCacheOptions estimatedEntryCharge(long value) {
        super.estimatedEntryCharge(value);
        estimatedEntryCharge = value;
        return this;
    }

    /**
     * Sets how many parts the cache is divided into, so that threads do not disturb each other.
     *
     * @param value 2 to the power of this is the number of parts, from 0 to 10; -1, which is the default, lets RocksDB choose
     * @return this object
     * @throws IllegalArgumentException if {@code value} is out of its range
     */
    @Override
    public HyperClockCacheOptions numShardBits(int value) {
        return super.numShardBits(OptionValues.inRange("num_shard_bits", value, -1, ClockCacheLimits.MOST_SHARD_BITS));
    }

    static long requireCapacity(long capacity) {
        return OptionValues.inRange("capacity", capacity, LEAST_BYTES, MOST_BYTES);
    }

    /** Makes a cache of the options. */
    synchronized long createCache() {
        long slots = estimatedEntryCharge == 0 ? 0 : capacity / estimatedEntryCharge;
        if (estimatedEntryCharge > capacity || slots > ClockCacheLimits.MOST_SLOTS) {
            throw new IllegalArgumentException("A cache of " + capacity + " bytes cannot be made for entries of "
                    + estimatedEntryCharge + " bytes: its table would have " + slots + " slots, not 1 to "
                    + ClockCacheLimits.MOST_SLOTS
                    + "; change estimated_entry_charge, or set it to 0");
        }
        ClockCacheLimits.requireMemory(capacity, slots);
        return CApi.rocksdb_cache_create_hyper_clock_opts(reading());
    }

    /** Makes a cache with a capacity and otherwise default options. */
    static long createCache(long capacity) {
        ClockCacheLimits.requireMemory(requireCapacity(capacity), 0);
        return CApi.rocksdb_cache_create_hyper_clock(capacity, 0);
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
