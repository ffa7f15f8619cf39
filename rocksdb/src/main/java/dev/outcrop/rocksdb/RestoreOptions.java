package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to restore a database from a backup. Once in use it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class RestoreOptions extends RestoreOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public RestoreOptions() {
        super(NativeBackups::newRestoreOptions, CApi::rocksdb_restore_options_destroy);
    }
}
