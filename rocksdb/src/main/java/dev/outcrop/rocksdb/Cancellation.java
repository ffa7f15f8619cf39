package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Gives up the compactions that were started with it. There is nothing to close. Thread-safe. */
public final class Cancellation extends SharedObject {
    private volatile boolean canceled;

    /**
     * Makes one that has not happened yet.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public Cancellation() {
        super(CApi::rocksdb_compaction_options_canceled_create, CApi::rocksdb_compaction_options_canceled_destroy);
    }

    /** Gives up what was started with this, and what will be. It fails with {@link Status.Code#INCOMPLETE}. */
    public void cancel() {
        canceled = true;
        use(address -> CApi.rocksdb_compaction_options_canceled_set(address, (byte) 1));
    }

    /**
     * Whether {@link #cancel()} was called.
     *
     * @return true once it was
     */
    public boolean isCanceled() {
        return canceled;
    }
}
