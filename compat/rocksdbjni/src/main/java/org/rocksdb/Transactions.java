package org.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Calls of databases with transactions. A {@code rocksdb_transactiondb_t} is used as a {@code rocksdb_t}: both hold the C++ database. */
final class Transactions {

    /** The default options of transactions, which are never closed. */
    private static final class Defaults {
        private static final TransactionOptions LOCKING = new TransactionOptions();
        private static final OptimisticTransactionOptions OPTIMISTIC = new OptimisticTransactionOptions();
    }

    private static final int MOST_DEADLOCKS = 1 << 20;
    private static final int MOST_DEPTH = 1 << 20;
    /** The transactions of deadlocks that native code reports to this thread. */
    private static final ThreadLocal<List<TransactionDB.DeadlockInfo>> TOLD = new ThreadLocal<>();

    private Transactions() {
    }

    static TransactionDB open(Options options, TransactionDBOptions transactionOptions, String path)
            throws RocksDBException {
        try (CheckedTransactionDBOptions locking = new CheckedTransactionDBOptions(transactionOptions)) {
            return locking.of(Databases.open(options, path, Databases.Access.WRITE,
                    (scratch, handle) -> CApi.rocksdb_transactiondb_open(handle, locking.handle,
                            NativeValues.text(scratch, path), Errors.place(scratch)),
                    handle -> new TransactionDB(handle)));
        }
    }

    static TransactionDB open(DBOptions options, TransactionDBOptions transactionOptions, String path,
            List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles) throws RocksDBException {
        try (CheckedTransactionDBOptions locking = new CheckedTransactionDBOptions(transactionOptions)) {
            return locking.of(Databases.open(options, path, families, handles, Databases.Access.WRITE,
                    (scratch, handle, all) -> NativeTransactionDatabase.open(handle, locking.handle,
                            NativeValues.text(scratch, path), families.size(), all.names(), all.options(),
                            all.handles(),
                            Errors.place(scratch)),
                    (handle, names, of) -> TransactionDB.jniOpen(handle, locking.handle, JniPaths.path(path), names,
                            of),
                    handle -> new TransactionDB(handle)));
        }
    }

    static OptimisticTransactionDB open(Options options, String path) throws RocksDBException {
        return Databases.open(options, path, Databases.Access.WRITE,
                (scratch, handle) -> CApi.rocksdb_optimistictransactiondb_open(handle, NativeValues.text(scratch, path),
                        Errors.place(scratch)),
                handle -> new OptimisticTransactionDB(handle));
    }

