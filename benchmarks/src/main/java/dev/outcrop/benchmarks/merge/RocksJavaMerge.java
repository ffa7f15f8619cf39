package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/**
 * Merges by rocksdbjni with RocksDB's own operators, written in C++: for those who do not need one of their own. In
 * direct buffers.
 */
@State(Scope.Thread)
public class RocksJavaMerge {
    private final RocksJavaMergeDatabase db = new RocksJavaMergeDatabase();
    private final ReadOptions reading = new ReadOptions();
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] keyBytes = Keys.first(MergeTask.KEY_BYTES);
    private final ByteBuffer key = ByteBuffer.allocateDirect(MergeTask.KEY_BYTES).put(0, keyBytes);
    private final ByteBuffer operand = ByteBuffer.allocateDirect(db.task.operandBytes())
            .put(0, db.task == MergeTask.APPEND ? RocksJavaMergeDatabase.element() : RocksJavaMergeDatabase.number(1));
    private final ByteBuffer number = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long merged;

    /** Writes what is there before measuring. */
    @Setup
    public void fill() throws RocksDBException {
        if (db.task == MergeTask.APPEND) {
            return;
        }
        db.putCounters(keyBytes, 0);
        for (int i = 0; db.task == MergeTask.READ && i < MergeTask.OPERANDS; i++) {
            for (int index = 0; index < db.task.keys(); index++) {
                merge(index);
            }
        }
    }

    /** Checks that nothing was lost, and closes everything. */
    @TearDown
    public void close() {
        db.check(merged);
        reading.close();
        db.close();
    }

    /** Increments random counters and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(MergeTask.OPERATIONS)
    public void increment() throws RocksDBException {
        mergeAll();
    }

    /** Appends to random lists, which are empty at first, and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(MergeTask.OPERATIONS)
    public void append() throws RocksDBException {
        db.putAll(keyBytes, new byte[0]);
        mergeAll();
    }

    /** Reads a random counter. */
    @Benchmark
    public long read() throws RocksDBException {
        key.clear().putLong(0, random.next(db.task.keys()));
        int size = db.database.get(reading, key, number.clear());
        long value = number.getLong(0);
        MergeTask.check(size + value, (long) Long.BYTES + MergeTask.OPERANDS);
        return value;
    }

    private void mergeAll() throws RocksDBException {
        for (int i = 0; i < MergeTask.OPERATIONS; i++) {
            merge(random.next(db.task.keys()));
        }
        db.database.compactRange();
        merged += MergeTask.OPERATIONS;
    }

    private void merge(long index) throws RocksDBException {
        db.database.merge(db.writing, key.clear().putLong(0, index), operand.clear());
    }
}
