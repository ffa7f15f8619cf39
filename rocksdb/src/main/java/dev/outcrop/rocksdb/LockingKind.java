package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A database whose transactions lock their keys. */
final class LockingKind implements DatabaseKind {
    private final TransactionDBOptions options;
    /** Whether the base database sees what was prepared but not committed, so that reads have to go through the transactions. */
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
        try (Scratch scratch = Native.scratch()) {
            recovered = NativeTransaction.prepared(scratch, transactionDb);
        } catch (Throwable e) {
            // Out of memory: nobody knows yet that it is open.
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

    /** The native transactions that were recovered; once, because the caller owns them then. */
    synchronized long[] takeRecovered() {
        long[] taken = recovered;
        recovered = new long[0];
        return taken;
    }

    /** Begins transactions; called while the store is entered. */
    TransactionStarter starter(WriteOptions writeOptions, TransactionOptions transactionOptions) {
        return new Starter(writeOptions, transactionOptions);
    }

    private final class Starter implements TransactionStarter {
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
                    ? Conflicts.timeout(options.transactionLockTimeout(), "TransactionDBOptions.transactionLockTimeout")
                    : Conflicts.timeout(own, "TransactionOptions.lockTimeout");
        }
    }

    @Override
    public String lockTimeout() {
        return Conflicts.timeout(options.defaultLockTimeout(), "TransactionDBOptions.defaultLockTimeout");
    }

    @Override
    public KeyValueWriter writer(Family family, WriteOptions writeOptions) {
        return new LockingFamilyWriter(family, writeOptions, transactionDb);
    }

    @Override
    public boolean takesTimestamps() {
        return false;
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
        FirstCalls.linkTransactions();
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

    /** Reads that leave out what is not committed yet. */
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
