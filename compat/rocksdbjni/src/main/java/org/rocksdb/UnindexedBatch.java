package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The records of a {@link WriteBatchWithIndex} without their index. Closing it does nothing; it ends with the batch that has the index. A
 * record that is added here is not in the index. The batch with the index does the operations that remove records, because its index would
 * otherwise point to removed records.
 */
class UnindexedBatch extends WriteBatch {

    final WriteBatchWithIndex index;
    /** The native batch within the batch with an index, or within its transaction. */
    final long batch;

    UnindexedBatch(WriteBatchWithIndex index, long batch) {
        super(0L);
        this.index = index;
        this.batch = batch;
    }

    @Override
    AbstractWriteBatch owner() {
        return index;
    }

    @Override
    void requireOpen() {
        index.requireOpen();
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        try (Scratch scratch = Scratch.open()) {
            add(tag, family, NativeValues.copy(scratch, key), key.length, NativeValues.copyOrNull(scratch, value),
                    NativeValues.length(value));
        }
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, MemorySegment key, MemorySegment value) throws RocksDBException {
        add(tag, family, key, key.byteSize(), value == null ? MemorySegment.NULL : value,
                value == null ? 0 : value.byteSize());
    }

    private void add(byte tag, ColumnFamilyHandle given, MemorySegment key, long keyLength, MemorySegment value,
            long valueLength) throws RocksDBException {
        synchronized (index) {
            try (Scratch _ = index.use()) {
                if (given == null) {
                    addTo(tag, 0, key, keyLength, value, valueLength);
                } else {
                    RocksDB database = given.database();
                    try (Scratch _ = database.use()) {
                        addTo(tag, given.in(database), key, keyLength, value, valueLength);
                    }
                }
            }
        }
    }

    /** Adds a record. The batch is locked and open. A family of 0 means the default family. */
    void addTo(byte tag, long family, MemorySegment key, long keyLength, MemorySegment value, long valueLength)
            throws RocksDBException {
        BatchBuffers.check(NativeCall.sizeProblem(keyLength + valueLength));
        switch (tag) {
            case BatchFormat.PUT -> NativeWriteBatch.put(batch, family, key, keyLength, value, valueLength);
            case BatchFormat.MERGE -> NativeWriteBatch.merge(batch, family, key, keyLength, value, valueLength);
            case BatchFormat.DELETE -> NativeWriteBatch.delete(batch, family, key, keyLength);
            case BatchFormat.SINGLE_DELETE -> NativeWriteBatch.singleDelete(batch, family, key, keyLength);
            default -> throw WriteBatchWithIndex.noRanges();
        }
    }

    @Override
    void addLogData(byte[] blob) {
        synchronized (index) {
            index.addLogData(blob);
        }
    }

    @Override
    long size() {
        synchronized (index) {
            return index.size();
        }
    }

    @Override
    int records() {
        synchronized (index) {
            return index.records();
        }
    }

    @Override
    void clearRecords() {
        index.clear();
    }

    @Override
    void beginSavePoint() {
        index.setSavePoint();
    }

    @Override
    void undoToSavePoint() throws RocksDBException {
        index.rollbackToSavePoint();
    }

    @Override
    void forgetSavePoint() throws RocksDBException {
        index.popSavePoint();
    }

    @Override
    boolean mayHave(byte tag) {
        return true;
    }

    /** Returns a copy, because other threads may add records. */
    @Override
    MemorySegment contents() {
        synchronized (index) {
            try (Scratch scratch = index.use()) {
                return MemorySegment.ofArray(records(scratch).toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    /** Also marks the native batch, because it is written with its index. */
    @Override
    void markEnd() {
        synchronized (index) {
            super.markEnd();
            try (Scratch _ = index.use()) {
                mark(batch);
            }
        }
    }

    /** Locks the batch with the index: otherwise another thread could remove records before the mark. */
    @Override
    long copy(Scratch scratch) {
        synchronized (index) {
            return super.copy(scratch);
        }
    }

    @Override
    long copyAll(Scratch scratch) {
        synchronized (index) {
            try (Scratch _ = index.use()) {
                MemorySegment records = records(scratch);
                return NativeWriteBatch.create(records, records.byteSize());
            }
        }
    }

    /** Returns the records. The batch with the index is locked and open. */
    final MemorySegment records(Scratch scratch) {
        long data = NativeWriteBatch.data(batch, scratch.wordAddress(1));
        return NativeCalls.view(data, scratch.word(1));
    }
}
