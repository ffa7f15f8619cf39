package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.DatabaseOpener.OpenedHandles;
import dev.outcrop.rocksdb.TransactionOperations.Conflicts;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;
import dev.outcrop.rocksdb.engine.PointWrites;
import dev.outcrop.rocksdb.engine.batch.ClassPreloading;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A database with transactions that lock the keys they write. A conflict therefore shows when a key is written, not when the transaction is
 * committed. Use this class where conflicts are frequent, and {@link OptimisticTransactionDB} where they are rare.
 *
 * <p>Writes without a transaction lock their key too, during the write. The directory has the format of any other database, and can be
 * opened as an ordinary database when no prepared transaction is left.
 */
public final class TransactionDB extends RocksDB {
    private final LockingKind kind;

    private TransactionDB(Path path, OpenedHandles opened, LockingKind kind) {
        super(path, opened);
        this.kind = kind;
    }

    /**
     * Opens an existing database with the options that it was last opened with, see {@link RocksDB#open(Path)}, and RocksDB's default
     * options for transactions.
     *
     * @param path the database's directory
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link RocksDB#open(Path)}
     */
    public static TransactionDB open(Path path) {
        LoadedOptions stored = LoadedOptions.toReopen(path);
        return open(path, stored.database(), new TransactionDBOptions(), stored.columnFamilies());
    }

    /**
     * Opens a database with RocksDB's default options for transactions.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link RocksDB#open(Path, Options)}
     */
    public static TransactionDB open(Path path, Options options) {
        return open(path, options, new TransactionDBOptions(), Map.of());
    }

    /**
     * Opens a database with RocksDB's default options for transactions.
     *
     * @param path     the database's directory
     * @param options  how to open it, and its column families that are not named here
     * @param families options of column families by name, see {@link RocksDB#open(Path, Options, Map)}
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link RocksDB#open(Path, Options, Map)}
     */
    public static TransactionDB open(Path path, Options options, Map<String, Options> families) {
        return open(path, options, new TransactionDBOptions(), families);
    }

    /**
     * Opens a database.
     *
     * @param path               the database's directory
     * @param options            how to open it, and its column families that are not named here
     * @param transactionOptions how its transactions work; they can no longer be changed
     * @param families           options of column families by name, see {@link RocksDB#open(Path, Options, Map)}
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link RocksDB#open(Path, Options, Map)}
     */
    public static TransactionDB open(Path path, Options options, TransactionDBOptions transactionOptions,
            Map<String, Options> families) {
        Objects.requireNonNull(transactionOptions, "transactionOptions");
        Path real = DatabaseDirectory.normalize(path);
        LockingKind kind = new LockingKind(transactionOptions);
        return new TransactionDB(real, DatabaseOpener.open(real, options, families, kind, kind::open), kind);
    }

    /**
     * Begins a transaction with RocksDB's default options.
     *
     * @return the transaction, which the caller must close
     */
    public Transaction begin() {
        return begin(new WriteOptions(), new TransactionOptions());
    }

    /**
     * Begins a transaction.
     *
     * @param writeOptions       how it is written when it is prepared and committed; they can no longer be changed
     * @param transactionOptions how it works; they can no longer be changed
     * @return the transaction, which the caller must close
     */
    public Transaction begin(WriteOptions writeOptions, TransactionOptions transactionOptions) {
        return new Transaction(database(), kind.starter(writeOptions, transactionOptions));
    }

    /**
     * Runs work in a transaction and commits it, and retries in a new transaction after conflicts, with {@link RetryOptions#DEFAULT} and
     * RocksDB's default options. See {@link #transact(RetryOptions, WriteOptions, TransactionOptions, TransactionWork)}.
     *
     * <pre>{@code
     * long balance = db.transact(transaction -> {
     *     long less = amount(transaction.getForUpdate(account)) - price;
     *     transaction.put(account, bytes(less));
     *     return less;
     * });
     * }</pre>
     *
     * @param work the work; it may be called several times
     * @param <T>  the type of the result
     * @param <X>  the type of the exceptions of the work
     * @return the result of the last call of the work
     * @throws X                if the work throws it; the transaction was rolled back
     * @throws RocksDBException see the other method
     */
    public <T extends @Nullable Object, X extends Exception> T transact(TransactionWork<T, X> work) throws X {
        return transact(RetryOptions.DEFAULT, new WriteOptions(), new TransactionOptions(), work);
    }

