package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.List;
import java.util.Optional;

/** All sides in one case; rocksdbjni in all its ways to give a comparator its keys. */
final class ComparatorContest {
    private static final String OURS = "outcrop";
    private static final String C = "C";
    private static final String SUBJECT = "segments";

    private final ComparatorCase comparatorCase;
    private final Workload workload;
    private final Lab lab;
    private final Optional<CProgram> c;

    ComparatorContest(ComparatorCase comparatorCase, Workload workload, Lab lab, Optional<CProgram> c) {
        this.comparatorCase = comparatorCase;
        this.workload = workload;
        this.lab = lab;
        this.c = c;
    }

    Row run() {
        String method = workload.operation().method();
        int threads = comparatorCase.threads();
        List<RocksJavaBuffers> buffers = RocksJavaBuffers.all(lab.effort().isQuick());
        Contest contest = new Contest();
        contest.add(OURS, lab.fork(OutcropComparator.class, method, threads, workload.jvmArgs()));
        buffers.forEach(each -> contest.add(peer(each),
                lab.fork(RocksJavaComparator.class, method, threads, workload.with(each).jvmArgs())));
        c.ifPresent(program -> contest.add(C, program.probe(cArguments())));
        Results results = contest.run(lab.effort().rounds());
        String best = buffers.stream().map(ComparatorContest::peer).reduce(results::faster).orElseThrow();
        return new Row(ComparatorSuite.NAME, comparatorCase.operation().toString(), comparatorCase.params(),
                comparatorCase.label(), SUBJECT, results.of(OURS), best, results.of(best).nanos(),
                results.nanosIfMeasured(C));
    }

    private List<String> cArguments() {
        return List.of(workload.database().engine().toString(), workload.database().directory().toString(),
                EngineOptions.READING.text(), workload.operation().method(), workload.order().name(),
                workload.order().comparatorName(), Integer.toString(Workload.KEYS),
                Integer.toString(Workload.VALUE_BYTES), Integer.toString(Workload.WRITES),
                Integer.toString(comparatorCase.threads()), Integer.toString(lab.effort().iterations()),
                Long.toString(lab.effort().time().toMillis()));
    }

    private static String peer(RocksJavaBuffers buffers) {
        return ComparatorSuite.PEER + ' ' + buffers;
    }
}
