package dev.outcrop.benchmarks.merge;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Merges by Outcrop, with an operator in Java. There is one thread, so the database can be its own. */
@State(Scope.Thread)
public class OutcropMerge {
    private static final ValueLayout.OfLong INDEX = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Workload workload = Workload.current();
    private final Task task = workload.task();
    private final RandomIndexes random = new RandomIndexes();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment key = arena.allocateFrom(JAVA_BYTE, Keys.first(Task.KEY_BYTES));
    private final MemorySegment operand = arena.allocate(task.operandBytes());
    private final MemorySegment number = arena.allocate(Long.BYTES);
    private final RocksDB database;
    private final KeyValueWriter writer;
    private long merged;

    /** Opens an empty database. */
    public OutcropMerge() {
        workload.database().delete();
        database = RocksDB.open(workload.database().directory(), new Options().set(EngineOptions.WRITING.text())
                .mergeOperator(task == Task.APPEND ? new Appending() : new Adding()));
        writer = database.with(new WriteOptions().disableWAL(true));
        workload.database().requireOnlyEngine();
    }

    /** Writes what is there before measuring. */
    @Setup
    public void fill() {
        if (task == Task.APPEND) {
            return;
        }
        operand.set(Adding.NUMBER, 0, 1);
        putAll(number.fill((byte) 0));
        if (task == Task.INCREMENT) {
            database.compact();
        }
        for (int i = 0; task == Task.READ && i < Task.OPERANDS; i++) {
            for (int index = 0; index < task.keys(); index++) {
                key.set(INDEX, 0, index);
                writer.merge(key, operand);
            }
        }
    }

    /** Checks that nothing was lost, and closes everything. */
    @TearDown
    public void close() {
        if (task == Task.INCREMENT) {
            long[] sum = {0};
            database.scan(KeyRange.all(), (found, value) -> {
                sum[0] += value.get(Adding.NUMBER, 0);
                return true;
            });
            Workload.check(sum[0], merged);
        } else if (task == Task.APPEND) {
            long[] sum = {0};
            database.scan(KeyRange.all(), (found, value) -> {
                sum[0] += value.byteSize();
                return true;
            });
            Workload.check(sum[0], (long) Task.OPERATIONS * task.operandBytes());
        }
        database.close();
        arena.close();
    }

    /** Increments random counters and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(Task.OPERATIONS)
    public void increment() {
        mergeAll();
    }

    /** Appends to random lists, which are empty at first, and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(Task.OPERATIONS)
    public void append() {
        putAll(MemorySegment.NULL);
        mergeAll();
    }

    /**
     * Reads a random counter.
     *
     * @return its value
     */
    @Benchmark
    public long read() {
        key.set(INDEX, 0, random.next(task.keys()));
        long size = database.get(key, number);
        long value = number.get(Adding.NUMBER, 0);
        Workload.check(size + value, (long) Long.BYTES + Task.OPERANDS);
        return value;
    }

    private void mergeAll() {
        for (int i = 0; i < Task.OPERATIONS; i++) {
            key.set(INDEX, 0, random.next(task.keys()));
            writer.merge(key, operand);
        }
        database.compact();
        merged += Task.OPERATIONS;
    }

    private void putAll(MemorySegment value) {
        for (int index = 0; index < task.keys(); index++) {
            key.set(INDEX, 0, index);
            writer.put(key, value);
        }
    }
}
