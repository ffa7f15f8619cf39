package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How compaction of style {@link CompactionStyle#FIFO} drops the oldest files. Give it to {@link
 * Options#fifoCompactionOptions(FifoCompactionOptions)}. It is copied by what it is given to, and can be changed and used
 * again. There is nothing to close. Thread-safe.
 */
public final class FifoCompactionOptions extends FifoCompactionOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public FifoCompactionOptions() {
        super(CApi::rocksdb_fifo_compaction_options_create, CApi::rocksdb_fifo_compaction_options_destroy);
    }
}
