package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of compaction style {@link CompactionStyle#UNIVERSAL}, which chooses files by their size. Pass it to {@link
 * Options#universalCompactionOptions(UniversalCompactionOptions)}. Receivers copy the options, so they can be changed and used again. There
 * is nothing to close. Thread-safe.
 */
public final class UniversalCompactionOptions extends UniversalCompactionOptionsSetters {
    /** Makes RocksDB's default options. */
    public UniversalCompactionOptions() {
        super(CApi::rocksdb_universal_compaction_options_create, CApi::rocksdb_universal_compaction_options_destroy);
    }
}
