package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;

/** Walks over the batches that a database has written. Threads that use it at once wait for each other. */
public class TransactionLogIterator extends RocksObject {

    private final RocksDB database_;
    /** RocksDB has given its batch away, and would read where it was. */
    private boolean taken_;

    TransactionLogIterator(RocksDB database, long nativeHandle) {
        super(nativeHandle);
        database_ = database;
    }

    /**
     * Whether it is at a batch.
     *
     * @return false behind the last one
     */
    public synchronized boolean isValid() {
        try (Scratch _ = database_.use(); Scratch _ = use()) {
            return CApi.rocksdb_wal_iter_valid(nativeHandle_) != 0;
        }
    }

    /**
     * Goes to the next batch.
     *
     * @throws IllegalStateException if it is at none
     */
    public synchronized void next() {
        try (Scratch _ = database_.use(); Scratch _ = use()) {
            requireBatch();
            CApi.rocksdb_wal_iter_next(nativeHandle_);
            taken_ = false;
        }
    }

    /**
     * Throws if the log could not be read.
     *
     * @throws RocksDBException if so
     */
    public synchronized void status() throws RocksDBException {
        try (Scratch scratch = database_.use(); Scratch _ = use()) {
            CApi.rocksdb_wal_iter_status(nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    /**
     * Takes the batch that it is at, once.
     *
     * @return the batch with its sequence number
     * @throws IllegalStateException if it is at none, or the batch was taken before
     */
    public synchronized BatchResult getBatch() {
        try (Scratch scratch = database_.use(); Scratch _ = use()) {
            requireBatch();
            if (taken_) {
                throw new IllegalStateException(
                        "The batch was taken before; each can be taken once, go on with next()");
            }
            taken_ = true;
            long batch = CApi.rocksdb_wal_iter_get_batch(nativeHandle_, scratch.wordAddress(0));
            return new BatchResult(scratch.word(0), batch);
        }
    }

    private void requireBatch() {
        if (CApi.rocksdb_wal_iter_valid(nativeHandle_) == 0) {
            throw new IllegalStateException("The iterator is at no batch: ask isValid() first");
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        CApi.rocksdb_wal_iter_destroy(handle);
    }

    /** Frees the native iterator, unless the closing of the database has done so or is about to. */
    @Override
    void dispose() {
        try (Scratch open = database_.useIfOpen()) {
            if (open != null) {
                database_.parts_.remove(this);
                super.dispose();
            }
        }
    }

    /** Called when no call of the database is running any longer. */
    final void endWithDatabase() {
        owningHandle_.set(false);
        super.dispose();
    }

    /** A batch that was written. */
    public static final class BatchResult {

        private final long sequenceNumber_;
        private final WriteBatch writeBatch_;

        /**
         * Makes one.
         *
         * @param sequenceNumber   of the first record
         * @param nativeWriteBatch a native batch, which is copied and freed
         */
        public BatchResult(long sequenceNumber, long nativeWriteBatch) {
            sequenceNumber_ = sequenceNumber;
            writeBatch_ = new WriteBatch(nativeWriteBatch, true);
        }

        /**
         * The number of its first record.
         *
         * @return the sequence number
         */
        public long sequenceNumber() {
            return sequenceNumber_;
        }

        /**
         * The batch.
         *
         * @return the same one each time
         */
        public WriteBatch writeBatch() {
            return writeBatch_;
        }
    }
}
