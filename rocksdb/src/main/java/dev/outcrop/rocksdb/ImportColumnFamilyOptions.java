package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeCheckpoints;

/**
 * How to make a column family out of files that were exported from another database. Once in use it cannot be changed any more.
 * There is nothing to close. Thread-safe.
 */
public final class ImportColumnFamilyOptions extends ImportColumnFamilyOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public ImportColumnFamilyOptions() {
        super(NativeCheckpoints::newImportOptions, NativeCheckpoints::destroyImportOptions);
    }
}
