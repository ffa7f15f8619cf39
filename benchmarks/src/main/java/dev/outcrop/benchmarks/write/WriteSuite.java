package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.CaseSuite;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.util.List;
import java.util.Optional;

/** Puts and batches: Outcrop, rocksdbjni, C. */
public final class WriteSuite extends CaseSuite<WriteCase> {
    static final String NAME = "write";

    /** Creates the suite. */
    public WriteSuite() {
        super(NAME);
    }

    @Override
    protected List<WriteCase> cases(boolean isQuick) {
        return WriteCase.all(isQuick);
    }

    @Override
    protected String label(WriteCase each) {
        return each.label();
    }

    @Override
    protected List<Row> run(WriteCase each, Database database, Lab lab, Optional<CProgram> c) {
        WriteWorkload workload = new WriteWorkload(database, each.records(), each.log(), each.isRandom());
        return new WriteContest(each, workload, lab, c).run();
    }
}
