package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for opening a database with transactions that lock the keys they write. Receivers copy the options, so they can be changed and
 * used again. There is nothing to close. Thread-safe.
 */
public final class TransactionDBOptions extends TransactionDBOptionsSetters {
    /** Makes RocksDB's default options. */
    public TransactionDBOptions() {
        super(CApi::rocksdb_transactiondb_options_create, CApi::rocksdb_transactiondb_options_destroy);
    }
}
