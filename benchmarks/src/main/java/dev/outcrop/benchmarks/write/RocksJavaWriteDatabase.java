package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.RocksJavaOptions;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** A database that is empty when an iteration starts, opened by rocksdbjni. */
@State(Scope.Benchmark)
public class RocksJavaWriteDatabase {
    private final WriteWorkload workload = WriteWorkload.current();
    private final RocksJavaOptions parts = new RocksJavaOptions(EngineOptions.WRITING);
    private final Options options = new Options(parts.database(), parts.columnFamily());
    private final WriteOptions writing = new WriteOptions().setDisableWAL(workload.log() == Log.OFF)
            .setSync(workload.log() == Log.SYNC);
    private RocksDB database = open(workload.database(), options);

    /** Opens the first database. */
    public RocksJavaWriteDatabase() {
        workload.database().requireOnlyEngine();
    }

    /** Opens an empty database. */
    @Setup(Level.Iteration)
    public void renew() {
        database.close();
        database = open(workload.database(), options);
    }

    /** Closes the last database. */
    @TearDown
    public void close() {
        workload.requireWritten(database.getLatestSequenceNumber());
        database.close();
        writing.close();
        options.close();
        parts.close();
    }

    RocksDB database() {
        return database;
    }

    WriteOptions writing() {
        return writing;
    }

    private static RocksDB open(Database database, Options options) {
        database.delete();
        try {
            return RocksDB.open(options, database.directory().toString());
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + database.directory() + ": " + e.getMessage(), e);
        }
    }
}
