package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for writing buffered records of the write-ahead log to its file. Cannot be changed once in use. There is nothing to close.
 * Thread-safe.
 */
public final class FlushWalOptions extends FlushWalOptionsSetters {
    /** Makes RocksDB's default options. */
    public FlushWalOptions() {
        super(CApi::rocksdb_flushwaloptions_create, CApi::rocksdb_flushwaloptions_destroy);
    }
}