    /**
     * Runs work in a transaction and commits it. If that fails because of a conflict ({@link RocksDBException#isRetryable()}), the
     * transaction is rolled back, and after a pause the work runs again in a new one. Any other exception also rolls the transaction back,
     * and this method throws the exception. The work may end the transaction itself; this method does not commit it then.
     *
     * <p>Thread-safe, and suitable for virtual threads, which release their carrier during pauses, but not while they wait for a lock.
     *
     * @param retry              how often to run the work at most, and how long to pause
     * @param writeOptions       how it is written when it is committed; they can no longer be changed
     * @param transactionOptions how the transactions work; they can no longer be changed
     * @param work               the work; it may be called several times
     * @param <T>                the type of the result
     * @param <X>                the type of the exceptions of the work
     * @return the result of the last call of the work
     * @throws X                if the work throws it; the transaction was rolled back
     * @throws RocksDBException if all attempts met a conflict, with the last failure as its cause; if the thread is interrupted in a pause
     *                          (it stays interrupted); or if RocksDB fails in another way
     */
    public <T extends @Nullable Object, X extends Exception> T transact(RetryOptions retry, WriteOptions writeOptions,
            TransactionOptions transactionOptions, TransactionWork<T, X> work) throws X {
        Objects.requireNonNull(retry, "retry");
        return retry.transact(() -> begin(writeOptions, transactionOptions), work);
    }

    /**
     * Returns the transactions that were prepared, but neither committed nor rolled back, before the database was opened: a program that
     * crashed between the two phases left them behind. They hold their locks until they are committed or rolled back.
     *
     * @return the transactions, which the caller must commit or roll back, and close; empty from the second call on
     */
    public List<Transaction> preparedTransactions() {
        Transaction.Starter starter = kind.starter(new WriteOptions(), new TransactionOptions());
        List<Transaction> transactions = new ArrayList<>();
        // A closed database throws before anything is taken.
        database().enter().close();
        for (long recovered : kind.takeRecovered()) {
            transactions.add(new Transaction(database(), starter, recovered, true).withRecovered());
        }
        return transactions;
    }

    /** The kind of database with transactions that lock their keys. */
    private static final class LockingKind implements DatabaseKind {
        private final TransactionDBOptions options;
        /**
         * Whether the base database sees changes that were prepared but not committed, so that reads have to go through the transactions.
         */
        private final boolean writesEarly;
        /** The {@code rocksdb_transactiondb_t *}, from opening on. */
        private long transactionDb;
        /** Native transactions that the log held when the database was opened. */
        private long[] recovered = {};

        LockingKind(TransactionDBOptions options) {
            this.options = options;
            this.writesEarly = options.writePolicy() != TransactionWritePolicy.COMMITTED;
        }

        /** A {@link DatabaseOpener.Opener}. */
        long open(long nativeOptions, MemorySegment path, int count, long names, long familyOptions, long handles,
                long error) {
            transactionDb = NativeTransactionDatabase.open(nativeOptions, options.use(), path, count, names,
                    familyOptions, handles, error);
            if (transactionDb == 0) {
                return 0;
            }
            try (Scratch scratch = ApiCall.scratch()) {
                recovered = NativeTransaction.prepared(scratch, transactionDb);
            } catch (Throwable e) {
                // Out of memory: nothing else would close it.
                for (int i = 0; i < count; i++) {
                    NativeFamilies.close(NativeCalls.readLong(handles + (long) i * Long.BYTES));
                }
                NativeTransactionDatabase.close(transactionDb);
                throw e;
            }
            return NativeTransactionDatabase.base(transactionDb);
        }

        @Override
        public boolean numbersEntries() {
            return !writesEarly;
        }

        /** Returns the native transactions that were recovered; only once, because the caller then owns them. */
        synchronized long[] takeRecovered() {
            long[] taken = recovered;
            recovered = new long[0];
            return taken;
        }

        /** Begins transactions; called while the database is entered. */
        Transaction.Starter starter(WriteOptions writeOptions, TransactionOptions transactionOptions) {
            return new Starter(writeOptions, transactionOptions);
        }

        private final class Starter implements Transaction.Starter {
            private final WriteOptions writeOptions;
            private final TransactionOptions transactionOptions;

            Starter(WriteOptions writeOptions, TransactionOptions transactionOptions) {
                this.writeOptions = Objects.requireNonNull(writeOptions, "writeOptions");
                this.transactionOptions = Objects.requireNonNull(transactionOptions, "transactionOptions");
            }

            @Override
            public long begin(long ended) {
                try {
                    return NativeTransactionDatabase.begin(transactionDb, writeOptions.use(), transactionOptions.use(),
                            ended);
                } finally {
                    Reference.reachabilityFence(writeOptions);
                    Reference.reachabilityFence(transactionOptions);
                }
            }

            @Override
            public String lockTimeout() {
                Duration own = transactionOptions.lockTimeout();
                return own.isNegative()
                        ? Conflicts.timeout(options.transactionLockTimeout(),
                                "TransactionDBOptions.transactionLockTimeout")
                        : Conflicts.timeout(own, "TransactionOptions.lockTimeout");
            }
        }

