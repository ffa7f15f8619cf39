package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Calls of a database besides reads and writes of a key. */
final class Operations {

    private Operations() {
    }

    static RocksIterator newIterator(RocksDB database) {
        return newIterator(database, database.getDefaultColumnFamily(), null);
    }

    static RocksIterator newIterator(RocksDB database, ReadOptions options) {
        return newIterator(database, database.getDefaultColumnFamily(), options);
    }

    static RocksIterator newIterator(RocksDB database, ColumnFamilyHandle family) {
        return newIterator(database, family, null);
    }

    static RocksIterator newIterator(RocksDB database, ColumnFamilyHandle family, ReadOptions options) {
        try (Scratch _ = database.use(); Scratch _ = options == null ? null : options.use()) {
            RocksIterator iterator = new RocksIterator(database, CApi.rocksdb_create_iterator_cf(database.nativeHandle_,
                    options == null ? database.parts_.readOptions : options.nativeHandle_, family.in(database)));
            database.parts_.add(iterator);
            return iterator;
        }
    }

    static ColumnFamilyHandle createColumnFamily(RocksDB database, ColumnFamilyDescriptor descriptor)
            throws RocksDBException {
        byte[] name = descriptor.getName();
        try (Scratch scratch = database.use(); Scratch _ = descriptor.getOptions().use()) {
            MemorySegment text = scratch.allocate(name.length + 1L, 1);
            MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
            text.set(ValueLayout.JAVA_BYTE, name.length, (byte) 0);
            long family = CApi.rocksdb_create_column_family(database.nativeHandle_,
                    descriptor.getOptions().nativeHandle_, text,
                    Errors.place(scratch));
            Errors.check(scratch);
            return database.parts_.family(family);
        }
    }

    static void dropColumnFamily(RocksDB database, ColumnFamilyHandle family) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            CApi.rocksdb_drop_column_family(database.nativeHandle_, family.in(database), Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void flush(RocksDB database, FlushOptions options) throws RocksDBException {
        flush(database, options, database.getDefaultColumnFamily());
    }

    static void flush(RocksDB database, FlushOptions options, ColumnFamilyHandle family) throws RocksDBException {
        try (Scratch scratch = database.use(); Scratch _ = options.use()) {
            CApi.rocksdb_flush_cf(database.nativeHandle_, options.nativeHandle_, family.in(database),
                    Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static String getProperty(RocksDB database, String name) throws RocksDBException {
        return getProperty(database, database.getDefaultColumnFamily(), name);
    }

    static String getProperty(RocksDB database, ColumnFamilyHandle family, String name) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            long value = CApi.rocksdb_property_value_cf(database.nativeHandle_, family.in(database),
                    scratch.allocateFrom(name));
            if (value == 0) {
                throw new RocksDBException(new Status(Status.Code.NotFound, Status.SubCode.None, null));
            }
            try {
                return NativeCalls.view(value, Long.MAX_VALUE).getString(0);
            } finally {
                CApi.rocksdb_free(value);
            }
        }
    }

    static long getLatestSequenceNumber(RocksDB database) {
        try (Scratch _ = database.use()) {
            return CApi.rocksdb_get_latest_sequence_number(database.nativeHandle_);
        }
    }

    static String getName(RocksDB database) {
        try (Scratch _ = database.use()) {
            return database.parts_.path;
        }
    }
}
