package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The database of the current workload, opened by Outcrop with a comparator in Java. */
@State(Scope.Benchmark)
public class OutcropOrderedDatabase {
    final RocksDB database;
    final KeyValueWriter writer;

    /** Opens the database. */
    public OutcropOrderedDatabase() {
        ComparatorWorkload workload = ComparatorWorkload.current();
        workload.prepare();
        database = RocksDB.open(Database.current().directory(), new Options().set(EngineOptions.READING.text())
                .comparator(OutcropOrder.of(workload.order())));
        writer = database.with(new WriteOptions().disableWAL(true));
        Database.current().requireOnlyEngine();
    }

    /** Closes it. */
    @TearDown
    public void close() {
        database.close();
    }
}
