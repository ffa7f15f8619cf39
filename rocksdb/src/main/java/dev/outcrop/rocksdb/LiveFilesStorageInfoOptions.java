package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * What to find out about the files that make up a database. Once in use it cannot be changed any more. There is nothing to
 * close. Thread-safe.
 */
public final class LiveFilesStorageInfoOptions extends LiveFilesStorageInfoOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public LiveFilesStorageInfoOptions() {
        super(CApi::rocksdb_livefiles_storage_info_options_create,
                CApi::rocksdb_livefiles_storage_info_options_destroy);
    }
}
