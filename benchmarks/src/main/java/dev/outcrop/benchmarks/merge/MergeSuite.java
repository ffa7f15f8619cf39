package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Merge operators in Java: Outcrop, what rocksdbjni has instead, C. */
public final class MergeSuite implements Suite {
    static final String NAME = "merge";
    static final String PEER = "rocksdbjni";

    /** Creates the suite. */
    public MergeSuite() {
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
        List<Task> tasks = Stream.of(Task.values()).filter(each -> lab.wants(each.toString())).toList();
        if (tasks.isEmpty()) {
            return List.of();
        }
        Optional<CProgram> c = CProgram.compile(NAME, lab);
        Database database = Database.in(lab);
        List<Row> rows = new ArrayList<>();
        for (Task task : tasks) {
            try {
                List<Row> found = new MergeContest(new Workload(database, task), lab, c).run();
                found.forEach(lab::finished);
                rows.addAll(found);
            } finally {
                database.delete();
            }
        }
        return rows;
    }
}
