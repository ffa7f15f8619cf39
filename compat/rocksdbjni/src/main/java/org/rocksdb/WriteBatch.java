package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchCopy;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes that are applied together, in the order in which they were added. The batch is built in Java, so {@link #getNativeHandle()} is 0.
 * RocksDB gets a native copy when the batch is written.
 */
public class WriteBatch extends AbstractWriteBatch {

    /** Null once closed. */
    private BatchBuffer records_;
    private int savePoints_;
    /** The part for the write-ahead log; null for all records. */
    private volatile SavePoint logged_;
    /** The number of handlers that iterate over the records. */
    private int walks_;

    /** Makes an empty batch. */
    public WriteBatch() {
        this(0);
    }

    /**
     * Makes an empty batch.
     *
     * @param reservedBytes how many bytes the batch may need; it grows if it needs more
     */
    public WriteBatch(int reservedBytes) {
        records_ = BatchBuffers.take(reservedBytes);
    }

    /**
     * Makes a batch from the result of {@link #data()}.
     *
     * @param serialized its bytes, which are copied
     * @throws IllegalArgumentException if the bytes are not a batch
     */
    public WriteBatch(byte[] serialized) {
        records_ = BatchBuffers.of(MemorySegment.ofArray(serialized));
    }

    /** Makes a holder of the address of a native batch. Called by native code. */
    WriteBatch(long nativeBatch) {
        super(nativeBatch);
        disOwnNativeHandle();
    }

    WriteBatch(BatchBuffer records) {
        records_ = records;
    }

    /** Copies a native batch, and frees it if the new batch owns it. */
    WriteBatch(long nativeBatch, boolean owningNativeHandle) {
        try {
            records_ = BatchBuffers.of(nativeBatch);
        } finally {
            if (owningNativeHandle) {
                NativeWriteBatch.destroy(nativeBatch);
            }
        }
    }

    @Override
    void requireOpen() {
        if (records_ == null) {
            String message = "The write batch is closed, or was made without its constructor";
            assert false : message;
            throw new IllegalStateException(message);
        }
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        int id = family == null ? 0 : family.id();
        if (value == null) {
            BatchBuffers.check(records_.add(tag, id, key, BatchBuffer.Timestamp.NONE));
        } else {
            BatchBuffers.check(records_.add(tag, id, key, BatchBuffer.Timestamp.NONE, value));
        }
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, MemorySegment key, MemorySegment value) throws RocksDBException {
        int id = family == null ? 0 : family.id();
        if (value == null) {
            BatchBuffers.check(records_.add(tag, id, key, BatchBuffer.Timestamp.NONE));
        } else {
            BatchBuffers.check(records_.add(tag, id, key, BatchBuffer.Timestamp.NONE, value));
        }
    }

    @Override
    void addLogData(byte[] blob) {
        BatchBuffers.check(records_.addLogData(MemorySegment.ofArray(blob)));
    }

    @Override
    long size() {
        return records_.size();
    }

    @Override
    int records() {
        return records_.count();
    }

    @Override
    void clearRecords() {
        records_.clear();
        savePoints_ = 0;
        forgetMark();
    }

    @Override
    void beginSavePoint() {
        records_.setSavePoint();
        savePoints_++;
    }

    @Override
    void undoToSavePoint() throws RocksDBException {
        leaveSavePoint();
        boolean _ = records_.rollbackToSavePoint();
        moveMark();
    }

    @Override
    void forgetSavePoint() throws RocksDBException {
        leaveSavePoint();
        boolean _ = records_.popSavePoint();
    }

    private void leaveSavePoint() throws RocksDBException {
        if (savePoints_ == 0) {
            throw noSavePoint();
        }
        savePoints_--;
    }

    /**
     * Calls a handler for each record in order, until it stops or throws.
     *
     * @param handler the handler
     * @throws RocksDBException if the handler throws it
     */
    public synchronized void iterate(Handler handler) throws RocksDBException {
        java.util.Objects.requireNonNull(handler, "The handler is null");
        requireOpen();
        walks_++;
        try {
            BatchHandlers.tell(handler, contents());
        } finally {
            walks_--;
        }
    }

    /**
     * Returns the batch in RocksDB's format.
     *
     * @return a copy
     * @throws RocksDBException as published; never
     */
    public synchronized byte[] data() throws RocksDBException {
        requireOpen();
        return contents().toArray(ValueLayout.JAVA_BYTE);
    }

    /** {@return the size of {@link #data()} in bytes} */
    public synchronized long getDataSize() {
        requireOpen();
        return size();
    }

    /** {@return whether there is a put} */
    public boolean hasPut() {
        return has(BatchFormat.PUT);
    }

    /** {@return whether there is a delete} */
    public boolean hasDelete() {
        return has(BatchFormat.DELETE);
    }

    /** {@return whether there is a single delete} */
    public boolean hasSingleDelete() {
        return has(BatchFormat.SINGLE_DELETE);
    }

    /** {@return whether a range is deleted} */
    public boolean hasDeleteRange() {
        return has(BatchFormat.DELETE_RANGE);
    }

    /** {@return whether there is a merge} */
    public boolean hasMerge() {
        return has(BatchFormat.MERGE);
    }

    /** {@return whether a prepared transaction begins in the batch} */
    public boolean hasBeginPrepare() {
        return has(BatchFormat.BEGIN_PREPARE) || has(BatchFormat.BEGIN_PERSISTED_PREPARE)
                || has(BatchFormat.BEGIN_UNPREPARE);
    }

    /** {@return whether a prepared transaction ends in the batch} */
    public boolean hasEndPrepare() {
        return has(BatchFormat.END_PREPARE);
    }

    /** {@return whether a transaction is committed in the batch} */
    public boolean hasCommit() {
        return has(BatchFormat.COMMIT) || has(BatchFormat.COMMIT_WITH_TIMESTAMP);
    }

    /** {@return whether a transaction is rolled back in the batch} */
    public boolean hasRollback() {
        return has(BatchFormat.ROLLBACK);
    }

    /** Returns whether a range may be deleted, without reading the records. The batch is locked. */
    boolean mayDeleteRanges() {
        return mayHave(BatchFormat.DELETE_RANGE);
    }

    /** Returns whether the batch may have a kind of record. Such a record may have been rolled back. */
    boolean mayHave(byte tag) {
        return (records_.kinds() & BatchFormat.kind(tag)) != 0;
    }

    /** Returns the records in place. They move when a record is added. The batch is locked and open. */
    MemorySegment contents() {
        return records_.data();
    }

    private synchronized boolean has(byte tag) {
        requireOpen();
        if (!mayHave(tag)) {
            return false;
        }
        BatchReader reader = new BatchReader(contents());
        while (BatchBuffers.next(reader)) {
            if (reader.tag() == tag) {
                return true;
            }
        }
        return false;
    }

    @Override
    WriteBatch unindexed() {
        return this;
    }

    /** {@return this batch} */
    @Override
    public WriteBatch getWriteBatch() {
        return this;
    }

    /** Leaves records that are added later out of the write-ahead log. They are only in memory until they are flushed. */
    public synchronized void markWalTerminationPoint() {
        requireOpen();
        markEnd();
    }

    /** Marks the end. The batch that has the records is locked. */
    void markEnd() {
        logged_ = new SavePoint(size(), records(), contentFlags());
    }

    /** {@return where the part for the write-ahead log ends; cleared if that is the whole batch} */
    public synchronized SavePoint getWalTerminationPoint() {
        requireOpen();
        SavePoint logged = logged_;
        return logged == null
                ? new SavePoint(0, 0, 0)
                : new SavePoint(logged.size, logged.count, logged.contentFlags);
    }

    /** Removes the mark. Called when all records are removed. The batch that has the records is locked. */
    final void forgetMark() {
        logged_ = null;
    }

    /**
     * Moves the mark to the end if it is beyond the end. Called when the last records were removed: RocksDB would log the old number of
     * bytes. The batch that has the records is locked.
     */
    final void moveMark() {
        SavePoint logged = logged_;
        if (logged != null && logged.size > size()) {
            markEnd();
        }
    }

    /** Returns RocksDB's flags for the kinds of the records. */
    private long contentFlags() {
        long flags = 0;
        BatchReader reader = new BatchReader(contents());
        while (BatchBuffers.next(reader)) {
            flags |= switch (reader.tag()) {
                case BatchFormat.PUT -> 1 << 1;
                case BatchFormat.DELETE -> 1 << 2;
                case BatchFormat.SINGLE_DELETE -> 1 << 3;
                case BatchFormat.MERGE -> 1 << 4;
                case BatchFormat.DELETE_RANGE -> 1 << 9;
                default -> 0;
            };
        }
        return flags;
    }

    /** Makes a native copy for a call. The caller must destroy it. The batch is locked. */
    long copy(Scratch scratch) {
        SavePoint logged = logged_;
        return logged == null ? copyAll(scratch) : copyMarked(scratch, logged);
    }

    long copyAll(Scratch scratch) {
        return BatchCopy.create(scratch, records_.memory(), records_.size(), records_.kinds());
    }

    private long copyMarked(Scratch scratch, SavePoint logged) {
        MemorySegment records = contents();
        return BatchCopy.create(scratch, records, logged.size, (int) logged.count, WriteBatch::mark);
    }

    /** Marks the end of the records of a native batch. */
    static void mark(long nativeBatch) {
        NativeMethods.require("Java_org_rocksdb_WriteBatch_markWalTerminationPoint");
        markWalTerminationPoint(nativeBatch);
    }

    private static native void markWalTerminationPoint(long handle);

    @Override
    void dispose() {
        disposeInternal(nativeHandle_);
    }

    @Override
    protected final synchronized void disposeInternal(long handle) {
        if (records_ != null && walks_ == 0) {
            BatchBuffers.giveBack(records_);
        }
        records_ = null;
    }

    /** Receives the records of a batch. */
    public abstract static class Handler extends RocksCallbackObject {

        /** For subclasses. */
        public Handler() {
        }

        /** Makes no native object: no native code calls a handler. */
        @Override
        protected long initializeNative(long... nativeParameterHandles) {
            return 0;
        }

        /**
         * Called for a put, also in the default family.
         *
         * @param columnFamilyId the family's number
         * @param key            the key
         * @param value          the value
         * @throws RocksDBException to end the walk
         */
        public abstract void put(int columnFamilyId, byte[] key, byte[] value) throws RocksDBException;

        /**
         * Not called: {@link #put(int, byte[], byte[])} is.
         *
         * @param key   the key
         * @param value the value
         */
        public abstract void put(byte[] key, byte[] value);

        /**
         * Called for a merge, also in the default family.
         *
         * @param columnFamilyId the family's number
         * @param key            the key
         * @param value          the operand
         * @throws RocksDBException to end the walk
         */
        public abstract void merge(int columnFamilyId, byte[] key, byte[] value) throws RocksDBException;

        /**
         * Not called: {@link #merge(int, byte[], byte[])} is.
         *
         * @param key   the key
         * @param value the operand
         */
        public abstract void merge(byte[] key, byte[] value);

        /**
         * Called for a delete, also in the default family.
         *
         * @param columnFamilyId the family's number
         * @param key            the key
         * @throws RocksDBException to end the walk
         */
        public abstract void delete(int columnFamilyId, byte[] key) throws RocksDBException;

        /**
         * Not called: {@link #delete(int, byte[])} is.
         *
         * @param key the key
         */
        public abstract void delete(byte[] key);

        /**
         * Called for a single delete, also in the default family.
         *
         * @param columnFamilyId the family's number
         * @param key            the key
         * @throws RocksDBException to end the walk
         */
        public abstract void singleDelete(int columnFamilyId, byte[] key) throws RocksDBException;

        /**
         * Not called: {@link #singleDelete(int, byte[])} is.
         *
         * @param key the key
         */
        public abstract void singleDelete(byte[] key);

        /**
         * Called for the deletion of a range, also in the default family.
         *
         * @param columnFamilyId the family's number
         * @param beginKey       its first key
         * @param endKey         the key behind it
         * @throws RocksDBException to end the walk
         */
        public abstract void deleteRange(int columnFamilyId, byte[] beginKey, byte[] endKey) throws RocksDBException;

        /**
         * Not called: {@link #deleteRange(int, byte[], byte[])} is.
         *
         * @param beginKey its first key
         * @param endKey   the key behind it
         */
        public abstract void deleteRange(byte[] beginKey, byte[] endKey);

        /**
         * Called for data for the write-ahead log.
         *
         * @param blob the data
         */
        public abstract void logData(byte[] blob);

        /**
         * Called for a value in a blob file.
         *
         * @param columnFamilyId the family's number
         * @param key            the key
         * @param value          where the value is
         * @throws RocksDBException to end the walk
         */
        public abstract void putBlobIndex(int columnFamilyId, byte[] key, byte[] value) throws RocksDBException;

        /**
         * Called where a prepared transaction begins.
         *
         * @throws RocksDBException to end the walk
         */
        public abstract void markBeginPrepare() throws RocksDBException;

        /**
         * Called where a prepared transaction ends.
         *
         * @param xid its name
         * @throws RocksDBException to end the walk
         */
        public abstract void markEndPrepare(byte[] xid) throws RocksDBException;

        /**
         * Called for a record that does nothing.
         *
         * @param emptyBatch whether no other record came before
         * @throws RocksDBException to end the walk
         */
        public abstract void markNoop(boolean emptyBatch) throws RocksDBException;

        /**
         * Called where a transaction is rolled back.
         *
         * @param xid its name
         * @throws RocksDBException to end the walk
         */
        public abstract void markRollback(byte[] xid) throws RocksDBException;

        /**
         * Called where a transaction is committed.
         *
         * @param xid its name
         * @throws RocksDBException to end the walk
         */
        public abstract void markCommit(byte[] xid) throws RocksDBException;

        /**
         * Called where a transaction is committed.
         *
         * @param xid its name
         * @param ts  its timestamp
         * @throws RocksDBException to end the walk
         */
        public abstract void markCommitWithTimestamp(byte[] xid, byte[] ts) throws RocksDBException;

        /** {@return whether to go on, called before each record; true unless overridden} */
        public boolean shouldContinue() {
            return true;
        }
    }

    /** A position in a batch. */
    public static class SavePoint {

        private long size;
        private long count;
        private long contentFlags;

        /**
         * Makes an object.
         *
         * @param size         how many bytes the batch had
         * @param count        how many records
         * @param contentFlags of which kinds
         */
        public SavePoint(long size, long count, long contentFlags) {
            this.size = size;
            this.count = count;
            this.contentFlags = contentFlags;
        }

        /** Sets all numbers to 0. */
        public void clear() {
            size = 0;
            count = 0;
            contentFlags = 0;
        }

        /** {@return the size of the batch in bytes} */
        public long getSize() {
            return size;
        }

        /** {@return the number of records of the batch} */
        public long getCount() {
            return count;
        }

        /** {@return RocksDB's flags for the kinds of records} */
        public long getContentFlags() {
            return contentFlags;
        }

        /** {@return whether all numbers are 0} */
        public boolean isCleared() {
            return (size | count | contentFlags) == 0;
        }
    }
}
