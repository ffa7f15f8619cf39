package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.JmhFork;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Start;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A task by all sides: the Java operator, read-modify-write in two forms, the C++ operator, the C operator. Each start of a side makes the
 * database for itself, because it changes it.
 *
 * @param task the task
 */
record MergeCase(MergeTask task) implements Case {
    private static final String OURS = "outcrop";
    private static final String C = "C";
    private static final String SUBJECT = "Java operator";
    /** Not the peer, which has no Java operators; so its name begins in another way. */
    private static final String REFERENCE = "C++ operator, by rocksdbjni";

    /** The task of this JVM. */
    static MergeTask current() {
        return Settings.current(MergeCase.class).task;
    }

    @Override
    public String label() {
        return task.toString();
    }

    @Override
    public List<Row> run(Lab lab) {
        Effort effort = lab.effort().patient();
        Database database = lab.database();
        String calls = task == MergeTask.READ ? "get of a put value" : "get + put";
        String arrays = Suite.ROCKSDBJNI + ' ' + calls + ", byte[]";
        String direct = Suite.ROCKSDBJNI + ' ' + calls + ", direct buffers";
        Contest contest = lab.contest()
                .add(OURS, fork(OutcropMerge.class, "", database, effort))
                .add(arrays, fork(RocksJavaUpdate.class, "Arrays", database, effort))
                .add(direct, fork(RocksJavaUpdate.class, "Direct", database, effort))
                .add(REFERENCE, fork(RocksJavaMerge.class, "", database, effort));
        lab.program(MergeSuite.NAME).ifPresent(program -> contest.add(C,
                program.probe(database.engine(), database.directory(), EngineOptions.WRITING.text(), task.method(),
                        task.keys(), MergeTask.OPERATIONS, MergeTask.OPERANDS, effort.iterations(),
                        effort.time().toMillis())));
        Results results = contest.run(effort.rounds());
        return List.of(row(results.fastest(List.of(arrays, direct), Start.TIME), results), row(REFERENCE, results));
    }

    private JmhFork fork(Class<?> type, String form, Database database, Effort effort) {
        return new JmhFork(type, task.method() + form, 1, database.jvmArgs(this), effort);
    }

    private Row row(String peer, Results results) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("keyBytes", MergeTask.KEY_BYTES);
        params.put("operandBytes", task.operandBytes());
        params.put("keys", task.keys());
        return new Row(MergeSuite.NAME, label(), params, label(), SUBJECT, results.of(OURS).time(), peer,
                results.of(peer).time().median(), results.timeIfMeasured(C));
    }
}
