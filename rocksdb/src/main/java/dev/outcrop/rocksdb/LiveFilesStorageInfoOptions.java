package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFiles;

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
        super(NativeFiles::newStoredOptions,
                NativeFiles::destroyStoredOptions);
    }
}
