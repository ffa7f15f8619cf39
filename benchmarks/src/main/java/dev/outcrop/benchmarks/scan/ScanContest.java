package dev.outcrop.benchmarks.scan;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Probe;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** All forms of all sides in one case. Every form of ours is compared with the best one of rocksdbjni. */
final class ScanContest {
    private static final String OURS = "outcrop ";
    private static final String C = "C";

    /** Names of the forms, with the methods that measure them. */
    private static final Map<String, String> METHODS = Map.of(
            "callback", "callback", "iterator, copying", "copying", "iterator, segments", "segments",
            "byte[]", "bytes", "preallocated byte[]", "preallocated", "direct buffer", "direct",
            "seek by segment", "seekSegment", "seek by byte[]", "seekBytes", "seek by direct buffer", "seekDirect");
    private static final List<String> OUR_SCANS = List.of("callback", "iterator, copying", "iterator, segments");
    private static final List<String> PEER_SCANS = List.of("byte[]", "preallocated byte[]", "direct buffer");
    private static final List<String> OUR_SEEKS = List.of("seek by segment", "seek by byte[]");
    private static final List<String> PEER_SEEKS = List.of("seek by byte[]", "seek by direct buffer");

    private final ScanCase scanCase;
    private final ScanWorkload workload;
    private final Lab lab;
    private final Optional<CProgram> c;

    ScanContest(ScanCase scanCase, ScanWorkload workload, Lab lab, Optional<CProgram> c) {
        this.scanCase = scanCase;
        this.workload = workload;
        this.lab = lab;
        this.c = c;
    }

    List<Row> run() {
        boolean isSeek = scanCase.movement() == Movement.SEEK;
        List<String> ourForms = isSeek ? OUR_SEEKS : OUR_SCANS;
        List<String> peerForms = isSeek ? PEER_SEEKS : PEER_SCANS;
        Contest contest = new Contest();
        ourForms.forEach(form -> contest.add(OURS + form, fork(OutcropScan.class, form)));
        peerForms.forEach(form -> contest.add(peer(form), fork(RocksJavaScan.class, form)));
        c.ifPresent(program -> contest.add(C, program.probe(cArguments())));
        Results results = contest.run(lab.effort().halfOfRounds());
        String best = peerForms.stream().map(ScanContest::peer)
                .min(Comparator.comparingDouble(peer -> results.of(peer).nanos())).orElseThrow();
        List<Row> rows = new ArrayList<>();
        for (String form : ourForms) {
            rows.add(new Row(ScanSuite.NAME, scanCase.name(), scanCase.params(workload.keys()), scanCase.label(), form,
                    results.of(OURS + form), best, results.of(best).nanos(), results.nanosIfMeasured(C)));
        }
        return rows;
    }

    private Probe fork(Class<?> type, String form) {
        Probe probe = lab.fork(type, Objects.requireNonNull(METHODS.get(form), form), 1, workload.jvmArgs());
        return scanCase.movement().isAll() ? probe.dividedBy(workload.entries()) : probe;
    }

    private List<String> cArguments() {
        return List.of(workload.database().engine().toString(), workload.database().directory().toString(),
                EngineOptions.READING.text(), scanCase.movement().name().toLowerCase(Locale.ROOT),
                Integer.toString(workload.keys()), Integer.toString(workload.valueBytes()),
                Integer.toString(lab.effort().iterations()), Long.toString(lab.effort().time().toMillis()));
    }

    private static String peer(String form) {
        return ScanSuite.PEER + ' ' + form;
    }
}
