package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for beginning a transaction that locks the keys it writes. Cannot be changed once in use. There is nothing to close. Thread-safe.
 */
public final class TransactionOptions extends TransactionOptionsSetters {
    /** Makes RocksDB's default options. */
    public TransactionOptions() {
        super(CApi::rocksdb_transaction_options_create, CApi::rocksdb_transaction_options_destroy);
    }
}
