package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.capi.Linkage;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * A database with transactions that lock nothing: a commit fails with {@link Status.Code#BUSY} if another one has changed a key meanwhile
 * that the transaction wrote or read for update. For where conflicts are rare.
 */
public final class OptimisticTransactionDB extends RocksDB {
    private final OptimisticKind kind;

    private OptimisticTransactionDB(Path path, Opened opened, OptimisticKind kind) {
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
    public static OptimisticTransactionDB open(Path path, Options options) {
        return open(path, options, Map.of());
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
    public static OptimisticTransactionDB open(Path path, Options options, Map<String, Options> families) {
        return open(path, options, families, CApi::rocksdb_optimistictransactiondb_open_column_families);
    }

    /**
     * Opens a database.
     *
     * @param path               the database's directory
     * @param options            how to open it, and its column families that are not named here
     * @param transactionOptions how its transactions work
     * @param families           options of column families by name, see {@link RocksDB#open(Path, Options, Map)}
     * @return the database, to be closed by the caller
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
            Opening.Opener opener) {
        Path real = Opening.normalize(path);
        OptimisticKind kind = new OptimisticKind();
        Opened opened = Opening.open(real, options, families, kind,
                (nativeOptions, name, count, names, familyOptions, handles, error) -> {
                    kind.transactionDb = opener.open(nativeOptions, name, count, names, familyOptions, handles, error);
                    return kind.transactionDb == 0
                            ? 0
                            : CApi.rocksdb_optimistictransactiondb_get_base_db(kind.transactionDb);
                });
        return new OptimisticTransactionDB(real, opened, kind);
    }

    /**
     * Begins a transaction with RocksDB's default options.
     *
     * @return the transaction, to be closed by the caller
     * @throws IllegalStateException if the database is closed
     */
    public Transaction begin() {
        return begin(new WriteOptions(), new OptimisticTransactionOptions());
    }

    /**
     * Begins a transaction.
     *
     * @param writeOptions       how it is written when it is committed; they cannot be changed any more
     * @param transactionOptions how it works; they cannot be changed any more
     * @return the transaction, to be closed by the caller
     * @throws IllegalStateException if the database is closed
     */
    public Transaction begin(WriteOptions writeOptions, OptimisticTransactionOptions transactionOptions) {
        return new Transaction(store(), ended -> {
            try {
                return CApi.rocksdb_optimistictransaction_begin(kind.transactionDb, writeOptions.use(),
                        transactionOptions.use(), ended);
            } finally {
                Reference.reachabilityFence(writeOptions);
                Reference.reachabilityFence(transactionOptions);
            }
        });
    }

    /** Writes go to the base database: a transaction notices them when it commits. */
    private static final class OptimisticKind implements DatabaseKind {
        /** The {@code rocksdb_optimistictransactiondb_t *}, from opening on. */
        private long transactionDb;

        @Override
        public KeyValueWriter writer(Family family, WriteOptions options) {
            return new Writes(family, options);
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
        public void linkClosing() {
            Linkage.linkNow("rocksdb_optimistictransactiondb_close_base_db", "rocksdb_optimistictransactiondb_close",
                    "rocksdb_release_snapshot");
        }

        @Override
        public void close(long db) {
            CApi.rocksdb_optimistictransactiondb_close_base_db(db);
            CApi.rocksdb_optimistictransactiondb_close(transactionDb);
        }
    }
}
