package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts and batches: Outcrop, rocksdbjni, C. */
public final class WriteSuite implements Suite {
    static final String NAME = "write";
    static final String PEER = "rocksdbjni";

    /** Creates the suite. */
    public WriteSuite() {
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
        List<WriteCase> cases = WriteCase.all(lab.effort().isQuick()).stream().filter(each -> lab.wants(each.label()))
                .toList();
        if (cases.isEmpty()) {
            return List.of();
        }
        Optional<CProgram> c = CProgram.compile(NAME, lab);
        Database database = Database.in(lab);
        List<Row> rows = new ArrayList<>();
        try {
            for (WriteCase each : cases) {
                WriteWorkload workload = new WriteWorkload(database, each.records(), each.log(), each.isRandom());
                List<Row> found = new WriteContest(each, workload, lab, c).run();
                found.forEach(lab::finished);
                rows.addAll(found);
            }
        } finally {
            database.delete();
        }
        return rows;
    }
}
