package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.DatabaseOpener.OpenedHandles;
import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;
import dev.outcrop.rocksdb.engine.batch.ClassPreloading;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A database with transactions that lock nothing: a commit fails with {@link Status.Code#BUSY} if another write has meanwhile changed a key
 * that the transaction wrote or read for update. Use this class where conflicts are rare.
 */
public final class OptimisticTransactionDB extends RocksDB {
    private final OptimisticKind kind;

    private OptimisticTransactionDB(Path path, OpenedHandles opened, OptimisticKind kind) {
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
    public static OptimisticTransactionDB open(Path path) {
        LoadedOptions stored = LoadedOptions.toReopen(path);
        return open(path, stored.database(), stored.columnFamilies());
    }

    /**
     * Opens a database with RocksDB's default options for transactions.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link RocksDB#open(Path, Options)}
     */
    public static OptimisticTransactionDB open(Path path, Options options) {
        return open(path, options, Map.of());
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
    public static OptimisticTransactionDB open(Path path, Options options, Map<String, Options> families) {
        return open(path, options, families, NativeTransactionDatabase::openOptimistic);
    }

    /**
     * Opens a database.
     *
     * @param path               the database's directory
     * @param options            how to open it, and its column families that are not named here
     * @param transactionOptions how its transactions work
     * @param families           options of column families by name, see {@link RocksDB#open(Path, Options, Map)}
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link RocksDB#open(Path, Options, Map)}
     */
    public static OptimisticTransactionDB open(Path path, Options options,
            OptimisticTransactionDBOptions transactionOptions, Map<String, Options> families) {
        Objects.requireNonNull(transactionOptions, "transactionOptions");
        return open(path, options, families, (nativeOptions, name, count, names, familyOptions, handles, error) -> {
            try {
                return CApi.rocksdb_optimistictransactiondb_open_column_families_with_otxn_db_options(nativeOptions,
                        transactionOptions.use(), name, count, names, familyOptions, handles, error);
            } finally {
                Reference.reachabilityFence(transactionOptions);
            }
        });
    }

    private static OptimisticTransactionDB open(Path path, Options options, Map<String, Options> families,
            DatabaseOpener.Opener opener) {
        Path real = DatabaseDirectory.normalize(path);
        OptimisticKind kind = new OptimisticKind();
        OpenedHandles opened = DatabaseOpener.open(real, options, families, kind,
                (nativeOptions, name, count, names, familyOptions, handles, error) -> {
                    kind.transactionDb = opener.open(nativeOptions, name, count, names, familyOptions, handles, error);
                    return kind.transactionDb == 0
                            ? 0
                            : NativeTransactionDatabase.optimisticBase(kind.transactionDb);
                });
        return new OptimisticTransactionDB(real, opened, kind);
    }

    /**
     * Begins a transaction with RocksDB's default options.
     *
     * @return the transaction, which the caller must close
     */
    public Transaction begin() {
        return begin(new WriteOptions(), new OptimisticTransactionOptions());
    }

    /**
     * Begins a transaction.
     *
     * @param writeOptions       how it is written when it is committed; they can no longer be changed
     * @param transactionOptions how it works; they can no longer be changed
     * @return the transaction, which the caller must close
     */
    public Transaction begin(WriteOptions writeOptions, OptimisticTransactionOptions transactionOptions) {
        return new Transaction(database(), ended -> {
            try {
                return NativeTransactionDatabase.beginOptimistic(kind.transactionDb, writeOptions.use(),
                        transactionOptions.use(), ended);
            } finally {
                Reference.reachabilityFence(writeOptions);
                Reference.reachabilityFence(transactionOptions);
            }
        });
    }

    /**
     * Runs work in a transaction and commits it, and retries in a new transaction after conflicts, with {@link RetryOptions#DEFAULT} and
     * RocksDB's default options. See {@link #transact(RetryOptions, WriteOptions, OptimisticTransactionOptions, TransactionWork)}.
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
        return transact(RetryOptions.DEFAULT, new WriteOptions(), new OptimisticTransactionOptions(), work);
    }

    /**
     * Runs work in a transaction and commits it. If that fails because of a conflict ({@link RocksDBException#isRetryable()}), the
     * transaction is rolled back, and after a pause the work runs again in a new one. Any other exception also rolls the transaction back,
     * and this method throws the exception. The work may end the transaction itself; this method does not commit it then.
     *
     * <p>Thread-safe, and suitable for virtual threads, which release their carrier during pauses.
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
            OptimisticTransactionOptions transactionOptions, TransactionWork<T, X> work) throws X {
        Objects.requireNonNull(retry, "retry");
        return retry.transact(() -> begin(writeOptions, transactionOptions), work);
    }

    /** Writes go to the base database: a transaction notices them when it commits. */
    private static final class OptimisticKind implements DatabaseKind {
        /** The {@code rocksdb_optimistictransactiondb_t *}, from opening on. */
        private long transactionDb;

        @Override
        public KeyValueWriter writer(Family family, WriteOptions options) {
            return new FamilyWriter(family, options);
        }

        @Override
        public void write(long db, long nativeOptions, long batch, long error) {
            CApi.rocksdb_optimistictransactiondb_write(transactionDb, nativeOptions, batch, error);
        }

        @Override
        public long createCheckpoint(long db, long error) {
            return CApi.rocksdb_optimistictransactiondb_checkpoint_object_create(transactionDb, error);
        }

        @Override
        public void linkCalls() {
            ClassPreloading.transactions();
            Linkage.linkNow("rocksdb_optimistictransactiondb_close_base_db", "rocksdb_optimistictransactiondb_close",
                    "rocksdb_create_snapshot", "rocksdb_release_snapshot", "rocksdb_optimistictransaction_begin",
                    "rocksdb_optimistictransactiondb_write");
        }

        @Override
        public void close(long db) {
            NativeTransactionDatabase.closeOptimisticBase(db);
            NativeTransactionDatabase.closeOptimistic(transactionDb);
        }
    }
}
