package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Probe;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Both forms of all sides in one case. Arrays are compared with rocksdbjni's arrays; segments with the better one of its
 * forms, because whoever can use them can use either.
 */
final class WriteContest {
    private static final String BYTES = "byte[]";
    private static final String SEGMENT = "segment";
    private static final String DIRECT = "direct buffer";
    private static final String PEER_BYTES = WriteSuite.PEER + ' ' + BYTES;
    private static final String PEER_DIRECT = WriteSuite.PEER + ' ' + DIRECT;
    private static final String C = "C";

    private final WriteCase writeCase;
    private final WriteWorkload workload;
    private final Lab lab;
    private final Optional<CProgram> c;

    WriteContest(WriteCase writeCase, WriteWorkload workload, Lab lab, Optional<CProgram> c) {
        this.writeCase = writeCase;
        this.workload = workload;
        this.lab = lab;
        this.c = c;
    }

    List<Row> run() {
        Contest contest = new Contest()
                .add(BYTES, fork(OutcropWrite.class, "Bytes"))
                .add(SEGMENT, fork(OutcropWrite.class, "Segment"))
                .add(PEER_BYTES, fork(RocksJavaWrite.class, "Bytes"))
                .add(PEER_DIRECT, fork(RocksJavaWrite.class, "Direct"));
        c.ifPresent(program -> contest.add(C, program.probe(cArguments())));
        Results results = contest.run(lab.effort().halfOfRounds());
        return List.of(row(BYTES, PEER_BYTES, results),
                row(SEGMENT, results.faster(PEER_BYTES, PEER_DIRECT), results));
    }

    private Row row(String form, String peer, Results results) {
        return new Row(WriteSuite.NAME, writeCase.name(), writeCase.params(), writeCase.label(), form,
                results.of(form), peer, results.of(peer).nanos(), results.nanosIfMeasured(C));
    }

    /** The methods are called after what they do and what they take. */
    private Probe fork(Class<?> type, String form) {
        return lab.fork(type, action() + form, writeCase.threads(), workload.jvmArgs());
    }

    private List<String> cArguments() {
        return List.of(workload.database().engine().toString(), workload.database().directory().toString(),
                EngineOptions.WRITING.text(), action(), Integer.toString(writeCase.records()),
                writeCase.log().name().toLowerCase(Locale.ROOT), writeCase.isRandom() ? "random" : "ascending",
                Integer.toString(writeCase.threads()), Integer.toString(lab.effort().iterations()),
                Long.toString(lab.effort().time().toMillis()));
    }

    private String action() {
        return writeCase.action().name().toLowerCase(Locale.ROOT);
    }
}
