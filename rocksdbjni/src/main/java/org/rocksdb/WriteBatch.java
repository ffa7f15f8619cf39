package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchCopy;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.BatchStamp;
import dev.outcrop.rocksdb.engine.batch.SpareBatches;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes that are done together, in the order in which they were added. The batch is built in Java; RocksDB gets a native one when it is
 * written, so {@link #getNativeHandle()} is 0.
 */
public class WriteBatch extends AbstractWriteBatch {

    /** Null once closed. */
    private BatchBuffer records_;
    private int savePoints_;
    /** Whether a handler walks over the records. */
    private int walks_;

    /** Makes an empty batch. */
    public WriteBatch() {
        this(0);
    }

    /**
     * Makes an empty batch.
     *
     * @param reservedBytes how many bytes it may need; it grows if that is too little
     */
    public WriteBatch(int reservedBytes) {
        records_ = BatchBuffers.take(reservedBytes);
    }

    /**
     * Makes a batch of what {@link #data()} has returned.
     *
     * @param serialized its bytes, which are copied
     * @throws IllegalArgumentException if they are no batch
     */
    public WriteBatch(byte[] serialized) {
        records_ = BatchBuffers.of(MemorySegment.ofArray(serialized));
    }

    /** Made by native code, to tell where a native batch is. It is no batch itself. */
    WriteBatch(long nativeBatch) {
        super(nativeBatch);
        disOwnNativeHandle();
    }

    WriteBatch(BatchBuffer records) {
        records_ = records;
    }

    /** A copy of a native batch, which is freed if it is the new batch's own. */
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
            BatchBuffers.check(records_.add(tag, id, key, BatchStamp.NONE));
        } else {
            BatchBuffers.check(records_.add(tag, id, key, BatchStamp.NONE, value));
        }
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, MemorySegment key, MemorySegment value) throws RocksDBException {
        int id = family == null ? 0 : family.id();
        if (value == null) {
            BatchBuffers.check(records_.add(tag, id, key, BatchStamp.NONE));
        } else {
            BatchBuffers.check(records_.add(tag, id, key, BatchStamp.NONE, value));
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
     * Tells a handler of each record, in their order, until it wants no more or throws.
     *
     * @param handler what is told
     * @throws RocksDBException what the handler throws
     */
    public synchronized void iterate(Handler handler) throws RocksDBException {
        java.util.Objects.requireNonNull(handler, "The handler is null");
        requireOpen();
        walks_++;
        try {
            BatchRecords.tell(handler, contents());
        } finally {
            walks_--;
        }
    }

    /**
     * The batch in RocksDB's own format.
     *
     * @return a copy
     * @throws RocksDBException as published; never
     */
    public synchronized byte[] data() throws RocksDBException {
        requireOpen();
        return contents().toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * The size of {@link #data()}.
     *
     * @return in bytes
     */
    public synchronized long getDataSize() {
        requireOpen();
        return size();
    }

    /**
     * Whether there is a put.
     *
     * @return true if so
     */
    public boolean hasPut() {
        return has(BatchFormat.PUT);
    }

    /**
     * Whether there is a delete.
     *
     * @return true if so
     */
    public boolean hasDelete() {
        return has(BatchFormat.DELETE);
    }

    /**
     * Whether there is a single delete.
     *
     * @return true if so
     */
    public boolean hasSingleDelete() {
        return has(BatchFormat.SINGLE_DELETE);
    }

    /**
     * Whether a range is deleted.
     *
     * @return true if so
     */
    public boolean hasDeleteRange() {
        return has(BatchFormat.DELETE_RANGE);
    }

    /**
     * Whether there is a merge.
     *
     * @return true if so
     */
    public boolean hasMerge() {
        return has(BatchFormat.MERGE);
    }

    /**
     * Whether a prepared transaction begins in it.
     *
     * @return true if so
     */
    public boolean hasBeginPrepare() {
        return has(BatchFormat.BEGIN_PREPARE) || has(BatchFormat.BEGIN_PERSISTED_PREPARE)
                || has(BatchFormat.BEGIN_UNPREPARE);
    }

    /**
     * Whether a prepared transaction ends in it.
     *
     * @return true if so
     */
    public boolean hasEndPrepare() {
        return has(BatchFormat.END_PREPARE);
    }

    /**
     * Whether a transaction is committed in it.
     *
     * @return true if so
     */
    public boolean hasCommit() {
        return has(BatchFormat.COMMIT) || has(BatchFormat.COMMIT_WITH_TIMESTAMP);
    }

    /**
     * Whether a transaction is rolled back in it.
     *
     * @return true if so
     */
    public boolean hasRollback() {
        return has(BatchFormat.ROLLBACK);
    }

    /** Whether a range may be deleted, without a walk over the records. The batch is locked. */
    boolean mayDeleteRanges() {
        return mayHave(BatchFormat.DELETE_RANGE);
    }

    /** Kinds that were rolled back count, too. */
    boolean mayHave(byte tag) {
        return (records_.kinds() & BatchFormat.kind(tag)) != 0;
    }

    /** The records, which stay where they are while nobody adds one. The batch is locked and open. */
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

    /**
     * Itself.
     *
     * @return this
     */
    @Override
    public WriteBatch getWriteBatch() {
        return this;
    }

    /** Refused: RocksDB's C API cannot say where the part for the write-ahead log ends. */
    public void markWalTerminationPoint() {
        throw dev.outcrop.rocksdbjni.Unsupported.method("WriteBatch.markWalTerminationPoint()");
    }

    /**
     * Where the part for the write-ahead log ends.
     *
     * @return a cleared one, which means at the end of the batch
     */
    public synchronized SavePoint getWalTerminationPoint() {
        requireOpen();
        return new SavePoint(0, 0, 0);
    }

    /** Makes a native batch for a call, to be given to {@link #giveBack}. The batch is locked. */
    long copy(Scratch scratch) {
        return BatchCopy.create(scratch, records_.memory(), records_.size(), records_.kinds());
    }

    void giveBack(Scratch scratch, long copy) {
        SpareBatches.giveBack(scratch, copy, records_ == null ? Long.MAX_VALUE : records_.size());
    }

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

    /** Is told of the records of a batch. */
    public abstract static class Handler extends RocksCallbackObject {

        /** For subclasses. */
        public Handler() {
        }

        /** Nothing: no native code calls a handler. */
        @Override
        protected long initializeNative(long... nativeParameterHandles) {
            return 0;
        }

        /**
         * A put; also called for the default family.
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
         * A merge; also called for the default family.
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
         * A delete; also called for the default family.
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
         * A single delete; also called for the default family.
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
         * The deletion of a range; also called for the default family.
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
         * Data for the write-ahead log.
         *
         * @param blob the data
         */
        public abstract void logData(byte[] blob);

        /**
         * A value in a blob file.
         *
         * @param columnFamilyId the family's number
         * @param key            the key
         * @param value          where the value is
         * @throws RocksDBException to end the walk
         */
        public abstract void putBlobIndex(int columnFamilyId, byte[] key, byte[] value) throws RocksDBException;

        /**
         * A prepared transaction begins.
         *
         * @throws RocksDBException to end the walk
         */
        public abstract void markBeginPrepare() throws RocksDBException;

        /**
         * A prepared transaction ends.
         *
         * @param xid its name
         * @throws RocksDBException to end the walk
         */
        public abstract void markEndPrepare(byte[] xid) throws RocksDBException;

        /**
         * A record that does nothing.
         *
         * @param emptyBatch whether no other record came before
         * @throws RocksDBException to end the walk
         */
        public abstract void markNoop(boolean emptyBatch) throws RocksDBException;

        /**
         * A transaction is rolled back.
         *
         * @param xid its name
         * @throws RocksDBException to end the walk
         */
        public abstract void markRollback(byte[] xid) throws RocksDBException;

        /**
         * A transaction is committed.
         *
         * @param xid its name
         * @throws RocksDBException to end the walk
         */
        public abstract void markCommit(byte[] xid) throws RocksDBException;

        /**
         * A transaction is committed.
         *
         * @param xid its name
         * @param ts  its timestamp
         * @throws RocksDBException to end the walk
         */
        public abstract void markCommitWithTimestamp(byte[] xid, byte[] ts) throws RocksDBException;

        /**
         * Asked before each record.
         *
         * @return whether to go on; true unless overridden
         */
        public boolean shouldContinue() {
            return true;
        }
    }

    /** A place in a batch. */
    public static class SavePoint {

        private long size;
        private long count;
        private long contentFlags;

        /**
         * Makes one.
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

        /** Makes all numbers 0. */
        public void clear() {
            size = 0;
            count = 0;
            contentFlags = 0;
        }

        /**
         * How many bytes the batch had.
         *
         * @return not negative
         */
        public long getSize() {
            return size;
        }

        /**
         * How many records the batch had.
         *
         * @return not negative
         */
        public long getCount() {
            return count;
        }

        /**
         * Of which kinds the records were.
         *
         * @return RocksDB's flags
         */
        public long getContentFlags() {
            return contentFlags;
        }

        /**
         * Whether it stands for no place.
         *
         * @return true if all numbers are 0
         */
        public boolean isCleared() {
            return (size | count | contentFlags) == 0;
        }
    }
}
