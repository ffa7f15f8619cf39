package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of a trace of the operations on a database. See {@link #filter(java.util.Set)} for operations that it leaves out. Cannot be
 * changed once in use. There is nothing to close. Thread-safe.
 */
public final class TraceOptions extends TraceOptionsSetters {
    /** Makes RocksDB's default options. */
    public TraceOptions() {
        super(CApi::rocksdb_trace_options_create, CApi::rocksdb_trace_options_destroy);
    }
}
