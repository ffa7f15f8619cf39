package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * What counts when the size of a range of keys is estimated, and how exactly. Once in use it cannot be changed any more. There
 * is nothing to close. Thread-safe.
 */
public final class SizeApproximationOptions extends SizeApproximationOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public SizeApproximationOptions() {
        super(CApi::rocksdb_size_approximation_options_create, CApi::rocksdb_size_approximation_options_destroy);
    }
}
