package dev.outcrop.benchmarks.harness;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The current database, opened by Outcrop to be read. */
@State(Scope.Benchmark)
public class OutcropDatabase {
    /** The open database. */
    public final RocksDB database;

    /** Opens the database. */
    public OutcropDatabase() {
        Database current = Database.current();
        database = RocksDB.open(current.directory(), new Options().set(EngineOptions.READING.text()));
        current.requireOnlyEngine();
    }

    /** Closes it. */
    @TearDown
    public void close() {
        database.close();
    }
}
