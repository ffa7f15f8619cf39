package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.RocksDB;

/** The database of the current workload, opened by rocksdbjni with a comparator in Java. */
@State(Scope.Benchmark)
public class RocksJavaOrderedDatabase {
    static {
        // Options of a comparator do not load it.
        RocksDB.loadLibrary();
    }

    final RocksDB database;

    private final ComparatorOptions comparatorOptions;
    private final AbstractComparator comparator;
    private final RocksJavaDatabase opened;

    /** Opens the database. */
    public RocksJavaOrderedDatabase() {
        ComparatorWorkload workload = ComparatorWorkload.current();
        workload.prepare();
        comparatorOptions = workload.buffers().options();
        comparator = RocksJavaOrder.of(workload.order(), comparatorOptions);
        opened = new RocksJavaDatabase(EngineOptions.READING, options -> options.setComparator(comparator));
        database = opened.database();
    }

    /** Closes it. */
    @TearDown
    public void close() {
        opened.close();
        comparator.close();
        comparatorOptions.close();
    }
}
