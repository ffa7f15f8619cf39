package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;

/**
 * How to make one backup. Once in use it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class CreateBackupOptions extends CreateBackupOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public CreateBackupOptions() {
        super(CApi::rocksdb_create_backup_options_create, CApi::rocksdb_create_backup_options_destroy);
    }
}
