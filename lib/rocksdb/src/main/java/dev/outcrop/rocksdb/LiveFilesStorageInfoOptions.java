package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFiles;

/**
 * Options for listing the files that make up a database. Cannot be changed once in use. There is nothing to close. Thread-safe.
 */
public final class LiveFilesStorageInfoOptions extends LiveFilesStorageInfoOptionsSetters {
    /** Makes RocksDB's default options. */
    public LiveFilesStorageInfoOptions() {
        super(NativeFiles::newStoredOptions, NativeFiles::destroyStoredOptions);
    }
}
