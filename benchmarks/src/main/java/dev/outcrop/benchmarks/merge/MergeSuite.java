package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.CaseSuite;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.util.List;
import java.util.Optional;

/** Merge operators in Java: Outcrop, what rocksdbjni has instead, C. */
public final class MergeSuite extends CaseSuite<Task> {
    static final String NAME = "merge";

    /** Creates the suite. */
    public MergeSuite() {
        super(NAME);
    }

    @Override
    protected List<Task> cases(boolean isQuick) {
        return List.of(Task.values());
    }

    @Override
    protected String label(Task each) {
        return each.toString();
    }

    @Override
    protected List<Row> run(Task each, Database database, Lab lab, Optional<CProgram> c) {
        return new MergeContest(new Workload(database, each), lab, c).run();
    }
}
