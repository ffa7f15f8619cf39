package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CMemory;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Calls on a {@code rocksdb_transaction_t *}, which only one thread at a time may make. */
public final class NativeTransaction {
    private static final int LENGTH = 1;

    private NativeTransaction() {
    }

    public static void destroy(long transaction) {
        CApi.rocksdb_transaction_destroy(transaction);
    }

    public static void commit(Scratch scratch, long transaction) {
        CApi.rocksdb_transaction_commit(transaction, NativeCall.error(scratch));
    }

    public static void prepare(Scratch scratch, long transaction) {
        CApi.rocksdb_transaction_prepare(transaction, NativeCall.error(scratch));
    }

    public static void rollback(Scratch scratch, long transaction) {
        CApi.rocksdb_transaction_rollback(transaction, NativeCall.error(scratch));
    }

    public static void setSavePoint(long transaction) {
        CApi.rocksdb_transaction_set_savepoint(transaction);
    }

    public static void rollbackToSavePoint(Scratch scratch, long transaction) {
        CApi.rocksdb_transaction_rollback_to_savepoint(transaction, NativeCall.error(scratch));
    }

    public static void setName(Scratch scratch, long transaction, MemorySegment name, long length) {
        CApi.rocksdb_transaction_set_name(transaction, name, length, NativeCall.error(scratch));
    }

    /** Its name; empty if it has none. */
    public static byte[] name(Scratch scratch, long transaction) {
        long name = CApi.rocksdb_transaction_get_name(transaction, scratch.wordAddress(LENGTH));
        byte[] bytes = NativeCalls.view(name, scratch.word(LENGTH)).toArray(ValueLayout.JAVA_BYTE);
        CMemory.free(name);
        return bytes;
    }

    /** A holder of the transaction's snapshot, to be freed by the caller; its first word is the snapshot, 0 for none. */
    public static long snapshotHolder(long transaction) {
        return CApi.rocksdb_transaction_get_snapshot(transaction);
    }

    /** The C++ snapshot of the transaction; 0 for none. */
    public static long snapshot(long transaction) {
        long holder = snapshotHolder(transaction);
        long snapshot = NativeCalls.readLong(holder);
        CMemory.free(holder);
        return snapshot;
    }

    /** A {@code rocksdb_writebatch_wi_t *} that holds the transaction's own batch; the caller frees the holder alone. */
    public static long batchHolder(long transaction) {
        return CApi.rocksdb_transaction_get_writebatch_wi(transaction);
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

    /** The C API has no such call, but adds the records of a whole batch. */
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

    public static void putLogData(long transaction, MemorySegment data, long length) {
        CApi.rocksdb_transaction_put_log_data(transaction, data, length);
    }

    /** Adds the records of a {@code rocksdb_writebatch_t *}, one by one. */
    public static void rebuild(Scratch scratch, long transaction, long batch) {
        CApi.rocksdb_transaction_rebuild_from_writebatch(transaction, batch, NativeCall.error(scratch));
    }

    /**
     * Looks a key up.
     *
     * @param error where an error goes; 0 before
     * @return a {@code rocksdb_pinnableslice_t *}; 0 if the key is not there or cannot be read
     */
    public static long pin(long transaction, long readOptions, long family, MemorySegment key, long keyLength,
            long error) {
        return CApi.rocksdb_transaction_get_pinned_cf(transaction, readOptions, family, key, keyLength, error);
    }

    /** As {@link #pin}; the key is locked, or watched if the transaction is optimistic. */
    public static long pinForUpdate(long transaction, long readOptions, long family, MemorySegment key, long keyLength,
            boolean exclusive, long error) {
        return CApi.rocksdb_transaction_get_pinned_for_update_cf(transaction, readOptions, family, key, keyLength,
                (byte) (exclusive ? 1 : 0), error);
    }

    public static void multiGet(NativeMultiGet keys, long transaction, long readOptions) {
        keys.lookUp(CApi::rocksdb_transaction_multi_get_cf, transaction, readOptions);
    }

    /** As {@link #multiGet}; the keys are locked, those before one that cannot be locked, too. */
    public static void multiGetForUpdate(NativeMultiGet keys, long transaction, long readOptions) {
        keys.lookUp(CApi::rocksdb_transaction_multi_get_for_update_cf, transaction, readOptions);
    }

    /** A {@code rocksdb_iterator_t *} over the database as the transaction sees it. */
    public static long createIterator(long transaction, long readOptions, long family) {
        return CApi.rocksdb_transaction_create_iterator_cf(transaction, readOptions, family);
    }
}
