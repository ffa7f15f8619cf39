package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/**
 * The batch that RocksDB writes when it commits a prepared transaction. It ends with the transaction; closing it does nothing. Threads that
 * use this batch hold the monitor of the transaction's other batch.
 */
final class CommitTimeBatch extends UnindexedBatch {

    private final RocksDB database;

    CommitTimeBatch(RocksDB database, TransactionBatch other, long batch) {
        super(other, batch);
        this.database = database;
    }

    /** Returns this batch, because it has its own records. */
    @Override
    AbstractWriteBatch owner() {
        return this;
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        requireFamily(family);
        super.add(tag, family, key, value);
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, MemorySegment key, MemorySegment value) throws RocksDBException {
        requireFamily(family);
        super.add(tag, family, key, value);
    }

    /** Refuses a wrong family: RocksDB notices it only after it has logged the commit. */
    private void requireFamily(ColumnFamilyHandle family) throws RocksDBException {
        if (family != null) {
            long _ = family.toWriteIn(database);
        }
    }

    @Override
    void addTo(byte tag, long family, MemorySegment key, long keyLength, MemorySegment value, long valueLength)
            throws RocksDBException {
        if (tag != BatchFormat.DELETE_RANGE) {
            super.addTo(tag, family, key, keyLength, value, valueLength);
            return;
        }
        try (Scratch scratch = database.use()) {
            long in = family == 0 ? database.state_.defaultFamily().nativeHandle_ : family;
            RangeChecks.requireOrder(scratch, in, key.asSlice(0, keyLength), value.asSlice(0, valueLength));
            NativeWriteBatch.deleteRange(batch, in, key, keyLength, value, valueLength);
        }
    }

    @Override
    void addLogData(byte[] blob) {
        synchronized (index) {
            try (Scratch scratch = index.use()) {
                NativeWriteBatch.putLogData(batch, NativeValues.copy(scratch, blob), blob.length);
            }
        }
    }

    @Override
    long size() {
        synchronized (index) {
            try (Scratch scratch = index.use()) {
                return records(scratch).byteSize();
            }
        }
    }

    @Override
    int records() {
        synchronized (index) {
            try (Scratch _ = index.use()) {
                return NativeWriteBatch.count(batch);
            }
        }
    }

    @Override
    void clearRecords() {
        change(NativeWriteBatch::clear);
    }

    @Override
    void beginSavePoint() {
        change(NativeWriteBatch::setSavePoint);
    }

    private void change(LongConsumer change) {
        synchronized (index) {
            try (Scratch _ = index.use()) {
                change.accept(batch);
            }
        }
    }

    @Override
    void undoToSavePoint() throws RocksDBException {
        leave(NativeWriteBatch::rollbackToSavePoint);
    }

    @Override
    void forgetSavePoint() throws RocksDBException {
        leave(NativeWriteBatch::popSavePoint);
    }

    private void leave(ObjLongConsumer<Scratch> leave) throws RocksDBException {
        synchronized (index) {
            try (Scratch scratch = index.use()) {
                leave.accept(scratch, batch);
                Errors.check(scratch);
            }
        }
    }
}
