package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Calls on a {@code rocksdb_transaction_t *}, which only one thread at a time may make. */
public final class NativeTransaction extends TransactionCalls {
    private static final int LENGTH = 1;

    private NativeTransaction() {
    }

    /** Returns all transactions that are prepared and not committed, each in a new holder: a {@code rocksdb_transaction_t *}. */
    public static long[] prepared(Scratch scratch, long database) {
        long transactions = CApi.rocksdb_transactiondb_get_prepared_transactions(database, scratch.wordAddress(LENGTH));
        if (transactions == 0) {
            return new long[0];
        }
        try {
            return NativeCalls.view(transactions, scratch.word(LENGTH) * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
        } finally {
            NativeHeap.free(transactions);
        }
    }

    /** Returns the name; empty if there is none. */
    public static byte[] name(Scratch scratch, long transaction) {
        long name = CApi.rocksdb_transaction_get_name(transaction, scratch.wordAddress(LENGTH));
        byte[] bytes = NativeCalls.view(name, scratch.word(LENGTH)).toArray(ValueLayout.JAVA_BYTE);
        NativeHeap.free(name);
        return bytes;
    }

    /** Returns the C++ snapshot of the transaction; 0 for none. */
    public static long snapshot(long transaction) {
        long holder = snapshotHolder(transaction);
        long snapshot = NativeCalls.readLong(holder);
        NativeHeap.free(holder);
        return snapshot;
    }

    public static void put(Scratch scratch, long transaction, long family, MemorySegment key, MemorySegment value) {
        long error = NativeCall.error(scratch);
        if (NativeCall.fits(scratch, key.byteSize() + value.byteSize())) {
            MemorySegment a = NativeCall.key(scratch, key);
            MemorySegment b = NativeCall.value(scratch, value);
            CApi.rocksdb_transaction_put_cf(transaction, family, a, key.byteSize(), b, value.byteSize(), error);
        }
    }

    public static void merge(Scratch scratch, long transaction, long family, MemorySegment key,
            MemorySegment operand) {
        long error = NativeCall.error(scratch);
        if (NativeCall.fits(scratch, key.byteSize() + operand.byteSize())) {
            MemorySegment a = NativeCall.key(scratch, key);
            MemorySegment b = NativeCall.value(scratch, operand);
            CApi.rocksdb_transaction_merge_cf(transaction, family, a, key.byteSize(), b, operand.byteSize(), error);
        }
    }

    public static void delete(Scratch scratch, long transaction, long family, MemorySegment key) {
        long error = NativeCall.error(scratch);
        if (NativeCall.fits(scratch, key.byteSize())) {
            MemorySegment a = NativeCall.key(scratch, key);
            CApi.rocksdb_transaction_delete_cf(transaction, family, a, key.byteSize(), error);
        }
    }

    /** Deletes a key that was put once, by a batch: the C API has no such call. */
    public static void singleDelete(Scratch scratch, long transaction, long family, MemorySegment key) {
        long _ = NativeCall.error(scratch);
        if (!NativeCall.fits(scratch, key.byteSize())) {
            return;
        }
        long batch = NativeWriteBatch.create();
        try {
            NativeWriteBatch.singleDelete(batch, family, NativeCall.key(scratch, key), key.byteSize());
            rebuild(scratch, transaction, batch);
        } finally {
            NativeWriteBatch.destroy(batch);
        }
    }

    public static void multiGet(NativeMultiGet keys, long transaction, long readOptions) {
        keys.lookUp(CApi::rocksdb_transaction_multi_get_cf, transaction, readOptions);
    }

    /** Does the same as {@link #multiGet}, and locks the keys, even if a later key cannot be locked. */
    public static void multiGetForUpdate(NativeMultiGet keys, long transaction, long readOptions) {
        keys.lookUp(CApi::rocksdb_transaction_multi_get_for_update_cf, transaction, readOptions);
    }
}
