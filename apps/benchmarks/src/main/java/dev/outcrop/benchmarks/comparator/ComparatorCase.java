package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.JmhFork;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.rocksdb.Options;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One operation on keys in one order: by Outcrop, by rocksdbjni with all its ways to pass keys to a comparator, and by C.
 *
 * @param operation the operation
 * @param order     the order of the keys
 * @param threads   how many threads do the operation at once
 */
public record ComparatorCase(Operation operation, KeyOrder order, int threads) implements Case {
    private static final String NAME = "comparator";
    private static final String OURS = "outcrop";
    private static final String C = "C";
    private static final String SUBJECT = "segments";

    /** An operation on keys. */
    enum Operation {
        /** Reads random keys from the block cache. */
        GET("get"),
        /** Moves an iterator to random keys in the block cache. */
        SEEK("seek"),
        /** Writes random keys into an empty memtable. One of RocksDB's own threads then flushes it. */
        WRITE("write");

        /** The JMH method that measures the operation, and the case of the C program. */
        private final String method;

        Operation(String method) {
            this.method = method;
        }

        @Override
        public String toString() {
            return this == WRITE ? "put, then flush" : method;
        }
    }

    /** Returns the suite: keys in a user-defined order by Outcrop, rocksdbjni, and C. */
    public static Suite suite() {
        return new Suite(NAME, Suite.ROCKSDBJNI, ComparatorCase::all);
    }

    private static List<ComparatorCase> all(RunLength runLength) {
        if (runLength.isQuick()) {
            return List.of(new ComparatorCase(Operation.GET, KeyOrder.NUMBERS, 1),
                    new ComparatorCase(Operation.WRITE, KeyOrder.NUMBERS, 1),
                    new ComparatorCase(Operation.GET, KeyOrder.BYTES, 1));
        }
        return Arrays.stream(KeyOrder.values()).flatMap(order -> Stream.of(new ComparatorCase(Operation.GET, order, 1),
                new ComparatorCase(Operation.GET, order, 2), new ComparatorCase(Operation.SEEK, order, 1),
                new ComparatorCase(Operation.WRITE, order, 1))).toList();
    }

    @Override
    public String label() {
        return operation + ", " + order + ", " + Labels.threads(threads);
    }

    @Override
    public List<Row> run(RunContext context) {
        Database database = context.database();
        RunLength runLength = context.runLength().patient();
        ComparatorWorkload workload = new ComparatorWorkload(operation, order, RocksJavaBuffers.REUSED_BY_THREAD);
        if (operation != Operation.WRITE) {
            // In a separate process, so that the measured processes begin with clean memory.
            new JavaProgram(ComparatorWorkload.class, database.jvmArgs(workload)).run();
        }
        ProcessComparison comparison = context.comparison().add(OURS,
                new JmhFork(OutcropComparator.class, operation.method, threads, database.jvmArgs(workload), runLength));
        List<String> peers = new ArrayList<>();
        for (RocksJavaBuffers buffers : RocksJavaBuffers.all(runLength.isQuick())) {
            String peer = Suite.ROCKSDBJNI + ' ' + buffers;
            peers.add(peer);
            comparison.add(peer, new JmhFork(RocksJavaComparator.class, operation.method, threads,
                    database.jvmArgs(new ComparatorWorkload(operation, order, buffers)), runLength));
        }
        context.program(NAME).ifPresent(program -> comparison.add(C,
                program.process(database.engine(), database.directory(), EngineOptions.READING.text(), operation.method,
                        order.name(), order.comparatorName(), ComparatorWorkload.KEYS, ComparatorWorkload.VALUE_BYTES,
                        ComparatorWorkload.WRITES,
                        threads, runLength.iterations(), runLength.time().toMillis())));
        Results results = comparison.run(runLength.rounds());
        String best = results.fastest(peers, ProcessOutput.TIME);
        return List.of(new Row(NAME, operation.toString(),
                Row.params("keyBytes", order.keyBytes(), "valueBytes", ComparatorWorkload.VALUE_BYTES, "keys",
                        ComparatorWorkload.KEYS,
                        "threads", threads),
                label(), SUBJECT, results.of(OURS).time(), best, results.of(best).time(),
                results.timeIfMeasured(C)));
    }

    /**
     * The work of every side of a case. It is also the program that builds the database that the sides read.
     *
     * @param operation the operation; if it writes, each side makes its own database
     * @param order     the order of the keys
     * @param buffers   how rocksdbjni passes keys to the comparator
     */
    record ComparatorWorkload(Operation operation, KeyOrder order, RocksJavaBuffers buffers) {
        static final int KEYS = 100_000;
        static final int VALUE_BYTES = 16;
        /** Keys that are written before a flush. */
        static final int WRITES = 10_000;

        public static void main(String[] args) {
            KeyOrder order = current().order;
            DatabaseBuilder.Contents contents = new DatabaseBuilder.Contents(EngineOptions.READING.text(), KEYS,
                    order.keyBytes(), VALUE_BYTES, 0);
            DatabaseBuilder.build(contents, new Options().set(contents.options()).comparator(order.ours()),
                    order.firstKey(), (key, index) -> order.set(MemorySegment.ofArray(key), index));
        }

        /** Returns the workload of this JVM. */
        static ComparatorWorkload current() {
            return Settings.current(ComparatorWorkload.class);
        }

        /** Deletes the database if the operation writes, so that it starts empty. */
        void prepare() {
            if (isWriting()) {
                Database.current().delete();
            }
        }

        boolean isWriting() {
            return operation == Operation.WRITE;
        }

        /** Checks the size that a read returned. */
        static void check(long size) {
            if (size != VALUE_BYTES) {
                throw new IllegalStateException("Read a value of " + size + " bytes instead of " + VALUE_BYTES);
            }
        }
    }
}
