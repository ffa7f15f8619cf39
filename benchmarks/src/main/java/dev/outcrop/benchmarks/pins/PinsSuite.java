package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads beside pinned values, with and without the pin budget. */
public final class PinsSuite implements Suite {
    static final String NAME = "pins";
    /** Whom ours is compared with. */
    static final String PEER = "no budget";
    /** The unit of rows that count reads which did not find their block in the cache. */
    static final String MISSES = "misses/100 op";
    private static final String SUBJECT = "default budget";

    /** Creates the suite. */
    public PinsSuite() {
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
        Database database = Database.in(lab);
        List<PinsCase> cases = PinsCase.all(lab.effort().isQuick()).stream()
                .filter(each -> lab.wants(label(lab, database, each))).toList();
        List<Row> rows = new ArrayList<>();
        if (cases.isEmpty()) {
            return rows;
        }
        database.delete();
        try {
            Processes.java(DatabaseBuilder.class,
                    Workload.of(database, cases.getFirst(), lab.effort()).jvmArgs(lab.effort(), true), List.of());
            for (PinsCase each : cases) {
                List<Row> found = run(lab, each, Workload.of(database, each, lab.effort()));
                found.forEach(lab::finished);
                rows.addAll(found);
            }
        } finally {
            database.delete();
        }
        return rows;
    }

    private static String label(Lab lab, Database database, PinsCase pinsCase) {
        return pinsCase.label(Workload.of(database, pinsCase, lab.effort()));
    }

    private static List<Row> run(Lab lab, PinsCase pinsCase, Workload workload) {
        PinProbe with = new PinProbe(workload.jvmArgs(lab.effort(), true));
        PinProbe without = new PinProbe(workload.jvmArgs(lab.effort(), false));
        Results results = new Contest().add(SUBJECT, with).add(PEER, without)
                .run(lab.effort().halfOfRounds());
        return List.of(
                row(pinsCase, workload, results.of(SUBJECT), results.of(PEER), Row.UNIT),
                row(pinsCase, workload, with.misses(), without.misses(), MISSES));
    }

    private static Row row(PinsCase pinsCase, Workload workload, Measurement with, Measurement without, String unit) {
        String label = pinsCase.label(workload);
        return new Row(NAME, label, workload.params(), label, SUBJECT, with, PEER, without.nanos(), null, unit);
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        return new PinsPlot(rows).write(directory);
    }
}
