package dev.outcrop.benchmarks.harness;

import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;

/** {@link EngineOptions} as rocksdbjni takes them. */
public final class RocksJavaOptions implements AutoCloseable {
    static {
        RocksDB.loadLibrary();
    }

    private final DBOptions database;
    private final ColumnFamilyOptions columnFamily;

    /** Makes the options. */
    public RocksJavaOptions(EngineOptions options) {
        database = DBOptions.getDBOptionsFromProps(options.database());
        columnFamily = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(options.columnFamily());
    }

    /** The options of the database. */
    public DBOptions database() {
        return database;
    }

    /** The options of every column family. */
    public ColumnFamilyOptions columnFamily() {
        return columnFamily;
    }

    @Override
    public void close() {
        columnFamily.close();
        database.close();
    }
}
