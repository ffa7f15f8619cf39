package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** Options for compacting chosen files. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class CompactionOptions extends CompactionOptionsSetters {
    /** Makes RocksDB's default options. */
    public CompactionOptions() {
        super(NativeBackgroundWork::newCompactionOptions, NativeBackgroundWork::destroyCompactionOptions);
    }

    /**
     * Allows canceling the compaction while it runs.
     *
     * @param cancellation the object that cancels it; for one or more compactions
     * @return this object
     */
    public synchronized CompactionOptions canceled(Cancellation cancellation) {
        CApi.rocksdb_compaction_options_set_canceled(changing(), cancellation.address());
        owned.keep("canceled", cancellation);
        return this;
    }
}
