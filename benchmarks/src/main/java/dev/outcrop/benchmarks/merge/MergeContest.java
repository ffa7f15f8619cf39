package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** All sides in one case: the Java operator, read-modify-write in two forms, the C++ operator, the C operator. */
final class MergeContest {
    private static final String OURS = "outcrop";
    private static final String C = "C";
    private static final String SUBJECT = "Java operator";
    /** Not the peer, which has no Java operators; so its name begins in another way. */
    private static final String REFERENCE = "C++ operator, by rocksdbjni";

    private final Workload workload;
    private final Task task;
    private final Lab lab;
    private final Optional<CProgram> c;

    MergeContest(Workload workload, Lab lab, Optional<CProgram> c) {
        this.workload = workload;
        this.task = workload.task();
        this.lab = lab;
        this.c = c;
    }

    List<Row> run() {
        String calls = task == Task.READ ? "get of a put value" : "get + put";
        String arrays = MergeSuite.PEER + ' ' + calls + ", byte[]";
        String direct = MergeSuite.PEER + ' ' + calls + ", direct buffers";
        List<String> jvmArgs = workload.jvmArgs();
        Contest contest = new Contest()
                .add(OURS, lab.fork(OutcropMerge.class, task.method(), 1, jvmArgs))
                .add(arrays, lab.fork(RocksJavaUpdate.class, task.method() + "Arrays", 1, jvmArgs))
                .add(direct, lab.fork(RocksJavaUpdate.class, task.method() + "Direct", 1, jvmArgs))
                .add(REFERENCE, lab.fork(RocksJavaMerge.class, task.method(), 1, jvmArgs));
        c.ifPresent(program -> contest.add(C, program.probe(cArguments())));
        Results results = contest.run(lab.effort().rounds());
        return List.of(row(results.faster(arrays, direct), results), row(REFERENCE, results));
    }

    private Row row(String peer, Results results) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("keyBytes", Task.KEY_BYTES);
        params.put("operandBytes", task.operandBytes());
        params.put("keys", task.keys());
        return new Row(MergeSuite.NAME, task.toString(), params, task.toString(), SUBJECT, results.of(OURS), peer,
                results.of(peer).nanos(), results.nanosIfMeasured(C));
    }

    private List<String> cArguments() {
        return List.of(workload.database().engine().toString(), workload.database().directory().toString(),
                EngineOptions.WRITING.text(), task.method(), Integer.toString(task.keys()),
                Integer.toString(Task.OPERATIONS), Integer.toString(Task.OPERANDS),
                Integer.toString(lab.effort().iterations()), Long.toString(lab.effort().time().toMillis()));
    }
}
