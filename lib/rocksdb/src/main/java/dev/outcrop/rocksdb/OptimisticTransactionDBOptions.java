package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for opening a database with transactions that check for conflicts only when they commit. Receivers copy the options, so they can
 * be changed and used again. There is nothing to close. Thread-safe.
 */
public final class OptimisticTransactionDBOptions extends OptimisticTransactionDBOptionsSetters {
    /** Makes RocksDB's default options. */
    public OptimisticTransactionDBOptions() {
        super(CApi::rocksdb_optimistictransactiondb_options_create,
                CApi::rocksdb_optimistictransactiondb_options_destroy);
    }

    /**
     * Shares the locks for {@link OccValidationPolicy#PARALLEL parallel validation} with other databases.
     *
     * @param buckets the locks, for any number of databases
     * @return this object
     */
    public synchronized OptimisticTransactionDBOptions sharedLockBuckets(OccLockBuckets buckets) {
        buckets.use(
                address -> CApi.rocksdb_optimistictransactiondb_options_set_shared_lock_buckets(changing(), address));
        return this;
    }
}