        @Override
        public String lockTimeout() {
            return Conflicts.timeout(options.defaultLockTimeout(), "TransactionDBOptions.defaultLockTimeout");
        }

        @Override
        public KeyValueWriter writer(Family family, WriteOptions writeOptions) {
            return new LockingWriter(family, writeOptions, transactionDb);
        }

        @Override
        public boolean locksKeys() {
            return true;
        }

        @Override
        public boolean hasCommitTimestamps() {
            return !writesEarly;
        }

        @Override
        public void write(long db, long nativeOptions, long batch, long error) {
            CApi.rocksdb_transactiondb_write(transactionDb, nativeOptions, batch, error);
        }

        @Override
        public KeyValueReader reader(Family family, ReadOptions readOptions) {
            return writesEarly
                    ? new LockingReads(family, readOptions, transactionDb)
                    : DatabaseKind.super.reader(family, readOptions);
        }

        @Override
        public long createColumnFamily(long db, long familyOptions, MemorySegment name, long error) {
            return CApi.rocksdb_transactiondb_create_column_family(transactionDb, familyOptions, name, error);
        }

        @Override
        public long createSnapshot(long db) {
            return CApi.rocksdb_transactiondb_create_snapshot(transactionDb);
        }

        @Override
        public void releaseSnapshot(long db, long snapshot) {
            CApi.rocksdb_transactiondb_release_snapshot(transactionDb, snapshot);
        }

        @Override
        public long createCheckpoint(long db, long error) {
            return CApi.rocksdb_transactiondb_checkpoint_object_create(transactionDb, error);
        }

        @Override
        public void flush(long db, long flushOptions, long handle, long error) {
            CApi.rocksdb_transactiondb_flush_cf(transactionDb, flushOptions, handle, error);
        }

        @Override
        public void flush(long db, long flushOptions, long handles, int count, long error) {
            CApi.rocksdb_transactiondb_flush_cfs(transactionDb, flushOptions, handles, count, error);
        }

        @Override
        public void flushWal(long db, boolean sync, long error) {
            CApi.rocksdb_transactiondb_flush_wal(transactionDb, (byte) (sync ? 1 : 0), error);
        }

        @Override
        public void flushWal(long db, long flushOptions, long error) {
            CApi.rocksdb_transactiondb_flush_wal_with_options(transactionDb, flushOptions, error);
        }

        @Override
        public void linkCalls() {
            ClassPreloading.transactions();
            Linkage.linkNow("rocksdb_transactiondb_close_base_db", "rocksdb_transactiondb_close",
                    "rocksdb_transactiondb_create_snapshot", "rocksdb_transactiondb_release_snapshot",
                    "rocksdb_transaction_begin", "rocksdb_transactiondb_put_cf",
                    "rocksdb_transactiondb_merge_cf", "rocksdb_transactiondb_delete_cf", "rocksdb_transactiondb_write",
                    "rocksdb_transactiondb_get_pinned_cf",
                    "rocksdb_transactiondb_create_iterator_cf");
        }

        @Override
        public void close(long db) {
            NativeTransactionDatabase.closeBase(db);
            // Also frees the recovered transactions that were not taken.
            NativeTransactionDatabase.close(transactionDb);
        }

        /** Reads that leave out uncommitted changes. */
        private static final class LockingReads extends PinningReader {
            private final long transactionDb;

            LockingReads(Family family, ReadOptions options, long transactionDb) {
                super(family, options);
                this.transactionDb = transactionDb;
            }

            @Override
            void beginRead() {
                // Any number of threads may read a database.
            }

            @Override
            void endRead() {
                // Nothing was begun.
            }

            @Override
            Iterators.Source iteratorSource() {
                return nativeOptions -> CApi.rocksdb_transactiondb_create_iterator_cf(transactionDb, nativeOptions,
                        family.handle);
            }

            @Override
            long lookUp(FamilyHandle of, MemorySegment key, long keyLength, @Nullable LockMode mode, long error) {
                return CApi.rocksdb_transactiondb_get_pinned_cf(transactionDb, readOptions, of.handle, key, keyLength,
                        error);
            }
        }
    }

    /** Writes without a transaction: each write locks its key too, as a small transaction. */
    private static final class LockingWriter extends FamilyWriter {
        LockingWriter(Family family, WriteOptions options, long transactionDb) {
            super(family, options, transactionDb);
        }

        /** Says which key could not be locked. */
        @Override
        RocksDBException failure(Status status, MemorySegment key) {
            return Conflicts.ofKey(status, family, key, family.database.kind().lockTimeout());
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
}
