package dev.outcrop.benchmarks.harness;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Opens databases with rocksdbjni, or with the drop-in if its classes are loaded. Options stay open until the process ends. */
public final class RocksJavaDatabase {
    static {
        RocksDB.loadLibrary();
    }

    private RocksJavaDatabase() {
    }

    /** Opens the database of this JVM as all sides do, with further options. Fails if this JVM has loaded another engine. */
    public static RocksDB open(EngineOptions common, Consumer<Options> more) {
        Database current = Database.current();
        try {
            RocksDB database = open(current.directory(), common, more);
            current.requireOnlyEngine();
            return database;
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + current.directory() + ": " + e.getMessage(), e);
        }
    }

    /** Opens any database. */
    @SuppressWarnings("resource") // open until the process ends
    public static RocksDB open(Path directory, EngineOptions common, Consumer<Options> more) throws RocksDBException {
        Options options = new Options(DBOptions.getDBOptionsFromProps(common.database()),
                ColumnFamilyOptions.getColumnFamilyOptionsFromProps(common.columnFamily()));
        more.accept(options);
        return RocksDB.open(options, directory.toString());
    }

    /** Returns an open database of another library for rocksdbjni, which never closes it. Takes its {@code rocksdb_t *}. */
    public static RocksDB borrow(long struct) {
        return new Borrowed(struct);
    }

    /** Returns the address of the C++ object behind a handle of the C API. rocksdbjni uses this address as its handle. */
    @SuppressWarnings("restricted") // the address comes from the C API
    public static long cppObject(long struct) {
        return MemorySegment.ofAddress(struct).reinterpret(ValueLayout.JAVA_LONG.byteSize()).get(ValueLayout.JAVA_LONG,
                0);
    }

    private static final class Borrowed extends RocksDB {
        Borrowed(long struct) {
            super(cppObject(struct));
            storeDefaultColumnFamilyHandle(makeDefaultColumnFamilyHandle());
        }

        /**
         * Does nothing, because the database belongs to the library that has opened it. Disowning the handle instead would not do:
         * rocksdbjni would then free no iterator of the database, and each new iterator would take fresh memory, which is slow.
         */
        @Override
        public void close() {
        }
    }
}
