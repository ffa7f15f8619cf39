package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFiles;

/**
 * How to take table files that were written elsewhere into a database. Once in use it cannot be changed any more. There is
 * nothing to close. Thread-safe.
 */
public final class IngestExternalFileOptions extends IngestExternalFileOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public IngestExternalFileOptions() {
        super(NativeFiles::newIngestOptions, NativeFiles::destroyIngestOptions);
    }
}
