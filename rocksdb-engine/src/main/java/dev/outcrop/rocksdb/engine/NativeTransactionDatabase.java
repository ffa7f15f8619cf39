package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CMemory;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Calls on databases with transactions: a {@code rocksdb_transactiondb_t *} locks the keys that transactions write, a
 * {@code rocksdb_optimistictransactiondb_t *} looks for conflicts when they commit.
 */
public final class NativeTransactionDatabase {
    private static final int COUNT = 1;

    private NativeTransactionDatabase() {
    }

    /** Opens one that locks keys; 0 if that fails. */
    public static long open(long options, long transactionOptions, MemorySegment path, int count, long names,
            long familyOptions, long handles, long error) {
        return CApi.rocksdb_transactiondb_open_column_families(options, transactionOptions, path, count, names,
                familyOptions, handles, error);
    }

    /** Opens an optimistic one; 0 if that fails. */
    public static long openOptimistic(long options, MemorySegment path, int count, long names, long familyOptions,
            long handles, long error) {
        return CApi.rocksdb_optimistictransactiondb_open_column_families(options, path, count, names, familyOptions,
                handles, error);
    }

    /** Closes it; also frees its prepared transactions that were not taken. */
    public static void close(long database) {
        CApi.rocksdb_transactiondb_close(database);
    }

    public static void closeOptimistic(long database) {
        CApi.rocksdb_optimistictransactiondb_close(database);
    }

    /** A {@code rocksdb_t *} for the same database; the caller frees this holder with {@link #closeBase}. */
    public static long base(long database) {
        return CApi.rocksdb_transactiondb_get_base_db(database);
    }

    /** As {@link #base}; freed with {@link #closeOptimisticBase}. */
    public static long optimisticBase(long database) {
        return CApi.rocksdb_optimistictransactiondb_get_base_db(database);
    }

    public static void closeBase(long base) {
        CApi.rocksdb_transactiondb_close_base_db(base);
    }

    public static void closeOptimisticBase(long base) {
        CApi.rocksdb_optimistictransactiondb_close_base_db(base);
    }

    /**
     * Begins a {@code rocksdb_transaction_t *}.
     *
     * @param ended one that has ended and is begun anew; 0 for a new one
     */
    public static long begin(long database, long writeOptions, long options, long ended) {
        return CApi.rocksdb_transaction_begin(database, writeOptions, options, ended);
    }

    /** As {@link #begin}, of an optimistic database. */
    public static long beginOptimistic(long database, long writeOptions, long options, long ended) {
        return CApi.rocksdb_optimistictransaction_begin(database, writeOptions, options, ended);
    }

    /** All that are prepared and not committed, each in a new holder: a {@code rocksdb_transaction_t *}. */
    public static long[] prepared(Scratch scratch, long database) {
        long transactions = CApi.rocksdb_transactiondb_get_prepared_transactions(database, scratch.wordAddress(COUNT));
        if (transactions == 0) {
            return new long[0];
        }
        try {
            return NativeCalls.view(transactions, scratch.word(COUNT) * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
        } finally {
            CMemory.free(transactions);
        }
    }
}
