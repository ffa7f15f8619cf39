package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Reads of one key, in all forms with arrays. A family or options of null are the default ones. */
final class Reads {

    private Reads() {
    }

    private static byte[] value(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key,
            int offset, int length)
            throws RocksDBException {
        try (Scratch scratch = database.use(); Scratch _ = options == null ? null : options.use()) {
            long value = find(scratch, database, family, options, key, offset, length);
            if (value == 0) {
                return null;
            }
            try {
                return Natives.bytes(value, scratch.word(1));
            } finally {
                CApi.rocksdb_free(value);
            }
        }
    }

    /** Copies as much of the value as there is room for, and returns its whole size. */
    private static int value(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key, int offset,
            int length,
            byte[] to, int toOffset, int toLength) throws RocksDBException {
        Objects.checkFromIndexSize(toOffset, toLength, to.length);
        try (Scratch scratch = database.use(); Scratch _ = options == null ? null : options.use()) {
            long value = find(scratch, database, family, options, key, offset, length);
            if (value == 0) {
                return RocksDB.NOT_FOUND;
            }
            try {
                long size = scratch.word(1);
                long copied = Math.min(size, toLength);
                if (copied > 0) {
                    MemorySegment.copy(NativeCalls.view(value, copied), ValueLayout.JAVA_BYTE, 0, to, toOffset,
                            (int) copied);
                }
                return Math.toIntExact(size);
            } finally {
                CApi.rocksdb_free(value);
            }
        }
    }

    /** The value in memory that the caller frees, with its size in word 1; 0 if there is none. */
    private static long find(Scratch scratch, RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            byte[] key, int offset,
            int length) throws RocksDBException {
        MemorySegment copy = Natives.copy(scratch, key, offset, length);
        long with = options == null ? database.parts_.readOptions : options.nativeHandle_;
        long value = family == null
                ? CApi.rocksdb_get(database.nativeHandle_, with, copy, length, scratch.wordAddress(1),
                        Errors.place(scratch))
                : CApi.rocksdb_get_cf(database.nativeHandle_, with, family.in(database), copy, length,
                        scratch.wordAddress(1),
                        Errors.place(scratch));
        Errors.check(scratch);
        return value;
    }

    static byte[] get(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key)
            throws RocksDBException {
        return value(database, family, options, key, 0, key.length);
    }

    static byte[] get(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key, int offset,
            int length) throws RocksDBException {
        return value(database, family, options, key, offset, length);
    }

    static int get(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key, int offset, int length,
            byte[] to, int valueOffset, int valueLength) throws RocksDBException {
        return value(database, family, options, key, offset, length, to, valueOffset, valueLength);
    }

    static int get(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key, byte[] to)
            throws RocksDBException {
        return value(database, family, options, key, 0, key.length, to, 0, to.length);
    }

    static byte[] get(RocksDB database, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        return value(database, family, null, key, 0, key.length);
    }

    static byte[] get(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length)
            throws RocksDBException {
        return value(database, family, null, key, offset, length);
    }

    static int get(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length, byte[] to,
            int valueOffset, int valueLength) throws RocksDBException {
        return value(database, family, null, key, offset, length, to, valueOffset, valueLength);
    }

    static int get(RocksDB database, ColumnFamilyHandle family, byte[] key, byte[] to) throws RocksDBException {
        return value(database, family, null, key, 0, key.length, to, 0, to.length);
    }

    static byte[] get(RocksDB database, ReadOptions options, byte[] key) throws RocksDBException {
        return value(database, null, options, key, 0, key.length);
    }

    static byte[] get(RocksDB database, ReadOptions options, byte[] key, int offset, int length)
            throws RocksDBException {
        return value(database, null, options, key, offset, length);
    }

    static int get(RocksDB database, ReadOptions options, byte[] key, int offset, int length, byte[] to,
            int valueOffset, int valueLength) throws RocksDBException {
        return value(database, null, options, key, offset, length, to, valueOffset, valueLength);
    }

    static int get(RocksDB database, ReadOptions options, byte[] key, byte[] to) throws RocksDBException {
        return value(database, null, options, key, 0, key.length, to, 0, to.length);
    }

    static byte[] get(RocksDB database, byte[] key) throws RocksDBException {
        return value(database, null, null, key, 0, key.length);
    }

    static byte[] get(RocksDB database, byte[] key, int offset, int length) throws RocksDBException {
        return value(database, null, null, key, offset, length);
    }

    static int get(RocksDB database, byte[] key, int offset, int length, byte[] to, int valueOffset, int valueLength)
            throws RocksDBException {
        return value(database, null, null, key, offset, length, to, valueOffset, valueLength);
    }

    static int get(RocksDB database, byte[] key, byte[] to) throws RocksDBException {
        return value(database, null, null, key, 0, key.length, to, 0, to.length);
    }
}
