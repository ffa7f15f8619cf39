package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for estimating the size of a range of keys: what to include, and how exactly. Cannot be changed once in use. There is nothing to
 * close. Thread-safe.
 */
public final class SizeApproximationOptions extends SizeApproximationOptionsSetters {
    /** Makes RocksDB's default options. */
    public SizeApproximationOptions() {
        super(CApi::rocksdb_size_approximation_options_create, CApi::rocksdb_size_approximation_options_destroy);
    }
}
