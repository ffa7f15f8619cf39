package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.JmhFork;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.List;
import java.util.stream.Stream;

/**
 * A task with merges for all sides: the Java operator, read-modify-write in two forms, the C++ operator, the C operator. Each start of a
 * side makes its own database, because it changes the database. Every key has 16 bytes.
 */
public enum MergeCase implements Case {
    /** Increments random counters, then compacts everything. */
    INCREMENT("increment", "increment, then compact", 100_000, Long.BYTES),
    /** Appends elements of 16 bytes to lists that are empty at first, about a hundred elements to each list; then compacts everything. */
    APPEND("append", "append, then compact", 500, 16),
    /** Reads random counters that were incremented several times since they were set. Everything is in the memtable. */
    READ("read", "read after 8 increments", 1_000, Long.BYTES);

    static final int KEY_BYTES = 16;
    /** Increments or appends before a compaction. */
    static final int OPERATIONS = 50_000;
    /** Increments of a counter before it is read. */
    static final int OPERANDS = 8;

    private static final String NAME = "merge";
    private static final String OURS = "outcrop";
    private static final String C = "C";
    private static final String SUBJECT = "Java operator";
    /** The C++ operator is not the peer, so its name must not begin with the name of the peer. */
    private static final String REFERENCE = "C++ operator, by rocksdbjni";

    /** The prefix of the names of the JMH methods that measure the case. It is also the case of the C program. */
    private final String method;
    private final String label;
    private final int keys;
    private final int operandBytes;

    MergeCase(String method, String label, int keys, int operandBytes) {
        this.method = method;
        this.label = label;
        this.keys = keys;
        this.operandBytes = operandBytes;
    }

    /** Returns the suite: merge operators in Java by Outcrop, their substitutes in rocksdbjni, and C. */
    public static Suite suite() {
        return new Suite(NAME, Suite.ROCKSDBJNI, _ -> List.of(values()));
    }

    /** The case of a JVM. */
    private record Task(MergeCase task) {
    }

    /** Returns the case of this JVM. */
    static MergeCase current() {
        return Settings.current(Task.class).task;
    }

    int keys() {
        return keys;
    }

    int operandBytes() {
        return operandBytes;
    }

    /** Checks the sum of all counters at the end, or the length of all lists. */
    static void check(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("The sum is " + found + " instead of " + expected);
        }
    }

    /** Checks a counter that was read. */
    static long checkRead(long size, long counter) {
        check(size + counter, (long) Long.BYTES + OPERANDS);
        return counter;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public List<Row> run(RunContext context) {
        RunLength runLength = context.runLength().patient();
        Database database = context.database();
        String calls = this == READ ? "get of a put value" : "get + put";
        String arrays = Suite.ROCKSDBJNI + ' ' + calls + ", byte[]";
        String direct = Suite.ROCKSDBJNI + ' ' + calls + ", direct buffers";
        ProcessComparison comparison = context.comparison()
                .add(OURS, fork(OutcropMerge.class, "", database, runLength))
                .add(arrays, fork(RocksJavaMerge.class, "Arrays", database, runLength))
                .add(direct, fork(RocksJavaMerge.class, "Direct", database, runLength))
                .add(REFERENCE, fork(RocksJavaMerge.class, "Operator", database, runLength));
        context.program(NAME).ifPresent(program -> comparison.add(C,
                program.process(database.engine(), database.directory(), EngineOptions.WRITING.text(), method, keys,
                        OPERATIONS, OPERANDS, runLength.iterations(), runLength.time().toMillis())));
        Results results = comparison.run(runLength.rounds());
        return Stream.of(results.fastest(List.of(arrays, direct), ProcessOutput.TIME), REFERENCE)
                .map(peer -> new Row(NAME, label,
                        Row.params("keyBytes", KEY_BYTES, "operandBytes", operandBytes, "keys", keys), label, SUBJECT,
                        results.of(OURS).time(), peer, results.of(peer).time(), results.timeIfMeasured(C)))
                .toList();
    }

    private JmhFork fork(Class<?> type, String form, Database database, RunLength runLength) {
        return new JmhFork(type, method + form, 1, database.jvmArgs(new Task(this)), runLength);
    }
}
