package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to replay a trace. Once in use it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class ReplayOptions extends ReplayOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public ReplayOptions() {
        super(CApi::rocksdb_replay_options_create, CApi::rocksdb_replay_options_destroy);
    }
}
