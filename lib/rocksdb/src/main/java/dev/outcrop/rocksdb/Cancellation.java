package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Cancels the compactions that were started with it. There is nothing to close. Thread-safe. */
public final class Cancellation extends SharedObject {
    private volatile boolean canceled;

    /** Makes an object that has not canceled anything yet. */
    public Cancellation() {
        super(CApi::rocksdb_compaction_options_canceled_create, CApi::rocksdb_compaction_options_canceled_destroy);
    }

    /** Cancels compactions that were or will be started with this object. They fail with {@link Status.Code#INCOMPLETE}. */
    public void cancel() {
        canceled = true;
        use(address -> CApi.rocksdb_compaction_options_canceled_set(address, (byte) 1));
    }

    /**
     * Returns whether {@link #cancel()} was called.
     *
     * @return true once it was
     */
    public boolean isCanceled() {
        return canceled;
    }
}
