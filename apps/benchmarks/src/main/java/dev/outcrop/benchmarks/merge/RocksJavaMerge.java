package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.rocksdb.MergeOperator;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WriteOptions;

/**
 * The tasks by rocksdbjni. A user who needs a custom operator reads a value, changes it and writes it back, in kept arrays or in kept
 * direct buffers. Other users can use RocksDB's own operators, written in C++, here with direct buffers. The database always has the
 * operator of the task, even if the task does not use it.
 */
@State(Scope.Thread)
public class RocksJavaMerge {
    private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class,
            ByteOrder.LITTLE_ENDIAN);
    /** Larger than any list becomes. */
    private static final int MOST_BYTES = 64 << 10;

    static {
        // Operators do not load the library.
        RocksDB.loadLibrary();
    }

    private final MergeCase task = MergeCase.current();
    private final WriteOptions writing = new WriteOptions().setDisableWAL(true);
    private final ReadOptions reading = new ReadOptions();
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key = Keys.first(MergeCase.KEY_BYTES);
    private final byte[] value = new byte[MOST_BYTES];
    private final byte[] operand = task == MergeCase.APPEND ? element() : number(1);
    private final ByteBuffer directKey = Keys.inBuffer(key);
    private final ByteBuffer directValue = ByteBuffer.allocateDirect(MOST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer directOperand = Keys.inBuffer(operand);
    private final RocksDB db;
    private long merged;

    @SuppressWarnings("resource") // open until the process ends
    public RocksJavaMerge() {
        Database.current().delete();
        MergeOperator operator = task == MergeCase.APPEND ? new StringAppendOperator("") : new UInt64AddOperator();
        db = RocksJavaDatabase.open(EngineOptions.WRITING, options -> options.setMergeOperator(operator));
    }

    /** Writes the initial counters. */
    @Setup
    public void fill(BenchmarkParams benchmark) throws RocksDBException {
        if (task == MergeCase.APPEND) {
            return;
        }
        boolean isMerging = benchmark.getBenchmark().endsWith("Operator");
        putAll(number(task == MergeCase.READ && !isMerging ? MergeCase.OPERANDS : 0));
        if (task == MergeCase.INCREMENT) {
            db.compactRange();
        }
        for (int i = 0; isMerging && task == MergeCase.READ && i < MergeCase.OPERANDS; i++) {
            for (int index = 0; index < task.keys(); index++) {
                merge(index);
            }
        }
    }

    /** Checks that nothing was lost. */
    @TearDown
    public void close() {
        long sum = 0;
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                byte[] found = iterator.value();
                sum += task == MergeCase.APPEND ? found.length : (long) NUMBER.get(found, 0);
            }
        }
        if (task != MergeCase.READ) {
            MergeCase.check(sum,
                    task == MergeCase.APPEND ? (long) MergeCase.OPERATIONS * task.operandBytes() : merged);
        }
        db.close();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void incrementOperator() throws RocksDBException {
        mergeAll();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void incrementArrays() throws RocksDBException {
        for (int i = 0; i < MergeCase.OPERATIONS; i++) {
            Keys.set(key, random.next(task.keys()));
            int size = db.get(key, value);
            NUMBER.set(value, 0, (long) NUMBER.get(value, 0) + 1);
            db.put(writing, key, 0, key.length, value, 0, size);
        }
        compact();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void incrementDirect() throws RocksDBException {
        for (int i = 0; i < MergeCase.OPERATIONS; i++) {
            int size = getDirect(random.next(task.keys()));
            directValue.putLong(0, directValue.getLong(0) + 1);
            writeDirect(size);
        }
        compact();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void appendOperator() throws RocksDBException {
        putAll(new byte[0]);
        mergeAll();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void appendArrays() throws RocksDBException {
        putAll(new byte[0]);
        for (int i = 0; i < MergeCase.OPERATIONS; i++) {
            Keys.set(key, random.next(task.keys()));
            int size = db.get(key, value);
            System.arraycopy(operand, 0, value, size, operand.length);
            db.put(writing, key, 0, key.length, value, 0, size + operand.length);
        }
        compact();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void appendDirect() throws RocksDBException {
        putAll(new byte[0]);
        for (int i = 0; i < MergeCase.OPERATIONS; i++) {
            int size = getDirect(random.next(task.keys()));
            directValue.clear().put(size, operand);
            writeDirect(size + operand.length);
        }
        compact();
    }

    /** Reads a random counter that was incremented by merges. */
    @Benchmark
    public long readOperator() throws RocksDBException {
        return readDirect();
    }

    /** Reads a random counter that was written back, into an array that is kept. */
    @Benchmark
    public long readArrays() throws RocksDBException {
        Keys.set(key, random.next(task.keys()));
        int size = db.get(key, value);
        return MergeCase.checkRead(size, (long) NUMBER.get(value, 0));
    }

    /** Reads a random counter that was written back, into a direct buffer that is kept. */
    @Benchmark
    public long readDirect() throws RocksDBException {
        int size = getDirect(random.next(task.keys()));
        return MergeCase.checkRead(size, directValue.getLong(0));
    }

    private int getDirect(long index) throws RocksDBException {
        return db.get(reading, Keys.set(directKey, index), directValue.clear());
    }

    private void writeDirect(int size) throws RocksDBException {
        db.put(writing, directKey.clear(), directValue.clear().limit(size));
    }

    private void mergeAll() throws RocksDBException {
        for (int i = 0; i < MergeCase.OPERATIONS; i++) {
            merge(random.next(task.keys()));
        }
        compact();
    }

    private void merge(long index) throws RocksDBException {
        db.merge(writing, Keys.set(directKey, index), directOperand.clear());
    }

    private void compact() throws RocksDBException {
        db.compactRange();
        merged += MergeCase.OPERATIONS;
    }

    /** Gives every key the same value. */
    private void putAll(byte[] same) throws RocksDBException {
        for (int i = 0; i < task.keys(); i++) {
            Keys.set(key, i);
            db.put(writing, key, same);
        }
    }

    private static byte[] number(long value) {
        byte[] number = new byte[Long.BYTES];
        NUMBER.set(number, 0, value);
        return number;
    }

    private static byte[] element() {
        byte[] element = new byte[MergeCase.APPEND.operandBytes()];
        Arrays.fill(element, (byte) 'e');
        return element;
    }
}
