package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.RocksJavaOptions;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The database of the current workload, opened by rocksdbjni with a comparator in Java. */
@State(Scope.Benchmark)
public class RocksJavaDatabase {
    final RocksDB database;

    // First, because it loads the library.
    private final RocksJavaOptions parts = new RocksJavaOptions(EngineOptions.READING);
    private final ComparatorOptions comparatorOptions;
    private final AbstractComparator comparator;
    private final Options options;

    /**
     * Opens the database.
     *
     * @throws BenchmarkException if it cannot be opened, or if this JVM has loaded another engine
     */
    public RocksJavaDatabase() {
        Workload workload = Workload.current();
        workload.prepare();
        comparatorOptions = workload.buffers().options();
        comparator = RocksJavaOrder.of(workload.order(), comparatorOptions);
        options = new Options(parts.database(), parts.columnFamily()).setComparator(comparator);
        String directory = workload.database().directory().toString();
        try {
            database = RocksDB.open(options, directory);
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + directory + ": " + e.getMessage(), e);
        }
        workload.database().requireOnlyEngine();
    }

    /** Closes it. */
    @TearDown
    public void close() {
        database.close();
        options.close();
        comparator.close();
        comparatorOptions.close();
        parts.close();
    }
}
