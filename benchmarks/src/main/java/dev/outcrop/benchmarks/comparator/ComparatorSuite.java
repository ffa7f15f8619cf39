package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keys in an order of one's own: Outcrop, rocksdbjni, C. */
public final class ComparatorSuite implements Suite {
    static final String NAME = "comparator";
    static final String PEER = "rocksdbjni";

    /** Creates the suite. */
    public ComparatorSuite() {
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
    public List<Row> run(Lab lab) {
        List<ComparatorCase> cases = ComparatorCase.all(lab.effort().isQuick()).stream()
                .filter(each -> lab.wants(each.label())).toList();
        if (cases.isEmpty()) {
            return List.of();
        }
        Optional<CProgram> c = CProgram.compile(NAME, lab);
        Database database = Database.in(lab);
        List<Row> rows = new ArrayList<>();
        for (ComparatorCase each : cases) {
            Workload workload = new Workload(database, each.operation(), each.order(),
                    RocksJavaBuffers.REUSED_BY_THREAD);
            database.delete();
            try {
                if (each.operation() != Operation.WRITE) {
                    Processes.java(DatabaseBuilder.class, workload.jvmArgs(), List.of());
                }
                Row row = new ComparatorContest(each, workload, lab, c).run();
                lab.finished(row);
                rows.add(row);
            } finally {
                database.delete();
            }
        }
        return rows;
    }
}
