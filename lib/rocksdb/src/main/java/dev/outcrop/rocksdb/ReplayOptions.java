package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Options for replaying a trace. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class ReplayOptions extends ReplayOptionsSetters {
    /** Makes RocksDB's default options. */
    public ReplayOptions() {
        super(CApi::rocksdb_replay_options_create, CApi::rocksdb_replay_options_destroy);
    }
}
