package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * What a trace of the operations on a database records. See {@link #filter(java.util.Set)} for what it leaves out. Once in use
 * it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class TraceOptions extends TraceOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public TraceOptions() {
        super(CApi::rocksdb_trace_options_create, CApi::rocksdb_trace_options_destroy);
    }
}
