package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import java.util.Map;
import java.util.Properties;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The database of the current workload, opened by rocksdbjni. */
@State(Scope.Benchmark)
public class RocksJavaDatabase implements AutoCloseable {
    static {
        RocksDB.loadLibrary();
    }

    final Workload workload = Workload.current();
    final RocksDB database;

    private final DBOptions databaseOptions = DBOptions.getDBOptionsFromProps(properties(EngineOptions.DATABASE));
    private final ColumnFamilyOptions familyOptions = ColumnFamilyOptions
            .getColumnFamilyOptionsFromProps(properties(EngineOptions.COLUMN_FAMILY));
    private final Options options = new Options(databaseOptions, familyOptions);

    /**
     * Opens the database.
     *
     * @throws BenchmarkException if it cannot be opened, or if this JVM has loaded another engine than the workload's
     */
    public RocksJavaDatabase() {
        try {
            database = RocksDB.open(options, workload.database().toString());
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + workload.database() + ": " + e.getMessage(), e);
        }
        Engine.requireOnly(workload.engine());
    }

    /** Closes it. */
    @Override
    @TearDown
    public void close() {
        database.close();
        options.close();
        familyOptions.close();
        databaseOptions.close();
    }

    private static Properties properties(Map<String, String> options) {
        Properties properties = new Properties();
        properties.putAll(options);
        return properties;
    }
}
