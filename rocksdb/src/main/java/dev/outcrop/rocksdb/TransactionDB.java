package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A database with transactions that lock the keys they write, so that conflicts show when a key is written and not when the transaction
 * is committed. For where conflicts are frequent; {@link OptimisticTransactionDB} is for where they are rare.
 *
 * <p>Writes without a transaction lock their key too, for the moment. The directory is that of any other database, and can be opened as
 * one when no transaction is left that was prepared.
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
     * @return the database, to be closed by the caller
     * @throws RocksDBException see {@link RocksDB#open(Path)}
     */
    public static TransactionDB open(Path path) {
        LoadedOptions stored = Reopening.options(path);
        return open(path, stored.database(), new TransactionDBOptions(), stored.columnFamilies());
    }

    /**
     * Opens a database with RocksDB's default options for transactions.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @return the database, to be closed by the caller
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
     * @return the database, to be closed by the caller
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
     * @param transactionOptions how its transactions work; they cannot be changed any more
     * @param families           options of column families by name, see {@link RocksDB#open(Path, Options, Map)}
     * @return the database, to be closed by the caller
     * @throws RocksDBException see {@link RocksDB#open(Path, Options, Map)}
     */
    public static TransactionDB open(Path path, Options options, TransactionDBOptions transactionOptions,
            Map<String, Options> families) {
        Objects.requireNonNull(transactionOptions, "transactionOptions");
        Path real = DatabaseOpener.normalize(path);
        LockingKind kind = new LockingKind(transactionOptions);
        return new TransactionDB(real, DatabaseOpener.open(real, options, families, kind, kind::open), kind);
    }

    /**
     * Begins a transaction with RocksDB's default options.
     *
     * @return the transaction, to be closed by the caller
     * @throws IllegalStateException if the database is closed
     */
    public Transaction begin() {
        return begin(new WriteOptions(), new TransactionOptions());
    }

    /**
     * Begins a transaction.
     *
     * @param writeOptions       how it is written when it is prepared and committed; they cannot be changed any more
     * @param transactionOptions how it works; they cannot be changed any more
     * @return the transaction, to be closed by the caller
     * @throws IllegalStateException if the database is closed
     */
    public Transaction begin(WriteOptions writeOptions, TransactionOptions transactionOptions) {
        return new Transaction(store(), kind.starter(writeOptions, transactionOptions));
    }

    /**
     * Does work in a transaction and commits it, and does it all again in another transaction as long as it meets others, see
     * {@link #transact(RetryOptions, WriteOptions, TransactionOptions, TransactionWork)}; with {@link RetryOptions#DEFAULT}
     * and RocksDB's default options.
     *
     * <pre>{@code
     * long balance = db.transact(transaction -> {
     *     long less = amount(transaction.getForUpdate(account)) - price;
     *     transaction.put(account, bytes(less));
     *     return less;
     * });
     * }</pre>
     *
     * @param work what to do; it may be called several times
     * @param <T>  what it gives
     * @param <X>  what it may throw
     * @return what the last call of the work has returned
     * @throws X                     if the work throws it; the transaction was rolled back
     * @throws RocksDBException      see the other form
     * @throws IllegalStateException if the database is closed
     */
    public <T extends @Nullable Object, X extends Exception> T transact(TransactionWork<T, X> work) throws X {
        return transact(RetryOptions.DEFAULT, new WriteOptions(), new TransactionOptions(), work);
    }

    /**
     * Does work in a transaction and commits it. Where that fails because it has met another transaction or write
     * ({@link RocksDBException#isRetryable()}), the transaction is rolled back, and after a pause all is done again in a new one. Any other
     * exception ends it, after a rollback too. The work may end the transaction itself; it is not committed then.
     *
     * <p>Thread-safe, and fit for virtual threads, which give up their carrier during pauses, not while they wait for a lock.
     *
     * @param retry              how often the work is done at most, and how long the pauses are
     * @param writeOptions       how it is written when it is committed; they cannot be changed any more
     * @param transactionOptions how the transactions work; they cannot be changed any more
     * @param work               what to do; it may be called several times
     * @param <T>                what it gives
     * @param <X>                what it may throw
     * @return what the last call of the work has returned
     * @throws X                     if the work throws it; the transaction was rolled back
     * @throws RocksDBException      if all attempts have met others, with the last failure as its cause; also if the thread is interrupted
     *                               in a pause, which keeps it interrupted; or if RocksDB fails in another way
     * @throws IllegalStateException if the database is closed
     */
    public <T extends @Nullable Object, X extends Exception> T transact(RetryOptions retry, WriteOptions writeOptions,
            TransactionOptions transactionOptions, TransactionWork<T, X> work) throws X {
        Objects.requireNonNull(retry, "retry");
        return Retries.transact(() -> begin(writeOptions, transactionOptions), retry, work);
    }

    /**
     * The transactions that were prepared, but neither committed nor rolled back, before the database was opened: what a program left
     * behind that crashed between the two phases. They hold their locks until they are committed or rolled back.
     *
     * @return the transactions, to be committed or rolled back, and closed, by the caller; empty from the second call on
     * @throws IllegalStateException if the database is closed
     */
    public List<Transaction> preparedTransactions() {
        TransactionStarter starter = kind.starter(new WriteOptions(), new TransactionOptions());
        List<Transaction> transactions = new ArrayList<>();
        // So that a closed database says so before anything is taken.
        store().enter().close();
        for (long recovered : kind.takeRecovered()) {
            transactions.add(new Transaction(store(), starter, recovered, true));
        }
        return transactions;
    }
}
