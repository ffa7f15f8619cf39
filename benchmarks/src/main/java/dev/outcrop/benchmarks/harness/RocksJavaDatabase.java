package dev.outcrop.benchmarks.harness;

import java.util.function.Consumer;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The database of this JVM, opened by rocksdbjni with options of its own. */
public final class RocksJavaDatabase implements AutoCloseable {
    // First, because it loads the library.
    private final RocksJavaOptions parts;
    private final Options options;
    private final RocksDB database;

    /** Opens the database. */
    public RocksJavaDatabase(EngineOptions common, Consumer<Options> more) {
        Database current = Database.current();
        parts = new RocksJavaOptions(common);
        options = new Options(parts.database(), parts.columnFamily());
        more.accept(options);
        try {
            database = RocksDB.open(options, current.directory().toString());
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + current.directory() + ": " + e.getMessage(), e);
        }
        current.requireOnlyEngine();
    }

    /** The open database. */
    public RocksDB database() {
        return database;
    }

    @Override
    public void close() {
        database.close();
        options.close();
        parts.close();
    }
}
