package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to begin a transaction that locks the keys it writes. Once in use it cannot be changed any more. There is nothing to
 * close. Thread-safe.
 */
public final class TransactionOptions extends TransactionOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public TransactionOptions() {
        super(CApi::rocksdb_transaction_options_create, CApi::rocksdb_transaction_options_destroy);
    }
}
