package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
 * Read, change, write back: the way of users of rocksdbjni who need an operator of their own. Once in arrays and once in
 * direct buffers, both kept.
 */
@State(Scope.Thread)
public class RocksJavaUpdate {
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class,
            ByteOrder.LITTLE_ENDIAN);
    /** More than a list becomes. */
    private static final int MOST_BYTES = 64 << 10;

    private final RocksJavaMergeDatabase db = new RocksJavaMergeDatabase();
    private final ReadOptions reading = new ReadOptions();
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key = Keys.first(MergeTask.KEY_BYTES);
    private final byte[] value = new byte[MOST_BYTES];
    private final byte[] element = RocksJavaMergeDatabase.element();
    private final ByteBuffer directKey = ByteBuffer.allocateDirect(MergeTask.KEY_BYTES).put(0, key);
    private final ByteBuffer directValue = ByteBuffer.allocateDirect(MOST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long merged;

    /** Writes what is there before measuring. */
    @Setup
    public void fill() throws RocksDBException {
        if (db.task != MergeTask.APPEND) {
            db.putCounters(key, db.task == MergeTask.READ ? MergeTask.OPERANDS : 0);
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
    public void incrementArrays() throws RocksDBException {
        for (int i = 0; i < MergeTask.OPERATIONS; i++) {
            Keys.set(key, random.next(db.task.keys()));
            int size = db.database.get(key, value);
            NUMBER.set(value, 0, (long) NUMBER.get(value, 0) + 1);
            db.database.put(db.writing, key, 0, key.length, value, 0, size);
        }
        compact();
    }

    /** Increments random counters and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(MergeTask.OPERATIONS)
    public void incrementDirect() throws RocksDBException {
        for (int i = 0; i < MergeTask.OPERATIONS; i++) {
            int size = getDirect(random.next(db.task.keys()));
            directValue.putLong(0, directValue.getLong(0) + 1);
            writeDirect(size);
        }
        compact();
    }

    /** Appends to random lists, which are empty at first, and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(MergeTask.OPERATIONS)
    public void appendArrays() throws RocksDBException {
        db.putAll(key, new byte[0]);
        for (int i = 0; i < MergeTask.OPERATIONS; i++) {
            Keys.set(key, random.next(db.task.keys()));
            int size = db.database.get(key, value);
            System.arraycopy(element, 0, value, size, element.length);
            db.database.put(db.writing, key, 0, key.length, value, 0, size + element.length);
        }
        compact();
    }

    /** Appends to random lists, which are empty at first, and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(MergeTask.OPERATIONS)
    public void appendDirect() throws RocksDBException {
        db.putAll(key, new byte[0]);
        for (int i = 0; i < MergeTask.OPERATIONS; i++) {
            int size = getDirect(random.next(db.task.keys()));
            directValue.clear().put(size, element);
            writeDirect(size + element.length);
        }
        compact();
    }

    /** Reads a random counter that was written back, into an array that is kept. */
    @Benchmark
    public long readArrays() throws RocksDBException {
        Keys.set(key, random.next(db.task.keys()));
        int size = db.database.get(key, value);
        long number = (long) NUMBER.get(value, 0);
        MergeTask.check(size + number, (long) Long.BYTES + MergeTask.OPERANDS);
        return number;
    }

    /** Reads a random counter that was written back, into a direct buffer that is kept. */
    @Benchmark
    public long readDirect() throws RocksDBException {
        int size = getDirect(random.next(db.task.keys()));
        long number = directValue.getLong(0);
        MergeTask.check(size + number, (long) Long.BYTES + MergeTask.OPERANDS);
        return number;
    }

    private int getDirect(long index) throws RocksDBException {
        directKey.clear().putLong(0, index);
        return db.database.get(reading, directKey, directValue.clear());
    }

    private void writeDirect(int size) throws RocksDBException {
        db.database.put(db.writing, directKey.clear(), directValue.clear().limit(size));
    }

    private void compact() throws RocksDBException {
        db.database.compactRange();
        merged += MergeTask.OPERATIONS;
    }
}
