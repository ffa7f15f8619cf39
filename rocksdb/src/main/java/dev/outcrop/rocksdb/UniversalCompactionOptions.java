package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How compaction of style {@link CompactionStyle#UNIVERSAL} chooses files. Give it to {@link
 * Options#universalCompactionOptions(UniversalCompactionOptions)}. It is copied by what it is given to, and can be changed and
 * used again. There is nothing to close. Thread-safe.
 */
public final class UniversalCompactionOptions extends UniversalCompactionOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public UniversalCompactionOptions() {
        super(CApi::rocksdb_universal_compaction_options_create, CApi::rocksdb_universal_compaction_options_destroy);
    }
}
