package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How many of the accesses to the block cache a trace records. Once in use it cannot be changed any more. There is nothing to
 * close. Thread-safe.
 */
public final class BlockCacheTraceOptions extends BlockCacheTraceOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public BlockCacheTraceOptions() {
        super(CApi::rocksdb_block_cache_trace_options_create, CApi::rocksdb_block_cache_trace_options_destroy);
    }
}
