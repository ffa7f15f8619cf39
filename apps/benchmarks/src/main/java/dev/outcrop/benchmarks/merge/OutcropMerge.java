package dev.outcrop.benchmarks.merge;

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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Merges by Outcrop, with an operator in Java. There is only one thread, so the database can belong to the thread's state. */
@State(Scope.Thread)
public class OutcropMerge {
    private final MergeCase task = MergeCase.current();
    private final RandomIndexes random = new RandomIndexes();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment key = Keys.inSegment(Keys.first(MergeCase.KEY_BYTES));
    private final MemorySegment operand = arena.allocate(task.operandBytes());
    private final MemorySegment number = arena.allocate(Long.BYTES);
    private final RocksDB database;
    private final KeyValueWriter writer;
    private long merged;

    public OutcropMerge() {
        Database current = Database.current();
        current.delete();
        database = RocksDB.open(current.directory(), new Options().set(EngineOptions.WRITING.text())
                .mergeOperator(task == MergeCase.APPEND ? new Appending() : new Adding()));
        writer = database.with(new WriteOptions().disableWAL(true));
        current.requireOnlyEngine();
    }

    /** Writes the initial counters. */
    @Setup
    public void fill() {
        if (task == MergeCase.APPEND) {
            return;
        }
        operand.set(Adding.NUMBER, 0, 1);
        putAll(number.fill((byte) 0));
        if (task == MergeCase.INCREMENT) {
            database.compact();
        }
        for (int i = 0; task == MergeCase.READ && i < MergeCase.OPERANDS; i++) {
            for (int index = 0; index < task.keys(); index++) {
                Keys.set(key, index);
                writer.merge(key, operand);
            }
        }
    }

    /** Checks that nothing was lost, and closes everything. */
    @TearDown
    public void close() {
        if (task != MergeCase.READ) {
            long[] sum = {0};
            database.scan(KeyRange.all(), (found, value) -> {
                sum[0] += task == MergeCase.APPEND ? value.byteSize() : value.get(Adding.NUMBER, 0);
                return true;
            });
            MergeCase.check(sum[0],
                    task == MergeCase.APPEND ? (long) MergeCase.OPERATIONS * task.operandBytes() : merged);
        }
        database.close();
        arena.close();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void increment() {
        mergeAll();
    }

    @Benchmark
    @OperationsPerInvocation(MergeCase.OPERATIONS)
    public void append() {
        putAll(MemorySegment.NULL);
        mergeAll();
    }

    @Benchmark
    public long read() {
        Keys.set(key, random.next(task.keys()));
        long size = database.get(key, number);
        return MergeCase.checkRead(size, number.get(Adding.NUMBER, 0));
    }

    private void mergeAll() {
        for (int i = 0; i < MergeCase.OPERATIONS; i++) {
            Keys.set(key, random.next(task.keys()));
            writer.merge(key, operand);
        }
        database.compact();
        merged += MergeCase.OPERATIONS;
    }

    private void putAll(MemorySegment value) {
        for (int index = 0; index < task.keys(); index++) {
            Keys.set(key, index);
            writer.put(key, value);
        }
    }
}
