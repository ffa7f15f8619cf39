package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFiles;

/**
 * Options for ingesting table files that were written elsewhere. Cannot be changed once in use. There is nothing to close. Thread-safe.
 */
public final class IngestExternalFileOptions extends IngestExternalFileOptionsSetters {
    /** Makes RocksDB's default options. */
    public IngestExternalFileOptions() {
        super(NativeFiles::newIngestOptions, NativeFiles::destroyIngestOptions);
    }
}
