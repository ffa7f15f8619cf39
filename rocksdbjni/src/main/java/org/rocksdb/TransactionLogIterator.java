package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeLog;

/**
 * Walks over the batches that a database has written, and follows the log: behind the last batch, {@link #next} goes to one that was written
 * since. Where the log goes on in another file, after a flush, {@link #status} says that another iterator is needed. Threads that use it at
 * once wait for each other.
 */
public class TransactionLogIterator extends RocksObject {

    private final RocksDB database_;
    private final long sequence_;
    /** The native iterator that is asked: not the first one if that was made before there was any log. */
    private long iterator_;
    private boolean started_;
    /** Why it could not be started; null if nothing was wrong. */
    private RocksDBException failure_;
    /** RocksDB has given its batch away, and would read where it was. */
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
            database.parts_.add(iterator);
            return iterator;
        }
    }

    private static long open(Scratch scratch, RocksDB database, long sequence) throws RocksDBException {
        DamagedLogs.requireFrom(database, sequence);
        long iterator = NativeLog.updatesSince(database.nativeHandle_, sequence, 0, Errors.place(scratch));
        Errors.check(scratch);
        return iterator;
    }

    /**
     * Whether it is at a batch.
     *
     * @return false behind the last one
     */
    public synchronized boolean isValid() {
        try (Scratch _ = database_.use(); Scratch _ = use()) {
            return NativeLog.isAtBatch(iterator_);
        }
    }

    /** Goes to the next batch, if there is one. Otherwise, it will go to one that is written later. */
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

    /** RocksDB would read a file that it has not opened, if there was none. */
    private void start(Scratch scratch) {
        long again;
        try {
            again = open(scratch, database_, sequence_);
        } catch (RocksDBException e) {
            // Not found: there is nothing of this sequence number yet, as before.
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
     * Throws if the log could not be read, or goes on in another file.
     *
     * @throws RocksDBException with the code {@code TryAgain} if another iterator is needed, from the number behind the last batch on
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
