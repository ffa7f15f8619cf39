package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Options for reading the write-ahead log. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class WalReadOptions extends WalReadOptionsSetters {
    /** Makes RocksDB's default options. */
    public WalReadOptions() {
        super(CApi::rocksdb_wal_readoptions_create, CApi::rocksdb_wal_readoptions_destroy);
    }
}
