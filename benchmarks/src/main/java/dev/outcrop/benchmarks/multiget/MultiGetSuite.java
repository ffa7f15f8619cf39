package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.CaseSuite;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Row;
import java.util.List;
import java.util.Optional;

/** Reads of many keys at once from the block cache: Outcrop, rocksdbjni, C. */
public final class MultiGetSuite extends CaseSuite<MultiGetCase> {
    static final String NAME = "multiget";

    /** Creates the suite. */
    public MultiGetSuite() {
        super(NAME);
    }

    @Override
    protected List<MultiGetCase> cases(boolean isQuick) {
        return MultiGetCase.all(isQuick);
    }

    @Override
    protected String label(MultiGetCase each) {
        return each.label();
    }

    @Override
    protected List<Row> run(MultiGetCase each, Database database, Lab lab, Optional<CProgram> c) {
        MultiGetWorkload workload = new MultiGetWorkload(database,
                MultiGetWorkload.keysFor(each.valueBytes(), lab.effort().dataBytes()), each);
        Processes.java(MultiGetDatabaseBuilder.class, workload.jvmArgs(), List.of());
        return new MultiGetContest(each, workload, lab, c).run();
    }
}
