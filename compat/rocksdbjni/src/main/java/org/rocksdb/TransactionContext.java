package org.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;

/**
 * The state of a {@code Transaction} in Java. Native transactions are not thread-safe, so reads and changes hold {@link #lock()}. Single
 * numbers are read without the lock, so that a thread can look at a transaction while another thread waits in it.
 */
final class TransactionContext {

    private final Transaction transaction;
    /** The state of the transaction that owns the native transaction. It is this state, unless the transaction was found by its name. */
    private TransactionContext owner = this;
    private RocksDB database;
    /** The batch of the native transaction. It is the monitor for both. Null in an alias. */
    private volatile TransactionBatch batch;
    /** The returned snapshot of the native transaction; null if none was returned. */
    private TransactionSnapshot snapshot;
    /** Counts changes of the snapshot of the native transaction. */
    private int snapshotChanges;
    /** Whether the next write sets another snapshot, or the last write did so: RocksDB does not report this. */
    private boolean isSnapshotPending;
    /** The C++ snapshot that the next write will replace; 0 if there is none. */
    private long outgoing;
    /** The write options of the native transaction; null until first needed. */
    private TransactionWriteOptions writeOptions;
    /** The batch that is written at the commit; null until first needed. */
    private CommitTimeBatch commitTimeBatch;
    /** The comparator of the options with which the transaction was begun; null if there is none. */
    @SuppressWarnings("UnusedVariable") // only keeps it reachable
    private Object kept;
    private String name = "";
    /** Whether RocksDB has removed the name after a failed commit. It would end the process if it removed the name again. */
    private volatile boolean isForgotten;
    private boolean indexing = true;
    /** Puts, merges and deletes that RocksDB has not counted. */
    private long[] uncounted = new long[3];
    private final Deque<SavePoint> savePoints = new ArrayDeque<>();

    /** The state that a rollback restores. */
    private static final class SavePoint {
        private final long[] uncounted;
        private final int snapshotChanges;
        private final boolean isSnapshotPending;
        private final long outgoing;

        SavePoint(TransactionContext state) {
            uncounted = state.uncounted.clone();
            snapshotChanges = state.snapshotChanges;
            isSnapshotPending = state.isSnapshotPending;
            outgoing = state.outgoing;
        }
    }

    TransactionContext(Transaction transaction) {
        this.transaction = transaction;
    }

    static long handle(RocksDB database, long handle) {
        return handle;
    }

    /** Sets the database. Called by the constructor. */
    void takeFrom(DatabaseState state) {
        database = state.database;
    }

    /** Makes the batch. Called once, for a transaction that is not an alias, before it is published. */
    void own() {
        batch = new TransactionBatch(transaction.nativeHandle_);
        batch.callsJavaLike(database);
    }

    Object lock() {
        return batch;
    }

    /** Makes this an alias of a transaction. The original frees the native transaction. */
    void alias(Transaction original) {
        owner = original.state_.owner;
        transaction.disOwnNativeHandle();
    }

    /** Returns the state that owns the native transaction. */
    TransactionContext owner() {
        return owner;
    }

    RocksDB database() {
        return database;
    }

    /** Begins a call inside a call of the database: the native transaction lives until the scratch memory is closed. */
    Scratch use() {
        return owner.transaction.use();
    }

    ColumnFamilyHandle defaultFamily() {
        return database.state_.defaultFamily();
    }

    boolean isOptimistic() {
        return database instanceof OptimisticTransactionDB;
    }

    /** Returns the C++ object, for exported functions. */
    long object() {
        return NativeCalls.readLong(transaction.nativeHandle_);
    }

    boolean isIndexing() {
        return owner.indexing;
    }

    /** Remembers a write that RocksDB does not count. */
    void countWrite(byte tag) {
        owner.uncounted[tag == BatchFormat.PUT ? 0 : tag == BatchFormat.MERGE ? 1 : 2]++;
    }

    long uncounted(int kind) {
        return owner.uncounted[kind];
    }

    private void change(ObjLongConsumer<Scratch> change) throws RocksDBException {
        try (Scratch scratch = database.use(); Scratch _ = use()) {
            long _ = Errors.place(scratch);
            synchronized (owner.lock()) {
                change.accept(scratch, transaction.nativeHandle_);
            }
            Errors.check(scratch);
        }
    }

