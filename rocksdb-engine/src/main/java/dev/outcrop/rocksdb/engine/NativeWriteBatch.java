package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Calls of write batches without an index. */
public final class NativeWriteBatch {
    private NativeWriteBatch() {
    }

    public static long create() {
        return CApi.rocksdb_writebatch_create();
    }

    /** Makes a batch with a copy of what another one holds. */
    public static long create(MemorySegment data, long size) {
        return CApi.rocksdb_writebatch_create_from(data, size);
    }

    public static void destroy(long batch) {
        CApi.rocksdb_writebatch_destroy(batch);
    }

    /** The address of what a batch holds; its size goes to a word. */
    public static long data(long batch, long size) {
        return CApi.rocksdb_writebatch_data(batch, size);
    }

    public static void put(long batch, MemorySegment key, long keyLength, MemorySegment value, long valueLength) {
        CApi.rocksdb_writebatch_put(batch, key, keyLength, value, valueLength);
    }

    public static void merge(long batch, MemorySegment key, long keyLength, MemorySegment operand,
            long operandLength) {
        CApi.rocksdb_writebatch_merge(batch, key, keyLength, operand, operandLength);
    }

    public static void delete(long batch, MemorySegment key, long keyLength) {
        CApi.rocksdb_writebatch_delete(batch, key, keyLength);
    }

    public static void singleDelete(long batch, MemorySegment key, long keyLength) {
        CApi.rocksdb_writebatch_singledelete(batch, key, keyLength);
    }

    /** As the one without a family, which 0 stands for. */
    public static void put(long batch, long family, MemorySegment key, long keyLength, MemorySegment value,
            long valueLength) {
        if (family == 0) {
            put(batch, key, keyLength, value, valueLength);
        } else {
            CApi.rocksdb_writebatch_put_cf(batch, family, key, keyLength, value, valueLength);
        }
    }

    /** As the one without a family, which 0 stands for. */
    public static void merge(long batch, long family, MemorySegment key, long keyLength, MemorySegment operand,
            long operandLength) {
        if (family == 0) {
            merge(batch, key, keyLength, operand, operandLength);
        } else {
            CApi.rocksdb_writebatch_merge_cf(batch, family, key, keyLength, operand, operandLength);
        }
    }

    /** As the one without a family, which 0 stands for. */
    public static void delete(long batch, long family, MemorySegment key, long keyLength) {
        if (family == 0) {
            delete(batch, key, keyLength);
        } else {
            CApi.rocksdb_writebatch_delete_cf(batch, family, key, keyLength);
        }
    }

    /** As the one without a family, which 0 stands for. */
    public static void singleDelete(long batch, long family, MemorySegment key, long keyLength) {
        if (family == 0) {
            singleDelete(batch, key, keyLength);
        } else {
            CApi.rocksdb_writebatch_singledelete_cf(batch, family, key, keyLength);
        }
    }

    public static void deleteRange(long batch, MemorySegment begin, long beginLength, MemorySegment end,
            long endLength) {
        CApi.rocksdb_writebatch_delete_range(batch, begin, beginLength, end, endLength);
    }

    /** Writes a batch to a database. */
    public static void write(long db, long options, long batch, long error) {
        CApi.rocksdb_write(db, options, batch, error);
    }
}
