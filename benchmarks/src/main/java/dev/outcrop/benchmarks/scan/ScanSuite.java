package dev.outcrop.benchmarks.scan;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Entries in order from the block cache: Outcrop, rocksdbjni, C. */
public final class ScanSuite implements Suite {
    static final String NAME = "scan";
    static final String PEER = "rocksdbjni";

    /** Creates the suite. */
    public ScanSuite() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String peer() {
        return PEER;
    }

    @Override
    public List<Row> run(Lab given) {
        Lab lab = given.patient();
        Map<Integer, List<ScanCase>> bySize = ScanCase.all(lab.effort().isQuick()).stream()
                .filter(each -> lab.wants(each.label()))
                .collect(Collectors.groupingBy(ScanCase::valueBytes, LinkedHashMap::new, Collectors.toList()));
        if (bySize.isEmpty()) {
            return List.of();
        }
        Optional<CProgram> c = CProgram.compile(NAME, lab);
        Database database = Database.in(lab);
        List<Row> rows = new ArrayList<>();
        for (List<ScanCase> cases : bySize.values()) {
            database.delete();
            try {
                Processes.java(ScanDatabaseBuilder.class, workload(database, lab, cases.getFirst()).jvmArgs(),
                        List.of());
                for (ScanCase each : cases) {
                    List<Row> found = new ScanContest(each, workload(database, lab, each), lab, c).run();
                    found.forEach(lab::finished);
                    rows.addAll(found);
                }
            } finally {
                database.delete();
            }
        }
        return rows;
    }

    private static ScanWorkload workload(Database database, Lab lab, ScanCase scanCase) {
        return new ScanWorkload(database, ScanWorkload.keysFor(scanCase.valueBytes(), lab.effort().dataBytes()),
                scanCase.valueBytes(), scanCase.movement());
    }
}
