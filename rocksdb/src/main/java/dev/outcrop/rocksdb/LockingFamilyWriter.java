package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.PointWrites;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Writes beside transactions that lock their keys: each write locks its key too, as a small transaction of its own. */
final class LockingFamilyWriter extends FamilyWriter {
    LockingFamilyWriter(Family family, WriteOptions options, long transactionDb) {
        super(family, options, transactionDb);
    }

    /** Says which key could not be locked. */
    @Override
    RocksDBException failure(Status status, MemorySegment key) {
        return Conflicts.ofKey(status, family, key, family.store.kind().lockTimeout());
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        throw Transaction.notSupported(timestamp, timestamp,
                "A database whose transactions lock keys cannot be written with timestamps directly; use a transaction and"
                        + " setCommitTimestamp(timestamp), or a batch");
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        write(PointWrites.LOCKING_PUT, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        write(PointWrites.LOCKING_PUT, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        family.requireMergeOperator();
        write(PointWrites.LOCKING_MERGE, key, operand);
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        write(PointWrites.LOCKING_DELETE, key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        throw Transaction.notSupported(key, key,
                "A database with transactions has no single deletes in the C API; use delete(key)");
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        throw Transaction.notSupported(begin, end,
                "A database whose transactions lock keys cannot lock a range of them; delete the keys one by one");
    }
}
