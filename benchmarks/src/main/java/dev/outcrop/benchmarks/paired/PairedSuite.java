package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.turns.CFunctions;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.benchmarks.turns.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Outcrop, rocksdbjni and C on the same open database, in one process. */
public final class PairedSuite implements Suite {
    static final String NAME = "paired";
    private static final int STARTS = 2;

    /** Creates the suite. */
    public PairedSuite() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String peer() {
        return Side.PEER;
    }

    @Override
    public List<Row> run(Lab lab) {
        List<PairedCase> cases = PairedCase.all(lab.effort().isQuick()).stream()
                .filter(each -> lab.wants(each.label())).toList();
        List<Row> rows = new ArrayList<>();
        if (cases.isEmpty()) {
            return rows;
        }
        lab.say("The order of the sides in each round follows from --seed " + lab.seed());
        Optional<Path> functions = CProgram.library(NAME, lab);
        Database database = Database.in(lab);
        for (PairedCase each : cases) {
            // Also one that a run left behind that was killed.
            database.delete();
            try {
                List<Row> found = run(Workload.of(database, each, lab.effort()), functions, lab);
                found.forEach(lab::finished);
                rows.addAll(found);
            } finally {
                database.delete();
            }
        }
        return rows;
    }

    private static List<Row> run(Workload workload, Optional<Path> functions, Lab lab) {
        if (!workload.shape().task().beginsEmpty()) {
            Processes.java(DatabaseBuilder.class, workload.jvmArgs(), List.of());
        }
        List<String> jvmArgs = new ArrayList<>(workload.jvmArgs());
        jvmArgs.add(Settings.define(CFunctions.SETTING, functions.map(Path::toString).orElse("")));
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < (lab.effort().isQuick() ? 1 : STARTS); i++) {
            List<String> ofStart = new ArrayList<>(jvmArgs);
            ofStart.add(Settings.define(PairedRun.ORDER, lab.seed() + i));
            starts.add(Start.of(PairedRun.class, ofStart));
        }
        return workload.shape().task().forms().stream().map(form -> row(workload, form, starts, functions.isPresent()))
                .toList();
    }

    /** The nanoseconds of the others are ours times the ratio, so that a row says the ratios that were measured. */
    private static Row row(Workload workload, Form form, List<Start> starts, boolean hasLimit) {
        String side = form.side();
        Measurement ours = Measurement.of(starts.stream().map(start -> start.of(side)).toList());
        String rival = fastest(starts, side, form.rivals());
        Double limit = null;
        if (hasLimit) {
            String c = fastest(starts, side, form.limits().stream().map(Side::limitName).toList());
            limit = ours.nanos() * ratio(starts, side, c);
        }
        PairedCase shape = workload.shape();
        return new Row(NAME, shape.name(), shape.params(workload), shape.label(), form.name(), ours, rival,
                ours.nanos() * ratio(starts, side, rival), limit);
    }

    private static String fastest(List<Start> starts, String side, List<String> others) {
        return others.stream().min(Comparator.comparingDouble(each -> ratio(starts, side, each))).orElseThrow();
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        return new CrossoverPlot(rows).write(directory);
    }

    private static double ratio(List<Start> starts, String side, String other) {
        return Start.median(starts.stream().mapToDouble(start -> start.ratio(side, other)).toArray());
    }
}
