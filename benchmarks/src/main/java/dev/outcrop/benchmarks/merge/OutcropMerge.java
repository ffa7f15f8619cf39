package dev.outcrop.benchmarks.merge;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.Database;
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

    private final MergeTask task = MergeCase.current();
    private final RandomIndexes random = new RandomIndexes();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment key = arena.allocateFrom(JAVA_BYTE, Keys.first(MergeTask.KEY_BYTES));
    private final MemorySegment operand = arena.allocate(task.operandBytes());
    private final MemorySegment number = arena.allocate(Long.BYTES);
    private final RocksDB database;
    private final KeyValueWriter writer;
    private long merged;

    /** Opens an empty database. */
    public OutcropMerge() {
        Database current = Database.current();
        current.delete();
        database = RocksDB.open(current.directory(), new Options().set(EngineOptions.WRITING.text())
                .mergeOperator(task == MergeTask.APPEND ? new Appending() : new Adding()));
        writer = database.with(new WriteOptions().disableWAL(true));
        current.requireOnlyEngine();
    }

    /** Writes what is there before measuring. */
    @Setup
    public void fill() {
        if (task == MergeTask.APPEND) {
            return;
        }
        operand.set(Adding.NUMBER, 0, 1);
        putAll(number.fill((byte) 0));
        if (task == MergeTask.INCREMENT) {
            database.compact();
        }
        for (int i = 0; task == MergeTask.READ && i < MergeTask.OPERANDS; i++) {
            for (int index = 0; index < task.keys(); index++) {
                key.set(INDEX, 0, index);
                writer.merge(key, operand);
            }
        }
    }

    /** Checks that nothing was lost, and closes everything. */
    @TearDown
    public void close() {
        if (task == MergeTask.INCREMENT) {
            long[] sum = {0};
            database.scan(KeyRange.all(), (found, value) -> {
                sum[0] += value.get(Adding.NUMBER, 0);
                return true;
            });
            MergeTask.check(sum[0], merged);
        } else if (task == MergeTask.APPEND) {
            long[] sum = {0};
            database.scan(KeyRange.all(), (found, value) -> {
                sum[0] += value.byteSize();
                return true;
            });
            MergeTask.check(sum[0], (long) MergeTask.OPERATIONS * task.operandBytes());
        }
        database.close();
        arena.close();
    }

    /** Increments random counters and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(MergeTask.OPERATIONS)
    public void increment() {
        mergeAll();
    }

    /** Appends to random lists, which are empty at first, and compacts everything. */
    @Benchmark
    @OperationsPerInvocation(MergeTask.OPERATIONS)
    public void append() {
        putAll(MemorySegment.NULL);
        mergeAll();
    }

    /** Reads a random counter. */
    @Benchmark
    public long read() {
        key.set(INDEX, 0, random.next(task.keys()));
        long size = database.get(key, number);
        long value = number.get(Adding.NUMBER, 0);
        MergeTask.check(size + value, (long) Long.BYTES + MergeTask.OPERANDS);
        return value;
    }

    private void mergeAll() {
        for (int i = 0; i < MergeTask.OPERATIONS; i++) {
            key.set(INDEX, 0, random.next(task.keys()));
            writer.merge(key, operand);
        }
        database.compact();
        merged += MergeTask.OPERATIONS;
    }

    private void putAll(MemorySegment value) {
        for (int index = 0; index < task.keys(); index++) {
            key.set(INDEX, 0, index);
            writer.put(key, value);
        }
    }
}
