package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Writes beside transactions that lock their keys: each write locks its key too, as a small transaction of its own. */
final class LockingWrites extends Writes {
    LockingWrites(Family family, WriteOptions options, long transactionDb) {
        super(family, options, transactionDb);
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        throw Transaction.notSupported(timestamp, timestamp,
                "A database whose transactions lock keys cannot be written with timestamps directly; use a transaction and"
                        + " setCommitTimestamp(timestamp), or a batch");
    }

    @Override
    RocksDBException failure(Status status, MemorySegment key) {
        return Conflicts.ofKey(status, family, key, family.store.kind().lockTimeout());
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        withTwo(CApi::rocksdb_transactiondb_put_cf, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        withTwo(CApi::rocksdb_transactiondb_put_cf, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        family.requireMergeOperator();
        withTwo(CApi::rocksdb_transactiondb_merge_cf, key, operand);
    }

    @Override
    public void delete(MemorySegment key) {
        withOne(CApi::rocksdb_transactiondb_delete_cf, key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        throw Transaction.notSupported(key, key,
                "A database with transactions has no single deletes in the C API; use delete(key)");
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        throw Transaction.notSupported(begin, end,
                "A database whose transactions lock keys cannot lock a range of them; delete the keys one by one");
    }
}
