package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Point reads from the block cache: Outcrop, rocksdbjni, C. */
public final class GetSuite implements Suite {
    static final String NAME = "get";
    static final String PEER = "rocksdbjni";

    /** Creates the suite. */
    public GetSuite() {
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
        List<GetCase> cases = GetCase.all(lab.effort().isQuick()).stream().filter(each -> lab.wants(each.label()))
                .toList();
        if (cases.isEmpty()) {
            return List.of();
        }
        Optional<CProgram> c = CProgram.compile(NAME, lab);
        List<Row> rows = new ArrayList<>();
        try (Databases databases = new Databases(lab)) {
            for (GetCase each : cases) {
                List<Row> found = new GetContest(each, databases.workload(each), lab, c).run();
                found.forEach(lab::finished);
                rows.addAll(found);
            }
        }
        return rows;
    }
}
