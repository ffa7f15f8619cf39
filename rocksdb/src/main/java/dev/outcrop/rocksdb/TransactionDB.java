package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A database with transactions that lock the keys they write, so that conflicts show when a key is written and not when the transaction
 * is committed. For where conflicts are frequent; {@link OptimisticTransactionDB} is for where they are rare.
 *
 * <p>Writes without a transaction lock their key too, for the moment. The directory is that of any other database, and can be opened as
 * one when no transaction is left that was prepared.
 */
public final class TransactionDB extends RocksDB {
    private final LockingKind kind;

    private TransactionDB(Path path, Opened opened, LockingKind kind) {
        super(path, opened);
        this.kind = kind;
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
        Path real = Opening.normalize(path);
        LockingKind kind = new LockingKind(transactionOptions);
        return new TransactionDB(real, Opening.open(real, options, families, kind, kind::open), kind);
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
