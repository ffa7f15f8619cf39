package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What can be done with a column family within a transaction, and with the transaction itself, which stands for the default column family
 * then.
 */
abstract sealed class TransactionOperations extends TransactionFamilyReader implements KeyValueWriter
        permits Transaction, TransactionFamily {
    TransactionOperations(Transaction transaction, Family family) {
        super(transaction, family, new ReadOptions(), Transaction.ANY_BEGINNING);
    }

    /** For the transaction itself. */
    TransactionOperations(Family family) {
        super(family);
    }

    /**
     * The same keys, read with other options.
     *
     * @param options how to read; they cannot be changed any more
     * @return a view that ends with the transaction
     */
    public TransactionalReader with(ReadOptions options) {
        return new TransactionFamilyReader(transaction, family, options, Transaction.ANY_BEGINNING);
    }

    /**
     * The same keys as they were when the transaction was begun, beneath what the transaction itself has written since.
     *
     * @return a view that ends with the transaction, also if it is begun again
     * @throws IllegalStateException if the transaction was begun without {@link TransactionOptions#setSnapshot(boolean)}
     */
    public TransactionalReader atSnapshot() {
        return transaction.atSnapshot(family);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        withTwo(NativeTransaction::put, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        family.requireMergeOperator();
        withTwo(NativeTransaction::merge, key, operand);
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        transaction.enter(Transaction.ANY_BEGINNING);
        try (Scratch scratch = family.enterToWrite()) {
            transaction.requireChangeable();
            transaction.writesTo(family);
            NativeTransaction.delete(scratch, transaction.address(), family.handle, key);
            check(scratch, key);
        } finally {
            transaction.exit();
        }
    }

    /**
     * Not supported: the C API of RocksDB has no such operation in transactions.
     *
     * @throws RocksDBException always, with {@link Status.Code#NOT_SUPPORTED}
     */
    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        throw Transaction.notSupported(key, key, "Single deletes are not possible in a transaction; use delete(key)");
    }

    /**
     * Not supported: a transaction cannot lock a range of keys.
     *
     * @throws RocksDBException always, with {@link Status.Code#NOT_SUPPORTED}
     */
    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        throw Transaction.notSupported(begin, end,
                "Ranges cannot be deleted in a transaction; delete the keys one by one");
    }

    private interface WithTwo {
        void call(Scratch scratch, long transaction, long family, MemorySegment key, MemorySegment value);
    }

    private void withTwo(WithTwo function, MemorySegment key, MemorySegment value) {
        // First: a refused write must change nothing.
        Native.requireSize(key.byteSize() + value.byteSize());
        transaction.enter(Transaction.ANY_BEGINNING);
        try (Scratch scratch = family.enterToWrite()) {
            transaction.requireChangeable();
            transaction.writesTo(family);
            function.call(scratch, transaction.address(), family.handle, key, value);
            check(scratch, key);
        } finally {
            transaction.exit();
        }
    }

    private void check(Scratch scratch, MemorySegment key) {
        Status status = Native.status(scratch);
        if (status != null) {
            throw Native.failure(Conflicts.ofKey(status, family, key, transaction.starter.lockTimeout()));
        }
        CallbackFailures.rethrow();
    }
}
