package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Calls of write batches without an index. */
public final class NativeWriteBatch extends WriteBatchCalls {
    private NativeWriteBatch() {
    }

    /** Adds a put to a column family; 0 is the default one. */
    public static void put(long batch, long family, MemorySegment key, long keyLength, MemorySegment value,
            long valueLength) {
        if (family == 0) {
            put(batch, key, keyLength, value, valueLength);
        } else {
            CApi.rocksdb_writebatch_put_cf(batch, family, key, keyLength, value, valueLength);
        }
    }

    /** Adds a merge to a column family; 0 is the default one. */
    public static void merge(long batch, long family, MemorySegment key, long keyLength, MemorySegment operand,
            long operandLength) {
        if (family == 0) {
            merge(batch, key, keyLength, operand, operandLength);
        } else {
            CApi.rocksdb_writebatch_merge_cf(batch, family, key, keyLength, operand, operandLength);
        }
    }

    /** Adds a delete to a column family; 0 is the default one. */
    public static void delete(long batch, long family, MemorySegment key, long keyLength) {
        if (family == 0) {
            delete(batch, key, keyLength);
        } else {
            CApi.rocksdb_writebatch_delete_cf(batch, family, key, keyLength);
        }
    }

    /** Adds a single delete to a column family; 0 is the default one. */
    public static void singleDelete(long batch, long family, MemorySegment key, long keyLength) {
        if (family == 0) {
            singleDelete(batch, key, keyLength);
        } else {
            CApi.rocksdb_writebatch_singledelete_cf(batch, family, key, keyLength);
        }
    }
}
