package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * The locks that optimistic transactions take while they are validated in {@link OccValidationPolicy#PARALLEL parallel}. Any number of
 * databases may share them. There is nothing to close. Thread-safe.
 */
public final class OccLockBuckets extends SharedObject {
    private static final long MOST = 1L << 24;

    /**
     * Makes locks.
     *
     * @param count        how many, from 1 to 16,777,216; keys are spread over them
     * @param cacheAligned whether each has a cache line of its own, so that threads do not disturb each other
     * @throws IllegalArgumentException if {@code count} is out of its range; RocksDB would divide by it or run out of memory
     */
    public OccLockBuckets(long count, boolean cacheAligned) {
        super(() -> CApi.rocksdb_optimistictransactiondb_lock_buckets_create(
                OptionValues.inRange("bucket_count", count, 1, MOST), (byte) (cacheAligned ? 1 : 0)),
                CApi::rocksdb_optimistictransactiondb_lock_buckets_destroy);
    }

    /**
     * Returns the memory that they take.
     *
     * @return bytes
     */
    public long approximateMemoryUsage() {
        return ask(CApi::rocksdb_optimistictransactiondb_lock_buckets_approximate_memory_usage);
    }
}
