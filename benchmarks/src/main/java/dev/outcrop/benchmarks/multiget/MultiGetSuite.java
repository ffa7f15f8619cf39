package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads of many keys at once from the block cache: Outcrop, rocksdbjni, C. */
public final class MultiGetSuite implements Suite {
    static final String NAME = "multiget";
    static final String PEER = "rocksdbjni";

    /** Creates the suite. */
    public MultiGetSuite() {
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
        List<MultiGetCase> cases = MultiGetCase.all(lab.effort().isQuick()).stream()
                .filter(each -> lab.wants(each.label())).toList();
        if (cases.isEmpty()) {
            return List.of();
        }
        Optional<CProgram> c = CProgram.compile(NAME, lab);
        Database database = Database.in(lab);
        List<Row> rows = new ArrayList<>();
        for (MultiGetCase each : cases) {
            MultiGetWorkload workload = new MultiGetWorkload(database,
                    MultiGetWorkload.keysFor(each.valueBytes(), lab.effort().dataBytes()), each);
            database.delete();
            try {
                Processes.java(MultiGetDatabaseBuilder.class, workload.jvmArgs(), List.of());
                List<Row> found = new MultiGetContest(each, workload, lab, c).run();
                found.forEach(lab::finished);
                rows.addAll(found);
            } finally {
                database.delete();
            }
        }
        return rows;
    }
}
