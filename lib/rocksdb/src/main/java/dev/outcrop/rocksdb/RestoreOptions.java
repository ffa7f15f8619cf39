package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** Options for restoring a database from a backup. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class RestoreOptions extends RestoreOptionsSetters {
    /** Makes RocksDB's default options. */
    public RestoreOptions() {
        super(NativeBackups::newRestoreOptions, CApi::rocksdb_restore_options_destroy);
    }
}
