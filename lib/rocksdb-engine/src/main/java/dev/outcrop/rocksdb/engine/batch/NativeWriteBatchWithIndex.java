package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Calls on a {@code rocksdb_writebatch_wi_t *}, which only one thread at a time may make. */
public final class NativeWriteBatchWithIndex extends IndexedBatchCalls {
    private static final int SIZE = 1;

    private NativeWriteBatchWithIndex() {
    }

    /**
     * Adds a record, or sets the error if it is too long for RocksDB. RocksDB does not report other errors.
     *
     * @param tag    of a put, a merge, a delete or a single delete
     * @param family the family's handle; 0 for the default one, in the order of the batch's own comparator
     * @param value  empty for a delete
     * @return false if the record is too long
     */
    public static boolean add(Scratch scratch, byte tag, long batch, long family, MemorySegment key,
            MemorySegment value) {
        long _ = NativeCall.error(scratch);
        long keyLength = key.byteSize();
        long valueLength = value.byteSize();
        if (!NativeCall.fits(scratch, keyLength + valueLength)) {
            return false;
        }
        MemorySegment a = NativeCall.key(scratch, key);
        MemorySegment b = NativeCall.value(scratch, value);
        if (family == 0) {
            switch (tag) {
                case BatchFormat.PUT -> CApi.rocksdb_writebatch_wi_put(batch, a, keyLength, b, valueLength);
                case BatchFormat.MERGE -> CApi.rocksdb_writebatch_wi_merge(batch, a, keyLength, b, valueLength);
                case BatchFormat.DELETE -> CApi.rocksdb_writebatch_wi_delete(batch, a, keyLength);
                default -> CApi.rocksdb_writebatch_wi_singledelete(batch, a, keyLength);
            }
        } else {
            switch (tag) {
                case BatchFormat.PUT -> CApi.rocksdb_writebatch_wi_put_cf(batch, family, a, keyLength, b, valueLength);
                case BatchFormat.MERGE ->
                    CApi.rocksdb_writebatch_wi_merge_cf(batch, family, a, keyLength, b, valueLength);
                case BatchFormat.DELETE -> CApi.rocksdb_writebatch_wi_delete_cf(batch, family, a, keyLength);
                default -> CApi.rocksdb_writebatch_wi_singledelete_cf(batch, family, a, keyLength);
            }
        }
        return true;
    }

    /** Returns all records in RocksDB's format, valid until another record is added. */
    public static MemorySegment data(Scratch scratch, long batch) {
        long address = dataAddress(batch, scratch.wordAddress(SIZE));
        return NativeCalls.view(address, scratch.word(SIZE));
    }

    /**
     * Returns RocksDB's copy of a value in the batch alone.
     *
     * @param family the family's handle; 0 for the default one, in the order of the batch's own comparator
     * @return the address of {@link #size} bytes, which the caller frees; 0 if there is none
     */
    public static long get(Scratch scratch, long batch, long databaseOptions, long family, MemorySegment key) {
        long size = scratch.wordAddress(SIZE);
        long error = NativeCall.error(scratch);
        if (!NativeCall.fits(scratch, key.byteSize())) {
            return 0;
        }
        MemorySegment a = NativeCall.key(scratch, key);
        return family == 0
                ? CApi.rocksdb_writebatch_wi_get_from_batch(batch, databaseOptions, a, key.byteSize(), size, error)
                : CApi.rocksdb_writebatch_wi_get_from_batch_cf(batch, databaseOptions, family, a, key.byteSize(),
                        size, error);
    }

    /** Does the same as {@link #get}, from the batch and the database. */
    public static long getWithDatabase(Scratch scratch, long batch, long database, long readOptions, long family,
            MemorySegment key) {
        long error = NativeCall.error(scratch);
        if (!NativeCall.fits(scratch, key.byteSize())) {
            return 0;
        }
        MemorySegment a = NativeCall.key(scratch, key);
        return CApi.rocksdb_writebatch_wi_get_from_batch_and_db_cf(batch, database, readOptions, family, a,
                key.byteSize(), scratch.wordAddress(SIZE), error);
    }

    /** Returns the size of the last value. */
    public static long size(Scratch scratch) {
        return scratch.word(SIZE);
    }

    /**
     * Makes a {@code rocksdb_iterator_t *} over the batch and an iterator of the database.
     *
     * @param base        an iterator over the family, which the new one owns
     * @param readOptions with the bounds; 0 for none
     */
    public static long createIterator(long batch, long base, long family, long readOptions) {
        return readOptions == 0
                ? CApi.rocksdb_writebatch_wi_create_iterator_with_base_cf(batch, base, family)
                : CApi.rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts(batch, base, family, readOptions);
    }
}
