package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.CaseSuite;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Row;
import java.util.List;
import java.util.Optional;

/** Keys in an order of one's own: Outcrop, rocksdbjni, C. */
public final class ComparatorSuite extends CaseSuite<ComparatorCase> {
    static final String NAME = "comparator";

    /** Creates the suite. */
    public ComparatorSuite() {
        super(NAME);
    }

    @Override
    protected List<ComparatorCase> cases(boolean isQuick) {
        return ComparatorCase.all(isQuick);
    }

    @Override
    protected String label(ComparatorCase each) {
        return each.label();
    }

    @Override
    protected List<Row> run(ComparatorCase each, Database database, Lab lab, Optional<CProgram> c) {
        Workload workload = new Workload(database, each.operation(), each.order(), RocksJavaBuffers.REUSED_BY_THREAD);
        if (each.operation() != Operation.WRITE) {
            Processes.java(DatabaseBuilder.class, workload.jvmArgs(), List.of());
        }
        return List.of(new ComparatorContest(each, workload, lab, c).run());
    }
}
