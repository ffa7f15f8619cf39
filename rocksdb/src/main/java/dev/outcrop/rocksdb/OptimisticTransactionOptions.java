package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to begin a transaction that looks for conflicts only when it commits. Once in use it cannot be changed any more. There is
 * nothing to close. Thread-safe.
 */
public final class OptimisticTransactionOptions extends OptimisticTransactionOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public OptimisticTransactionOptions() {
        super(CApi::rocksdb_optimistictransaction_options_create, CApi::rocksdb_optimistictransaction_options_destroy);
    }
}
