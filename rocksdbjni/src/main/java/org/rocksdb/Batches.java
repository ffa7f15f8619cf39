package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;

/** Batches of writes. */
final class Batches {

    private Batches() {
    }

    /** RocksDB grows a batch as needed; the size that is asked for is only a hint. */
    static long reserving(int bytes) {
        return CApi.rocksdb_writebatch_create();
    }

    static long from(byte[] serialized) {
        if (serialized.length < 12) {
            throw new IllegalArgumentException("A batch has at least 12 bytes, not " + serialized.length);
        }
        try (Scratch scratch = Scratch.open()) {
            return CApi.rocksdb_writebatch_create_from(Natives.copy(scratch, serialized), serialized.length);
        }
    }

    static byte[] data(WriteBatch batch) {
        try (Scratch scratch = batch.use()) {
            long data = CApi.rocksdb_writebatch_data(batch.nativeHandle_, scratch.wordAddress(0));
            return Natives.bytes(data, scratch.word(0));
        }
    }

    static long getDataSize(WriteBatch batch) {
        try (Scratch scratch = batch.use()) {
            long _ = CApi.rocksdb_writebatch_data(batch.nativeHandle_, scratch.wordAddress(0));
            return scratch.word(0);
        }
    }

    static WriteBatch itself(WriteBatch batch) {
        return batch;
    }

    static void putLogData(AbstractWriteBatch batch, byte[] blob) {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_put_log_data(batch.nativeHandle_, Natives.copy(scratch, blob), blob.length);
        }
    }

    static void rollbackToSavePoint(AbstractWriteBatch batch) throws RocksDBException {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_rollback_to_save_point(batch.nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void popSavePoint(AbstractWriteBatch batch) throws RocksDBException {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_pop_save_point(batch.nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void put(AbstractWriteBatch batch, byte[] key, byte[] value) {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_put(batch.nativeHandle_, Natives.copy(scratch, key), key.length,
                    Natives.copy(scratch, value), value.length);
        }
    }

    static void put(AbstractWriteBatch batch, ColumnFamilyHandle family, byte[] key, byte[] value) {
        try (Scratch scratch = batch.use(); Scratch _ = family.database().use()) {
            CApi.rocksdb_writebatch_put_cf(batch.nativeHandle_, family.in(family.database()),
                    Natives.copy(scratch, key), key.length, Natives.copy(scratch, value), value.length);
        }
    }

    static void merge(AbstractWriteBatch batch, byte[] key, byte[] value) {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_merge(batch.nativeHandle_, Natives.copy(scratch, key), key.length,
                    Natives.copy(scratch, value), value.length);
        }
    }

    static void merge(AbstractWriteBatch batch, ColumnFamilyHandle family, byte[] key, byte[] value) {
        try (Scratch scratch = batch.use(); Scratch _ = family.database().use()) {
            CApi.rocksdb_writebatch_merge_cf(batch.nativeHandle_, family.in(family.database()),
                    Natives.copy(scratch, key), key.length, Natives.copy(scratch, value), value.length);
        }
    }

    static void delete(AbstractWriteBatch batch, byte[] key) {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_delete(batch.nativeHandle_, Natives.copy(scratch, key), key.length);
        }
    }

    static void delete(AbstractWriteBatch batch, ColumnFamilyHandle family, byte[] key) {
        try (Scratch scratch = batch.use(); Scratch _ = family.database().use()) {
            CApi.rocksdb_writebatch_delete_cf(batch.nativeHandle_, family.in(family.database()),
                    Natives.copy(scratch, key), key.length);
        }
    }

    static void singleDelete(AbstractWriteBatch batch, byte[] key) {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_singledelete(batch.nativeHandle_, Natives.copy(scratch, key), key.length);
        }
    }

    static void singleDelete(AbstractWriteBatch batch, ColumnFamilyHandle family, byte[] key) {
        try (Scratch scratch = batch.use(); Scratch _ = family.database().use()) {
            CApi.rocksdb_writebatch_singledelete_cf(batch.nativeHandle_, family.in(family.database()),
                    Natives.copy(scratch, key), key.length);
        }
    }

    static void deleteRange(AbstractWriteBatch batch, byte[] key, byte[] end) {
        try (Scratch scratch = batch.use()) {
            CApi.rocksdb_writebatch_delete_range(batch.nativeHandle_, Natives.copy(scratch, key), key.length,
                    Natives.copy(scratch, end), end.length);
        }
    }

    static void deleteRange(AbstractWriteBatch batch, ColumnFamilyHandle family, byte[] key, byte[] end) {
        try (Scratch scratch = batch.use(); Scratch _ = family.database().use()) {
            CApi.rocksdb_writebatch_delete_range_cf(batch.nativeHandle_, family.in(family.database()),
                    Natives.copy(scratch, key), key.length, Natives.copy(scratch, end), end.length);
        }
    }
}
