package dev.outcrop.benchmarks.harness;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The current database, opened by rocksdbjni to be read. */
@State(Scope.Benchmark)
public class RocksJavaDatabase implements AutoCloseable {
    /** The open database. */
    public final RocksDB database;

    private final RocksJavaOptions parts = new RocksJavaOptions(EngineOptions.READING);
    private final Options options = new Options(parts.database(), parts.columnFamily());

    /**
     * Opens the database.
     *
     * @throws BenchmarkException if it cannot be opened, or if this JVM has loaded another engine
     */
    public RocksJavaDatabase() {
        Database current = Database.current();
        try {
            database = RocksDB.open(options, current.directory().toString());
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + current.directory() + ": " + e.getMessage(), e);
        }
        current.requireOnlyEngine();
    }

    /** Closes it. */
    @Override
    @TearDown
    public void close() {
        database.close();
        options.close();
        parts.close();
    }
}