    void prepare() throws RocksDBException {
        CallbackRestrictions.requireMayWrite(database);
        try (ComparatorMonitor _ = database.state_.change()) {
            change((scratch, handle) -> {
                if (database instanceof TransactionDB && isIn(Transaction.TransactionState.STARTED)
                        && !owner.name.isEmpty() && !owner.batch.canBePrepared(scratch)) {
                    throw new IllegalStateException("The batch of the transaction was cleared, and with it the place"
                            + " where RocksDB marks it as prepared: the database could not be opened again. Commit the"
                            + " transaction, or roll it back and begin anew");
                }
                NativeTransaction.prepare(scratch, handle);
            });
        }
    }

    void commit() throws RocksDBException {
        CallbackRestrictions.requireMayWrite(database);
        try (ComparatorMonitor _ = database.state_.change()) {
            change((scratch, handle) -> {
                boolean mayForget = !owner.name.isEmpty() && isIn(Transaction.TransactionState.STARTED);
                NativeTransaction.commit(scratch, handle);
                owner.isForgotten |= mayForget && isIn(Transaction.TransactionState.AWAITING_COMMIT);
                owner.cleared();
            });
        }
    }

    private boolean isIn(Transaction.TransactionState state) {
        return Transaction.TransactionState
                .getTransactionState(Transaction.jniGetState(object())) == state;
    }

    /** Returns whether RocksDB has the transaction under this name. Called while the transaction cannot be destroyed. */
    boolean isKnownAs(String wanted) {
        return name.equals(wanted) && !isForgotten && !isIn(Transaction.TransactionState.COMMITTED);
    }

    /** Checks, with the lock held, that RocksDB will release the locks of the transaction. */
    void requireUsable() {
        if (owner.isForgotten) {
            throw new IllegalStateException("The commit of transaction '" + owner.name
                    + "' has failed; close it, and begin another one");
        }
    }

    void rollback() throws RocksDBException {
        change((scratch, handle) -> {
            NativeTransaction.rollback(scratch, handle);
            owner.cleared();
        });
    }

    void setSavePoint() throws RocksDBException {
        change((_, handle) -> {
            NativeTransaction.setSavePoint(handle);
            owner.savePoints.push(new SavePoint(owner));
        });
    }

    void rollbackToSavePoint() throws RocksDBException {
        try (Scratch scratch = database.use(); Scratch _ = use()) {
            owner.withoutSnapshot(owner::rollbackChangesSnapshot,
                    () -> rollbackToSavePoint(scratch, transaction.nativeHandle_));
            Errors.check(scratch);
        }
    }

    /** Ends the iterators, and then rolls back: the iterators point into the index, which RocksDB rebuilds. */
    void rollbackToSavePoint(Scratch scratch, long handle) {
        owner.batch.endIterators();
        NativeTransaction.rollbackToSavePoint(scratch, handle);
        if (!owner.savePoints.isEmpty()) {
            SavePoint at = owner.savePoints.pop();
            owner.uncounted = at.uncounted;
            owner.snapshotChanges = at.snapshotChanges;
            owner.isSnapshotPending = at.isSnapshotPending;
            owner.outgoing = at.outgoing;
        }
    }

    /** Forgets the records. Called when the batch of the transaction is empty or about to be written: nothing may point into it. */
    private void cleared() {
        batch.forgetRecords();
        savePoints.clear();
        uncounted = new long[3];
    }

