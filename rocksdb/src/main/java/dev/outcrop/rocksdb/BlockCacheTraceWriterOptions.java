package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How a trace of the block cache is written. Once in use it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class BlockCacheTraceWriterOptions extends BlockCacheTraceWriterOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public BlockCacheTraceWriterOptions() {
        super(CApi::rocksdb_block_cache_trace_writer_options_create,
                CApi::rocksdb_block_cache_trace_writer_options_destroy);
    }
}
