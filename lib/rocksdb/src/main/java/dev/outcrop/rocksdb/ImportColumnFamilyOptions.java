package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeCheckpoints;

/**
 * Options for importing a column family that was exported from another database. Cannot be changed once in use. There is nothing to close.
 * Thread-safe.
 */
public final class ImportColumnFamilyOptions extends ImportColumnFamilyOptionsSetters {
    /** Makes RocksDB's default options. */
    public ImportColumnFamilyOptions() {
        super(NativeCheckpoints::newImportOptions, NativeCheckpoints::destroyImportOptions);
    }
}
