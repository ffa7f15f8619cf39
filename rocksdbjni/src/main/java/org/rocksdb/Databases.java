package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Opens and closes databases. */
final class Databases {

    private Databases() {
    }

    static void loadLibrary() {
        NativeCalls.requireAccess();
    }

    static RocksDB open(String path) throws RocksDBException {
        try (Options options = new Options()) {
            return open(options.setCreateIfMissing(true), path);
        }
    }

    static RocksDB open(Options options, String path) throws RocksDBException {
        try (Scratch scratch = options.use()) {
            long database = CApi.rocksdb_open(options.nativeHandle_, scratch.allocateFrom(path), Errors.place(scratch));
            Errors.check(scratch);
            return opened(database, path, List.of(), List.of());
        }
    }

    static RocksDB openReadOnly(String path) throws RocksDBException {
        try (Options options = new Options()) {
            return openReadOnly(options, path);
        }
    }

    static RocksDB openReadOnly(Options options, String path) throws RocksDBException {
        return openReadOnly(options, path, false);
    }

    static RocksDB openReadOnly(Options options, String path, boolean errorIfWalFileExists) throws RocksDBException {
        try (Scratch scratch = options.use()) {
            long database = CApi.rocksdb_open_for_read_only(options.nativeHandle_, scratch.allocateFrom(path),
                    Natives.flag(errorIfWalFileExists), Errors.place(scratch));
            Errors.check(scratch);
            return opened(database, path, List.of(), List.of());
        }
    }

    static RocksDB open(String path, List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (DBOptions options = new DBOptions()) {
            return open(options, path, families, handles);
        }
    }

    static RocksDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (Scratch scratch = options.use(); FamilyArguments arguments = new FamilyArguments(scratch, families)) {
            long database = CApi.rocksdb_open_column_families(options.nativeHandle_, scratch.allocateFrom(path),
                    families.size(),
                    arguments.names(), arguments.options(), arguments.handles(), Errors.place(scratch));
            Errors.check(scratch);
            return opened(database, path, arguments.opened(), handles);
        }
    }

    static RocksDB openReadOnly(String path, List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (DBOptions options = new DBOptions()) {
            return openReadOnly(options, path, families, handles);
        }
    }

    static RocksDB openReadOnly(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles) throws RocksDBException {
        return openReadOnly(options, path, families, handles, false);
    }

    static RocksDB openReadOnly(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, boolean errorIfWalFileExists) throws RocksDBException {
        try (Scratch scratch = options.use(); FamilyArguments arguments = new FamilyArguments(scratch, families)) {
            long database = CApi.rocksdb_open_for_read_only_column_families(options.nativeHandle_,
                    scratch.allocateFrom(path),
                    families.size(), arguments.names(), arguments.options(), arguments.handles(),
                    Natives.flag(errorIfWalFileExists), Errors.place(scratch));
            Errors.check(scratch);
            return opened(database, path, arguments.opened(), handles);
        }
    }

    private static RocksDB opened(long handle, String path, List<Long> families, List<ColumnFamilyHandle> handles) {
        RocksDB database = new RocksDB(handle);
        database.parts_.path = path;
        for (long family : families) {
            handles.add(database.parts_.family(family));
        }
        return database;
    }

    static List<byte[]> listColumnFamilies(Options options, String path) throws RocksDBException {
        try (Scratch scratch = options.use()) {
            long names = CApi.rocksdb_list_column_families(options.nativeHandle_, scratch.allocateFrom(path),
                    scratch.wordAddress(1), Errors.place(scratch));
            Errors.check(scratch);
            long count = scratch.word(1);
            try {
                MemorySegment array = NativeCalls.view(names, count * Long.BYTES);
                byte[][] found = new byte[Math.toIntExact(count)][];
                for (int i = 0; i < count; i++) {
                    MemorySegment name = NativeCalls.view(array.getAtIndex(ValueLayout.JAVA_LONG, i), Long.MAX_VALUE);
                    found[i] = name.getString(0).getBytes(java.nio.charset.StandardCharsets.UTF_8);
                }
                return new java.util.ArrayList<>(List.of(found));
            } finally {
                CApi.rocksdb_list_column_families_destroy(names, count);
            }
        }
    }

    static void destroyDB(String path, Options options) throws RocksDBException {
        try (Scratch scratch = options.use()) {
            CApi.rocksdb_destroy_db(options.nativeHandle_, scratch.allocateFrom(path), Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    /** Waits for running calls, ends iterators and families that are still there, then closes: the lock is free on return. */
    static void close(RocksDB database) {
        if (database.owningHandle_.compareAndSet(true, false)) {
            database.end(database.parts_::closeChildren);
        }
    }

    static boolean isClosed(RocksDB database) {
        return !database.owningHandle_.get();
    }
}
