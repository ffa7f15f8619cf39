package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.turns.CFunctions;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.benchmarks.turns.Start;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** {@code org.rocksdb}, published and ours, under the same programs. */
public final class DropinSuite implements Suite {
    static final String NAME = "dropin";
    static final String OURS = "outcrop";
    private static final int STARTS = 2;
    private static final int ROUNDS = 40;
    private static final int QUICK_ROUNDS = 20;
    private static final int MAX_THREADS = 2;
    private static final int MAX_KEYS = 100_000;
    /** Far below what the block cache holds. */
    private static final long DATA_BYTES = 200L << 20;

    /** Creates the suite. */
    public DropinSuite() {
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
        List<Row> rows = new ArrayList<>();
        Database database = Database.in(lab);
        for (int threads = 1; threads <= MAX_THREADS; threads++) {
            for (Operation operation : Operation.values()) {
                for (int valueBytes : operation.sizes(threads, lab.effort().isQuick())) {
                    if (lab.wants(label(operation, valueBytes, threads))) {
                        Row row = row(operation, valueBytes, threads, database, lab);
                        lab.finished(row);
                        rows.add(row);
                    }
                }
            }
        }
        return rows;
    }

    private static String label(Operation operation, int valueBytes, int threads) {
        return operation + (threads == 1 ? "" : ", " + Labels.threads(threads)) + ", " + Labels.size(valueBytes);
    }

    private static Row row(Operation operation, int valueBytes, int threads, Database database, Lab lab) {
        int keys = (int) Math.min(MAX_KEYS, DATA_BYTES / (valueBytes + Setup.KEY_BYTES));
        Map<String, Object> settings = settings(operation, valueBytes, keys, lab.effort());
        settings.put(DropinRun.THREADS, threads);
        settings.put(CFunctions.SETTING, CProgram.library("paired", lab).map(Path::toString).orElse(""));
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < (lab.effort().isQuick() ? 1 : STARTS); i++) {
            settings.put(DropinRun.ORDER, lab.seed() + i);
            // Also one that a run left behind that was killed.
            database.delete();
            try {
                List<String> jvmArgs = new ArrayList<>(database.jvmArgs(settings));
                // A compiler in the background may not get through within the warm-up.
                jvmArgs.add("-Xbatch");
                starts.add(Start.of(DropinRun.class, jvmArgs));
            } finally {
                database.delete();
            }
        }
        Measurement ours = Measurement.of(starts.stream().map(start -> start.of(OURS)).toList());
        String c = Side.limitName(String.valueOf(operation.limit()));
        boolean hasLimit = starts.stream().allMatch(start -> start.samples().containsKey(c));
        LinkedHashMap<String, Object> params = new LinkedHashMap<>();
        params.put(DropinRun.VALUE_BYTES, valueBytes);
        params.put(DropinRun.KEYS, keys);
        params.put(DropinRun.THREADS, threads);
        return new Row(NAME, operation.toString(), params, label(operation, valueBytes, threads), OURS, ours, Side.PEER,
                ours.nanos() * ratio(starts, Side.PEER), hasLimit ? ours.nanos() * ratio(starts, c) : null);
    }

    private static double ratio(List<Start> starts, String other) {
        return Start.median(starts.stream().mapToDouble(start -> start.ratio(OURS, other)).toArray());
    }

    private static Map<String, Object> settings(Operation operation, int valueBytes, int keys, Effort effort) {
        Map<String, Object> settings = new LinkedHashMap<>();
        Duration time = effort.time();
        settings.put(DropinRun.CLASSES, classes());
        settings.put(DropinRun.OPERATION, operation.name());
        settings.put(DropinRun.KEYS, keys);
        settings.put(DropinRun.VALUE_BYTES, valueBytes);
        settings.put(DropinRun.ROUNDS, effort.isQuick() ? QUICK_ROUNDS : ROUNDS);
        settings.put(DropinRun.TURN, time.dividedBy(4));
        settings.put(DropinRun.WARM_UP, time.multipliedBy(16));
        return settings;
    }

    /** The classes of ours, which the build has made; not on the class path, for the published ones have the same names. */
    private static Path classes() {
        Properties build = new Properties();
        try (InputStream file = DropinSuite.class.getResourceAsStream("dropin.properties")) {
            build.load(java.util.Objects.requireNonNull(file, "dropin.properties"));
        } catch (IOException e) {
            throw new BenchmarkException("Cannot read dropin.properties: " + e.getMessage(), e);
        }
        Path classes = Path.of(build.getProperty(DropinRun.CLASSES));
        if (!Files.isDirectory(classes)) {
            throw new BenchmarkException("The module rocksdbjni is not built: there is no directory " + classes);
        }
        return classes;
    }
}
