package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.Failures;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Writes beside transactions that lock their keys: each write locks its key too, as a small transaction of its own. */
final class LockingFamilyWriter extends FamilyWriter {
    LockingFamilyWriter(Family family, WriteOptions options, long transactionDb) {
        super(family, options, transactionDb, new LockFailures(family));
    }

    /** Says which key could not be locked. */
    private record LockFailures(Family family) implements Failures {
        @Override
        public RuntimeException of(NativeStatus status, String message) {
            return Native.FAILURES.of(status, message);
        }

        @Override
        public RuntimeException ofKey(NativeStatus status, MemorySegment key) {
            return Conflicts.ofKey(Status.of(status), family, key, family.store.kind().lockTimeout());
        }
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
        writes.withTwo(CApi::rocksdb_transactiondb_put_cf, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        writes.withTwo(CApi::rocksdb_transactiondb_put_cf, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        family.requireMergeOperator();
        writes.withTwo(CApi::rocksdb_transactiondb_merge_cf, key, operand);
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        writes.withOne(CApi::rocksdb_transactiondb_delete_cf, key);
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
