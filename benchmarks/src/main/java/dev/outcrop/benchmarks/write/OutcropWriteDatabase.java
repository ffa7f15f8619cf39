package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A database that is empty when an iteration starts, opened by Outcrop. */
@State(Scope.Benchmark)
public class OutcropWriteDatabase {
    private final WriteWorkload workload = WriteWorkload.current();
    private final WriteOptions writing = new WriteOptions().disableWAL(workload.log() == Log.OFF)
            .sync(workload.log() == Log.SYNC);
    private RocksDB database = open(workload.database());
    private DatabaseWriter writer = database.with(writing);

    /** Opens the first database. */
    public OutcropWriteDatabase() {
        workload.database().requireOnlyEngine();
    }

    /** Opens an empty database. */
    @Setup(Level.Iteration)
    public void renew() {
        database.close();
        database = open(workload.database());
        writer = database.with(writing);
    }

    /** Closes the last database. */
    @TearDown
    public void close() {
        workload.requireWritten(database.latestSequenceNumber());
        database.close();
    }

    DatabaseWriter writer() {
        return writer;
    }

    private static RocksDB open(Database database) {
        database.delete();
        return RocksDB.open(database.directory(), new Options().set(EngineOptions.WRITING.text()));
    }
}
