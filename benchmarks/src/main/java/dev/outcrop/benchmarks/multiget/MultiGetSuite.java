package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.get.Engine;
import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.nio.file.Path;
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
        Path engine = Engine.install(lab.directory().resolve("engine"));
        Path database = lab.directory().resolve("multiget");
        List<Row> rows = new ArrayList<>();
        for (MultiGetCase each : cases) {
            MultiGetWorkload workload = new MultiGetWorkload(engine, database,
                    MultiGetWorkload.keysFor(each.valueBytes(), lab.effort().dataBytes()), each);
            // Also one that a run left behind that was killed.
            Directories.delete(database);
            try {
                Processes.java(MultiGetDatabaseBuilder.class, workload.jvmArgs(), List.of());
                List<Row> found = new MultiGetContest(each, workload, lab, c).run();
                found.forEach(lab::finished);
                rows.addAll(found);
            } finally {
                Directories.delete(database);
            }
        }
        return rows;
    }
}
