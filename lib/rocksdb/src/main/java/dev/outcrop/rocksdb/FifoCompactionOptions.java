package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of compaction style {@link CompactionStyle#FIFO}, which drops the oldest files. Pass it to {@link
 * Options#fifoCompactionOptions(FifoCompactionOptions)}. Receivers copy the options, so they can be changed and used again. There is
 * nothing to close. Thread-safe.
 */
public final class FifoCompactionOptions extends FifoCompactionOptionsSetters {
    /** Makes RocksDB's default options. */
    public FifoCompactionOptions() {
        super(CApi::rocksdb_fifo_compaction_options_create, CApi::rocksdb_fifo_compaction_options_destroy);
    }
}
