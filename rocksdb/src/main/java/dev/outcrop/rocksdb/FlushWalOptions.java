package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to write buffered records of the write-ahead log to its file. Once in use it cannot be changed any more. There is nothing
 * to close. Thread-safe.
 */
public final class FlushWalOptions extends FlushWalOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public FlushWalOptions() {
        super(CApi::rocksdb_flushwaloptions_create, CApi::rocksdb_flushwaloptions_destroy);
    }
}
