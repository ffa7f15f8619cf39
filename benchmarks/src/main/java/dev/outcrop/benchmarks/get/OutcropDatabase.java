package dev.outcrop.benchmarks.get;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The database of the current workload, opened by Outcrop. */
@State(Scope.Benchmark)
public class OutcropDatabase {
    final RocksDB database;

    /** Opens the database. */
    public OutcropDatabase() {
        Workload workload = Workload.current();
        database = RocksDB.open(workload.database(), new Options().set(EngineOptions.text()));
        Engine.requireOnly(workload.engine());
    }

    /** Closes it. */
    @TearDown
    public void close() {
        database.close();
    }
}
