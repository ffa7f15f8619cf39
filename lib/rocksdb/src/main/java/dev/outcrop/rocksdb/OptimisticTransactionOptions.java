package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for beginning a transaction that checks for conflicts only when it commits. Cannot be changed once in use. There is nothing to
 * close. Thread-safe.
 */
public final class OptimisticTransactionOptions extends OptimisticTransactionOptionsSetters {
    /** Makes RocksDB's default options. */
    public OptimisticTransactionOptions() {
        super(CApi::rocksdb_optimistictransaction_options_create, CApi::rocksdb_optimistictransaction_options_destroy);
    }
}
