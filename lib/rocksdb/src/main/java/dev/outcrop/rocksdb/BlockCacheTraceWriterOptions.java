package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of the file that a trace of the block cache is written to. Cannot be changed once in use. There is nothing to close. Thread-safe.
 */
public final class BlockCacheTraceWriterOptions extends BlockCacheTraceWriterOptionsSetters {
    /** Makes RocksDB's default options. */
    public BlockCacheTraceWriterOptions() {
        super(CApi::rocksdb_block_cache_trace_writer_options_create,
                CApi::rocksdb_block_cache_trace_writer_options_destroy);
    }
}