    void setName(String newName) throws RocksDBException {
        byte[] bytes = newName.getBytes(UTF_8);
        try (Scratch scratch = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                NativeTransaction.setName(scratch, transaction.nativeHandle_, NativeValues.copy(scratch, bytes),
                        bytes.length);
                Errors.check(scratch);
                // Keep the text as it will be read again, even if the argument is invalid UTF-16.
                owner.name = new String(bytes, UTF_8);
            }
        }
    }

    String getName() {
        try (Scratch scratch = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                return nameOf(scratch, transaction.nativeHandle_);
            }
        }
    }

    static String nameOf(Scratch scratch, long handle) {
        return new String(NativeTransaction.name(scratch, handle), UTF_8);
    }

    /** Resets the state. Called when the transaction is begun again, or was recovered with a name. */
    void reset(String newName) {
        cleared();
        isSnapshotPending = false;
        outgoing = 0;
        name = newName;
        indexing = true;
    }

    /** Reads a number of the native object without the lock, even while another thread waits in the transaction. */
    long look(LongUnaryOperator number) {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            return number.applyAsLong(object());
        }
    }

    /** Returns the number of writes that RocksDB has counted, plus others. */
    long count(LongUnaryOperator counted, LongSupplier others) {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                return counted.applyAsLong(object()) + others.getAsLong();
            }
        }
    }

    /** A native method that changes a setting of the native object. */
    @FunctionalInterface
    interface Setting {
        void set(long object, long value);
    }

    void set(Setting setting, long value) {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                setting.set(object(), value);
            }
        }
    }

    void setWriteOptions(WriteOptions options) {
        try (Scratch _ = options.use()) {
            set(Transaction::jniSetWriteOptions, options.nativeHandle_);
        }
    }

    void setIndexing(boolean on) {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                if (on) {
                    Transaction.jniEnableIndexing(object());
                } else {
                    Transaction.jniDisableIndexing(object());
                }
                owner.indexing = on;
            }
        }
    }

    /** Returns the live batch, not a copy. */
    WriteBatchWithIndex getWriteBatch() {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            return owner.batch;
        }
    }

    /** Keeps an object to which the native transaction has a plain pointer. */
    void keep(Object used) {
        kept = used;
        if (used != null) {
            transaction.callsJava();
            batch.callsJava();
        }
    }

    /** Returns the live batch that is written at the commit. */
    WriteBatch commitTimeBatch() {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                if (owner.commitTimeBatch == null) {
                    owner.commitTimeBatch = new CommitTimeBatch(database, owner.batch,
                            Transaction.jniGetCommitTimeWriteBatch(object()));
                }
                return owner.commitTimeBatch;
            }
        }
    }

    /** Returns the transactions for which this transaction waits. Does not take the lock, because the waiting thread holds it. */
    Transaction.WaitingTransactions waiting() {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            // An optimistic transaction never waits, and RocksDB returns unwritten memory.
            return isOptimistic()
                    ? new Transaction.WaitingTransactions(0, "", new long[0])
                    : transaction.jniGetWaitingTxns(object());
        }
    }

    void undoGetForUpdate(ColumnFamilyHandle family, byte[] key) {
        byte[] copy = key.clone();
        try (Scratch _ = database.use(); Scratch _ = use()) {
            long in = JniWrappers.object(family.in(database));
            synchronized (owner.lock()) {
                Transaction.jniUndoGetForUpdate(object(), copy, copy.length, in);
            }
        }
    }

    WriteOptions writeOptions() {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                if (owner.writeOptions == null) {
                    owner.writeOptions = new TransactionWriteOptions(
                            Transaction.jniGetWriteOptions(object()));
                }
                return owner.writeOptions;
            }
        }
    }

    /** Returns the snapshot of the transaction, or null. It can be used until the transaction gets another snapshot or ends. */
    Snapshot getSnapshot() {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            synchronized (owner.lock()) {
                if (owner.snapshot == null) {
                    owner.snapshot = owner.currentSnapshot();
                }
                return owner.snapshot;
            }
        }
    }

    private TransactionSnapshot currentSnapshot() {
        long current = NativeTransaction.snapshot(transaction.nativeHandle_);
        if (current != 0 && current == outgoing) {
            throw new IllegalStateException("The next write replaces the snapshot of the transaction");
        }
        return current == 0
                ? null
                : new TransactionSnapshot(database, NativeTransaction.snapshotHolder(transaction.nativeHandle_));
    }

    void setSnapshot() {
        changeSnapshot(() -> {
            Transaction.jniSetSnapshot(object());
            owner.isSnapshotPending = false;
            owner.outgoing = 0;
        });
    }

    void clearSnapshot() {
        changeSnapshot(() -> {
            Transaction.jniClearSnapshot(object());
            owner.isSnapshotPending = false;
            owner.outgoing = 0;
        });
    }

    void setSnapshotOnNextOperation() {
        setSnapshotOnNextOperation(Transaction::jniSetSnapshotOnNextOperation);
    }

    void setSnapshotOnNextOperation(AbstractTransactionNotifier notifier) {
        Objects.requireNonNull(notifier, "transactionNotifier");
        owner.transaction.callsJava();
        setSnapshotOnNextOperation(object -> notifier.setIn(owner, object));
    }

    private void setSnapshotOnNextOperation(LongConsumer set) {
        changeSnapshot(() -> {
            set.accept(object());
            owner.isSnapshotPending = true;
            owner.outgoing = NativeTransaction.snapshot(transaction.nativeHandle_);
        });
    }

    private void changeSnapshot(Runnable change) {
        try (Scratch _ = database.use(); Scratch _ = use()) {
            owner.withoutSnapshot(() -> true, () -> {
                change.run();
                owner.snapshotChanges++;
            });
        }
    }

    private boolean rollbackChangesSnapshot() {
        SavePoint at = savePoints.peek();
        return at == null || at.isSnapshotPending || at.snapshotChanges != snapshotChanges;
    }

    /**
     * Makes a change that may free the native snapshot, while no read uses the snapshot. Such reads may wait for the lock, so this method
     * does not hold the lock while it waits for them.
     */
    void withoutSnapshot(BooleanSupplier frees, Runnable change) {
        while (true) {
            TransactionSnapshot handedOut;
            synchronized (lock()) {
                handedOut = frees.getAsBoolean() ? snapshot : null;
                if (handedOut == null) {
                    change.run();
                    return;
                }
            }
            handedOut.endAndAwait();
            synchronized (lock()) {
                // Another thread may have done this already, and returned the next snapshot.
                snapshot = snapshot == handedOut ? null : snapshot;
            }
        }
    }

    RocksIterator iterator(ReadOptions options, ColumnFamilyHandle family) {
        try (Scratch _ = database.use();
                Scratch _ = use();
                Scratch used = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            long in = family.in(database);
            synchronized (owner.lock()) {
                while (true) {
                    if (options != null && options.state_.tailsSnapshot(database)) {
                        try (ReadOptions present = options.state_.withoutSnapshot()) {
                            return iterator(present, family);
                        }
                    }
                    NativeSlice[] held = options == null ? null : options.state_.hold();
                    long handle = NativeTransaction.createIterator(transaction.nativeHandle_,
                            Reads.options(database, options), in);
                    if (held == null || (options.state_.areSame(held) && !options.state_.tailsSnapshot(database))) {
                        BatchIterator iterator = new BatchIterator(new WriteBatchWithIndex[]{owner.batch}, database,
                                handle);
                        // The native iterator cannot be reused: the reused iterator would be over the database alone.
                        Iterators.keep(iterator, options, used, held);
                        return iterator;
                    }
                    // Another thread has changed the options.
                    NativeIterator.destroy(handle);
                    ReadOptionsState.release(held);
                }
            }
        }
    }

    /**
     * Frees the native transaction when the transaction is closed. Closing the database frees the remaining transactions. Closing a
     * transaction works while the database is being closed: a running call of the database may wait for its locks.
     */
    void destroy(long handle) {
        if (!database.state_.beginEnd(transaction)) {
            return;
        }
        try {
            withoutSnapshot(() -> true, () -> {
                batch.endIterators();
                endHandedOut();
                // The lock keeps other threads from looking for prepared transactions.
                synchronized (database.state_) {
                    database.state_.remove(transaction);
                    destroyNative(handle);
                }
            });
        } finally {
            database.state_.completeEnd();
        }
    }

    /** Ends the transaction with its database. Called after the last call of the database, after its iterators have ended. */
    void endWithDatabase() {
        transaction.disOwnNativeHandle();
        withoutSnapshot(() -> true, () -> {
            // Iterators over the batch and another database are still open.
            batch.endIterators();
            endHandedOut();
        });
        destroyNative(transaction.nativeHandle_);
    }

    /** Ends returned objects that point into the native transaction. */
    private void endHandedOut() {
        batch.endWithTransaction();
        if (writeOptions != null) {
            writeOptions.endWithTransaction();
        }
    }

    /** Frees the native transaction. If its name was removed, frees only the memory: locks and changes are gone already. */
    private void destroyNative(long handle) {
        if (isForgotten) {
            Transaction.jniClearSnapshot(object());
            NativeHeap.free(handle);
        } else {
            NativeTransaction.destroy(handle);
        }
    }
}