    static OptimisticTransactionDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles) throws RocksDBException {
        return Databases.open(options, path, families, handles, Databases.Access.WRITE,
                (scratch, handle, all) -> NativeTransactionDatabase.openOptimistic(handle,
                        NativeValues.text(scratch, path), families.size(), all.names(), all.options(), all.handles(),
                        Errors.place(scratch)),
                (handle, names, of) -> OptimisticTransactionDB.jniOpen(handle, JniPaths.path(path), names, of),
                handle -> new OptimisticTransactionDB(handle));
    }

    static TransactionOptions lockingDefaults() {
        return Defaults.LOCKING;
    }

    static OptimisticTransactionOptions optimisticDefaults() {
        return Defaults.OPTIMISTIC;
    }

    /**
     * Checks the depth of a search for deadlocks. Before the search, RocksDB allocates 12 bytes for each step, and ends the process if the
     * allocation fails.
     */
    private static void requireDepth(TransactionOptions options) {
        if (CApi.rocksdb_transaction_options_get_deadlock_detect(options.nativeHandle_) != 0) {
            OptionChecks.check("deadlockDetectDepth, where deadlocks are detected,",
                    CApi.rocksdb_transaction_options_get_deadlock_detect_depth(options.nativeHandle_), 0, MOST_DEPTH);
        }
    }

    static Transaction beginTransaction(TransactionDB database, WriteOptions writeOptions,
            TransactionOptions options) {
        try (Scratch _ = database.use(); Scratch _ = writeOptions.use(); Scratch _ = options.use()) {
            requireDepth(options);
            return begun(database, NativeTransactionDatabase.begin(database.nativeHandle_, writeOptions.nativeHandle_,
                    options.nativeHandle_, 0));
        }
    }

    static Transaction beginTransaction(TransactionDB database, WriteOptions writeOptions, TransactionOptions options,
            Transaction old) {
        try (Scratch _ = database.use(); Scratch _ = writeOptions.use(); Scratch _ = options.use()) {
            requireDepth(options);
            return begunAgain(database, old, handle -> NativeTransactionDatabase.begin(database.nativeHandle_,
                    writeOptions.nativeHandle_, options.nativeHandle_, handle));
        }
    }

    static Transaction beginTransaction(OptimisticTransactionDB database, WriteOptions writeOptions,
            OptimisticTransactionOptions options) {
        try (Scratch _ = database.use(); Scratch _ = writeOptions.use(); Scratch _ = options.use()) {
            // Under the lock, the comparator is the transaction's.
            synchronized (options) {
                Transaction begun = begun(database, NativeTransactionDatabase.beginOptimistic(database.nativeHandle_,
                        writeOptions.nativeHandle_, options.nativeHandle_, 0));
                begun.state_.keep(options.comparator_);
                return begun;
            }
        }
    }

    static Transaction beginTransaction(OptimisticTransactionDB database, WriteOptions writeOptions,
            OptimisticTransactionOptions options, Transaction old) {
        try (Scratch _ = database.use(); Scratch _ = writeOptions.use(); Scratch _ = options.use()) {
            return begunAgain(database, old, handle -> {
                synchronized (options) {
                    old.state_.owner().keep(options.comparator_);
                    return NativeTransactionDatabase.beginOptimistic(database.nativeHandle_,
                            writeOptions.nativeHandle_, options.nativeHandle_, handle);
                }
            });
        }
    }

    private static Transaction begun(RocksDB database, long handle) {
        Transaction transaction = new Transaction(database, handle);
        transaction.state_.own();
        database.state_.add(transaction);
        return transaction;
    }

    private static Transaction begunAgain(RocksDB database, Transaction old,
            java.util.function.LongUnaryOperator begin) {
        TransactionContext state = old.state_.owner();
        if (!DatabaseState.isSame(state.database(), database)) {
            throw new IllegalArgumentException("The old transaction belongs to another database");
        }
        try (Scratch _ = state.use()) {
            state.withoutSnapshot(() -> true, () -> {
                state.requireUsable();
                state.reset("");
                long _ = begin.applyAsLong(old.nativeHandle_);
            });
            return old;
        }
    }

    static Transaction getTransactionByName(TransactionDB database, String name) {
        // As in setName.
        String wanted = new String(requireNonNull(name, "transactionName").getBytes(UTF_8), UTF_8);
        try (Scratch scratch = database.use()) {
            synchronized (database.state_) {
                recover(scratch, database);
                Transaction found = wanted.isEmpty() ? null : database.state_.transaction(wanted);
                return found == null ? null : alias(found);
            }
        }
    }

    static List<Transaction> getAllPreparedTransactions(TransactionDB database) {
        try (Scratch scratch = database.use()) {
            synchronized (database.state_) {
                List<Transaction> prepared = recover(scratch, database);
                prepared.replaceAll(Transactions::alias);
                return prepared;
            }
        }
    }

    /** Makes another object for a transaction. Closing it does nothing. */
    private static Transaction alias(Transaction original) {
        Transaction alias = new Transaction(original.state_.database(), original.nativeHandle_);
        alias.state_.alias(original);
        return alias;
    }

    /**
     * Returns all prepared transactions. A transaction that was prepared before the database was opened gets an object that ends with the
     * database. Other transactions are found by their addresses, because their names may be changing in a thread that begins them again.
     */
    private static List<Transaction> recover(Scratch scratch, TransactionDB database) {
        List<Transaction> prepared = new ArrayList<>();
        for (long handle : NativeTransaction.prepared(scratch, database.nativeHandle_)) {
            Transaction owner = database.state_.owner(NativeCalls.readLong(handle));
            if (owner == null) {
                owner = begun(database, handle);
                owner.state_.reset(TransactionContext.nameOf(scratch, handle));
            } else {
                // This frees only the structure that points to the transaction.
                NativeHeap.free(handle);
            }
            prepared.add(owner);
        }
        return prepared;
    }

    static void setDeadlockInfoBufferSize(TransactionDB database, int size) {
        // RocksDB allocates this many entries.
        OptionChecks.check("targetSize", size, 0, MOST_DEADLOCKS);
        try (Scratch _ = database.use()) {
            TransactionDB.jniSetDeadlockInfoBufferSize(NativeCalls.readLong(database.nativeHandle_),
                    size);
        }
    }

    @SuppressWarnings("unchecked") // native code puts these
    static Map<Long, TransactionDB.KeyLockInfo> getLockStatusData(TransactionDB database) {
        try (Scratch _ = database.use()) {
            return TransactionDB.jniGetLockStatusData(NativeCalls.readLong(database.nativeHandle_));
        }
    }

    /*
     * The library's function looks for a constructor of a wrong class for a deadlock. So it throws after it has reported all transactions
     * of the newest deadlock. Or it throws earlier, because it has room for only as many transactions as there are deadlocks.
     */
    static TransactionDB.DeadlockPath[] getDeadlockInfoBuffer(TransactionDB database) {
        List<TransactionDB.DeadlockInfo> told = new ArrayList<>();
        TOLD.set(told);
        try (Scratch _ = database.use()) {
            return TransactionDB.jniGetDeadlockInfoBuffer(NativeCalls.readLong(database.nativeHandle_));
        } catch (NoSuchMethodError | ArrayIndexOutOfBoundsException e) {
            // RocksDB keeps no transactions for a deadlock that was too long to follow.
            return new TransactionDB.DeadlockPath[]{new TransactionDB.DeadlockPath(
                    told.toArray(TransactionDB.DeadlockInfo[]::new), told.isEmpty())};
        } finally {
            TOLD.remove();
        }
    }

    /** Receives a transaction of a deadlock. Called by native code. */
    static TransactionDB.DeadlockInfo told(TransactionDB.DeadlockInfo info) {
        TOLD.get().add(info);
        return info;
    }

    static OptimisticTransactionOptions setComparator(OptimisticTransactionOptions options,
            AbstractComparator comparator) {
        Object kept = comparator.kept();
        try (Scratch _ = options.use()) {
            synchronized (options) {
                OptimisticTransactionOptions.jniSetComparator(options.nativeHandle_, comparator.nativeHandle_);
                options.comparator_ = kept;
            }
        }
        return options;
    }

    static RocksDB getBaseDB(OptimisticTransactionDB database) {
        return database.state_.base();
    }
}
