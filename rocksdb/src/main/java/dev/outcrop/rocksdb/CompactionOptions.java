package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeWork;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How to compact chosen files. Once in use it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class CompactionOptions extends CompactionOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public CompactionOptions() {
        super(NativeWork::newCompactionOptions, NativeWork::destroyCompactionOptions);
    }

    /**
     * Lets the compaction be given up while it runs.
     *
     * @param cancellation what gives it up; for one or more compactions
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public synchronized CompactionOptions canceled(Cancellation cancellation) {
        CApi.rocksdb_compaction_options_set_canceled(changing(), cancellation.address());
        owned.keep("canceled", cancellation);
        return this;
    }
}
