package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/** Point reads by rocksdbjni, in each of its forms. */
@State(Scope.Thread)
public class RocksJavaGet {
    private final Workload workload = Workload.current();
    private final KeySequence sequence = new KeySequence(workload);
    private final byte[] key = Keys.first(Workload.KEY_BYTES);
    private final byte[] value = new byte[workload.valueBytes()];
    private final ByteBuffer directKey = ByteBuffer.allocateDirect(Workload.KEY_BYTES).put(0, key);
    private final ByteBuffer directValue = ByteBuffer.allocateDirect(workload.valueBytes());
    private final ReadOptions options = new ReadOptions();

    /** Allocates what a thread reuses. */
    public RocksJavaGet() {
    }

    /**
     * Brings everything that may be read into the cache.
     *
     * @param db the database
     * @throws RocksDBException if a read fails
     */
    @Setup
    public void warm(RocksJavaDatabase db) throws RocksDBException {
        for (int index = 0; index < workload.keysToWarm(); index++) {
            Keys.set(key, index);
            workload.checked(db.database.get(key, value));
        }
    }

    /** Frees what a thread reuses. */
    @TearDown
    public void close() {
        options.close();
    }

    /**
     * Into a new array.
     *
     * @param db the database
     * @return what was looked at
     * @throws RocksDBException if the read fails
     */
    @Benchmark
    public long bytes(RocksJavaDatabase db) throws RocksDBException {
        Keys.set(key, sequence.next());
        byte[] found = db.database.get(key);
        int size = (int) workload.checked(found.length);
        return (long) size + found[0] + found[size - 1];
    }

    /**
     * Into an array that is kept.
     *
     * @param db the database
     * @return what was looked at
     * @throws RocksDBException if the read fails
     */
    @Benchmark
    public long preallocated(RocksJavaDatabase db) throws RocksDBException {
        Keys.set(key, sequence.next());
        int size = (int) workload.checked(db.database.get(key, value));
        return (long) size + value[0] + value[size - 1];
    }

    /**
     * Into a direct buffer that is kept.
     *
     * @param db the database
     * @return what was looked at
     * @throws RocksDBException if the read fails
     */
    @Benchmark
    public long direct(RocksJavaDatabase db) throws RocksDBException {
        directKey.clear().putLong(0, sequence.next());
        directValue.clear();
        int size = (int) workload.checked(db.database.get(options, directKey, directValue));
        return (long) size + directValue.get(0) + directValue.get(size - 1);
    }
}
