package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of a trace of the accesses to the block cache: the share that it records. Cannot be changed once in use. There is nothing to
 * close. Thread-safe.
 */
public final class BlockCacheTraceOptions extends BlockCacheTraceOptionsSetters {
    /** Makes RocksDB's default options. */
    public BlockCacheTraceOptions() {
        super(CApi::rocksdb_block_cache_trace_options_create, CApi::rocksdb_block_cache_trace_options_destroy);
    }
}
