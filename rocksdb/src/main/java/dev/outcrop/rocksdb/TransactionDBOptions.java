package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to open a database with transactions that lock the keys they write. It is copied by what it is given to, and can be
 * changed and used again. There is nothing to close. Thread-safe.
 */
public final class TransactionDBOptions extends TransactionDBOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public TransactionDBOptions() {
        super(CApi::rocksdb_transactiondb_options_create, CApi::rocksdb_transactiondb_options_destroy);
    }
}
