package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to read the write-ahead log. Once in use it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class WalReadOptions extends WalReadOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public WalReadOptions() {
        super(CApi::rocksdb_wal_readoptions_create, CApi::rocksdb_wal_readoptions_destroy);
    }
}
