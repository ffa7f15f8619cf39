package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeLog;

/**
 * An iterator over the batches in the write-ahead log. After the last batch, {@link #next} moves to a batch that was written since. If the
 * log continues in another file, as after a flush, {@link #status} reports that another iterator is needed. A lock serializes threads.
 */
public class TransactionLogIterator extends RocksObject {

    private final RocksDB database_;
    private final long sequence_;
    /** The native iterator in use. It is not the first native iterator if that one was made before there was a log. */
    private long iterator_;
    private boolean started_;
    /** The reason why it could not be started, or null. */
    private RocksDBException failure_;
    /** Whether the batch was taken. RocksDB must not be asked for it again. */
    private boolean taken_;

    TransactionLogIterator(RocksDB database, long sequence, long nativeHandle) {
        super(nativeHandle);
        database_ = database;
        sequence_ = sequence;
        iterator_ = nativeHandle;
        started_ = NativeLog.isAtBatch(nativeHandle);
    }

    static TransactionLogIterator since(RocksDB database, long sequence) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            TransactionLogIterator iterator = new TransactionLogIterator(database, sequence,
                    open(scratch, database, sequence));
            database.state_.add(iterator);
            return iterator;
        }
    }

    private static long open(Scratch scratch, RocksDB database, long sequence) throws RocksDBException {
        LogChecks.requireFrom(database, sequence);
        long iterator = NativeLog.updatesSince(database.nativeHandle_, sequence, 0, Errors.place(scratch));
        Errors.check(scratch);
        return iterator;
    }

    /** {@return whether there is a current batch: false after the last one} */
    public synchronized boolean isValid() {
        try (Scratch _ = database_.use(); Scratch _ = use()) {
            return NativeLog.isAtBatch(iterator_);
        }
    }

    /** Moves to the next batch, or, if there is none, to a batch that is written later. */
    public synchronized void next() {
        try (Scratch scratch = database_.use(); Scratch _ = use()) {
            if (started_) {
                NativeLog.next(iterator_);
            } else {
                start(scratch);
            }
            taken_ = false;
        }
    }

    /** Makes another native iterator. If there was no log, the first native iterator would read a file that it has not opened. */
    private void start(Scratch scratch) {
        long again;
        try {
            again = open(scratch, database_, sequence_);
        } catch (RocksDBException e) {
            // NotFound means that this sequence number was not written yet.
            failure_ = e.getStatus() != null && e.getStatus().getCode() == Status.Code.NotFound ? null : e;
            return;
        }
        failure_ = null;
        if (NativeLog.isAtBatch(again)) {
            iterator_ = again;
            started_ = true;
        } else {
            NativeLog.destroyIterator(again);
        }
    }

    /**
     * Throws if the log could not be read, or continues in another file.
     *
     * @throws RocksDBException with the code {@code TryAgain} if another iterator is needed, which must begin with the number after the
     *                          last batch
     */
    public synchronized void status() throws RocksDBException {
        try (Scratch scratch = database_.use(); Scratch _ = use()) {
            if (failure_ != null) {
                throw failure_;
            }
            NativeLog.status(iterator_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    /**
     * Takes the current batch, once.
     *
     * @return the batch with its sequence number
     * @throws IllegalStateException if there is no current batch, or if the batch was taken before
     */
    public synchronized BatchResult getBatch() {
        try (Scratch scratch = database_.use(); Scratch _ = use()) {
            requireBatch();
            if (taken_) {
                throw new IllegalStateException(
                        "The batch was taken before; each can be taken once, go on with next()");
            }
            taken_ = true;
            long batch = NativeLog.takeBatch(iterator_, scratch.wordAddress(0));
            return new BatchResult(scratch.word(0), batch);
        }
    }

    private void requireBatch() {
        if (!NativeLog.isAtBatch(iterator_)) {
            throw new IllegalStateException("The iterator is at no batch: ask isValid() first");
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        NativeLog.destroyIterator(handle);
        if (iterator_ != handle) {
            NativeLog.destroyIterator(iterator_);
        }
    }

    /** Frees the native iterator, unless closing the database frees it. */
    @Override
    void dispose() {
        try (Scratch open = database_.useIfOpen()) {
            if (open != null) {
                database_.state_.remove(this);
                super.dispose();
            }
        }
    }

    /** Ends the iterator with its database. Called after the last call of the database. */
    final void endWithDatabase() {
        disOwnNativeHandle();
        super.dispose();
    }

    /** A batch of the log. */
    public static final class BatchResult {

        private final long sequenceNumber_;
        private final WriteBatch writeBatch_;

        /**
         * Makes an object.
         *
         * @param sequenceNumber   of the first record
         * @param nativeWriteBatch a native batch, which is copied and freed
         */
        public BatchResult(long sequenceNumber, long nativeWriteBatch) {
            sequenceNumber_ = sequenceNumber;
            writeBatch_ = new WriteBatch(nativeWriteBatch, true);
        }

        /** {@return the sequence number of the first record} */
        public long sequenceNumber() {
            return sequenceNumber_;
        }

        /** {@return the batch, always the same object} */
        public WriteBatch writeBatch() {
            return writeBatch_;
        }
    }
}
