package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Writes of one key, in all forms with arrays. A family or options of null are the default ones. */
final class Writes {

    private Writes() {
    }

    private interface KeyWrite {
        void write(long database, long options, long family, MemorySegment key, long length, long error);
    }

    private interface PairWrite {
        void write(long database, long options, long family, MemorySegment key, long length, MemorySegment value,
                long valueLength,
                long error);
    }

    private static void key(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length,
            KeyWrite write) throws RocksDBException {
        ColumnFamilyHandle in = family == null ? database.parts_.defaultFamily() : family;
        try (Scratch scratch = database.use(); Scratch _ = options == null ? null : options.use()) {
            write.write(database.nativeHandle_, options == null ? database.parts_.writeOptions : options.nativeHandle_,
                    in.in(database), Natives.copy(scratch, key, offset, length), length, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    private static void pair(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length,
            byte[] value, int valueOffset, int valueLength, PairWrite write) throws RocksDBException {
        ColumnFamilyHandle in = family == null ? database.parts_.defaultFamily() : family;
        try (Scratch scratch = database.use(); Scratch _ = options == null ? null : options.use()) {
            write.write(database.nativeHandle_, options == null ? database.parts_.writeOptions : options.nativeHandle_,
                    in.in(database), Natives.copy(scratch, key, offset, length), length,
                    Natives.copy(scratch, value, valueOffset, valueLength), valueLength, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
        try (Scratch scratch = database.use(); Scratch _ = options.use(); Scratch _ = batch.use()) {
            CApi.rocksdb_write(database.nativeHandle_, options.nativeHandle_, batch.nativeHandle_,
                    Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key)
            throws RocksDBException {
        key(database, family, options, key, 0, key.length, CApi::rocksdb_delete_cf);
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length) throws RocksDBException {
        key(database, family, options, key, offset, length, CApi::rocksdb_delete_cf);
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        key(database, family, null, key, 0, key.length, CApi::rocksdb_delete_cf);
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length)
            throws RocksDBException {
        key(database, family, null, key, offset, length, CApi::rocksdb_delete_cf);
    }

    static void delete(RocksDB database, WriteOptions options, byte[] key) throws RocksDBException {
        key(database, null, options, key, 0, key.length, CApi::rocksdb_delete_cf);
    }

    static void delete(RocksDB database, WriteOptions options, byte[] key, int offset, int length)
            throws RocksDBException {
        key(database, null, options, key, offset, length, CApi::rocksdb_delete_cf);
    }

    static void delete(RocksDB database, byte[] key) throws RocksDBException {
        key(database, null, null, key, 0, key.length, CApi::rocksdb_delete_cf);
    }

    static void delete(RocksDB database, byte[] key, int offset, int length) throws RocksDBException {
        key(database, null, null, key, offset, length, CApi::rocksdb_delete_cf);
    }

    static void deleteRange(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, byte[] end)
            throws RocksDBException {
        pair(database, family, options, key, 0, key.length, end, 0, end.length, CApi::rocksdb_delete_range_cf);
    }

    static void deleteRange(RocksDB database, ColumnFamilyHandle family, byte[] key, byte[] end)
            throws RocksDBException {
        pair(database, family, null, key, 0, key.length, end, 0, end.length, CApi::rocksdb_delete_range_cf);
    }

    static void deleteRange(RocksDB database, WriteOptions options, byte[] key, byte[] end) throws RocksDBException {
        pair(database, null, options, key, 0, key.length, end, 0, end.length, CApi::rocksdb_delete_range_cf);
    }

    static void deleteRange(RocksDB database, byte[] key, byte[] end) throws RocksDBException {
        pair(database, null, null, key, 0, key.length, end, 0, end.length, CApi::rocksdb_delete_range_cf);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length, byte[] value, int valueOffset, int valueLength) throws RocksDBException {
        pair(database, family, options, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_merge_cf);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, byte[] value)
            throws RocksDBException {
        pair(database, family, options, key, 0, key.length, value, 0, value.length, CApi::rocksdb_merge_cf);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, family, null, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_merge_cf);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        pair(database, family, null, key, 0, key.length, value, 0, value.length, CApi::rocksdb_merge_cf);
    }

    static void merge(RocksDB database, WriteOptions options, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, null, options, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_merge_cf);
    }

    static void merge(RocksDB database, WriteOptions options, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, options, key, 0, key.length, value, 0, value.length, CApi::rocksdb_merge_cf);
    }

    static void merge(RocksDB database, byte[] key, int offset, int length, byte[] value, int valueOffset,
            int valueLength) throws RocksDBException {
        pair(database, null, null, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_merge_cf);
    }

    static void merge(RocksDB database, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, null, key, 0, key.length, value, 0, value.length, CApi::rocksdb_merge_cf);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length, byte[] value, int valueOffset, int valueLength) throws RocksDBException {
        pair(database, family, options, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_put_cf);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, byte[] value)
            throws RocksDBException {
        pair(database, family, options, key, 0, key.length, value, 0, value.length, CApi::rocksdb_put_cf);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, family, null, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_put_cf);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        pair(database, family, null, key, 0, key.length, value, 0, value.length, CApi::rocksdb_put_cf);
    }

    static void put(RocksDB database, WriteOptions options, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, null, options, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_put_cf);
    }

    static void put(RocksDB database, WriteOptions options, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, options, key, 0, key.length, value, 0, value.length, CApi::rocksdb_put_cf);
    }

    static void put(RocksDB database, byte[] key, int offset, int length, byte[] value, int valueOffset,
            int valueLength) throws RocksDBException {
        pair(database, null, null, key, offset, length, value, valueOffset, valueLength, CApi::rocksdb_put_cf);
    }

    static void put(RocksDB database, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, null, key, 0, key.length, value, 0, value.length, CApi::rocksdb_put_cf);
    }

    static void singleDelete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key)
            throws RocksDBException {
        key(database, family, options, key, 0, key.length, CApi::rocksdb_singledelete_cf);
    }

    static void singleDelete(RocksDB database, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        key(database, family, null, key, 0, key.length, CApi::rocksdb_singledelete_cf);
    }

    static void singleDelete(RocksDB database, WriteOptions options, byte[] key) throws RocksDBException {
        key(database, null, options, key, 0, key.length, CApi::rocksdb_singledelete_cf);
    }

    static void singleDelete(RocksDB database, byte[] key) throws RocksDBException {
        key(database, null, null, key, 0, key.length, CApi::rocksdb_singledelete_cf);
    }
}
