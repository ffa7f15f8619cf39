package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.Keys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Writes by rocksdbjni, in each of its forms. */
@State(Scope.Thread)
public class RocksJavaWrite {
    static {
        RocksDB.loadLibrary();
    }

    private final WriteWorkload workload = WriteWorkload.current();
    private final WrittenKeys keys = new WrittenKeys(workload.isRandom());
    private final byte[] key = Keys.first(WriteWorkload.KEY_BYTES);
    private final byte[] value = new byte[WriteWorkload.VALUE_BYTES];
    private final ByteBuffer directKey = ByteBuffer.allocateDirect(WriteWorkload.KEY_BYTES).put(0, key);
    private final ByteBuffer directValue = ByteBuffer.allocateDirect(WriteWorkload.VALUE_BYTES);
    private final WriteBatch batch = new WriteBatch();

    /** Allocates what a thread reuses. */
    public RocksJavaWrite() {
        Arrays.fill(value, WriteWorkload.VALUE);
        directValue.put(0, value);
    }

    /** Frees what a thread reuses. */
    @TearDown
    public void close() {
        batch.close();
    }

    /**
     * One put of arrays.
     *
     * @param db the database
     * @throws RocksDBException if the put fails
     */
    @Benchmark
    public void putBytes(RocksJavaWriteDatabase db) throws RocksDBException {
        Keys.set(key, keys.next());
        db.database().put(db.writing(), key, value);
    }

    /**
     * One put of direct buffers.
     *
     * @param db the database
     * @throws RocksDBException if the put fails
     */
    @Benchmark
    public void putDirect(RocksJavaWriteDatabase db) throws RocksDBException {
        db.database().put(db.writing(), directKey.clear().putLong(0, keys.next()), directValue.clear());
    }

    /**
     * A batch of arrays.
     *
     * @return how many there are
     * @throws RocksDBException if a put fails
     */
    @Benchmark
    public int buildBytes() throws RocksDBException {
        batch.clear();
        for (int i = 0; i < workload.records(); i++) {
            Keys.set(key, keys.next());
            batch.put(key, value);
        }
        return batch.count();
    }

    /**
     * A batch of direct buffers.
     *
     * @return how many there are
     * @throws RocksDBException if a put fails
     */
    @Benchmark
    public int buildDirect() throws RocksDBException {
        batch.clear();
        for (int i = 0; i < workload.records(); i++) {
            batch.put(directKey.clear().putLong(0, keys.next()), directValue.clear());
        }
        return batch.count();
    }

    /**
     * A batch of arrays, built and written.
     *
     * @param db the database
     * @throws RocksDBException if the write fails
     */
    @Benchmark
    public void writeBytes(RocksJavaWriteDatabase db) throws RocksDBException {
        buildBytes();
        db.database().write(db.writing(), batch);
    }

    /**
     * A batch of direct buffers, built and written.
     *
     * @param db the database
     * @throws RocksDBException if the write fails
     */
    @Benchmark
    public void writeDirect(RocksJavaWriteDatabase db) throws RocksDBException {
        buildDirect();
        db.database().write(db.writing(), batch);
    }
}
