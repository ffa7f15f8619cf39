package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Figures;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * A task on its own database.
 *
 * @param task       the task of all sides
 * @param keyBytes   size of every key
 * @param valueBytes size of every value
 * @param families   over how many column families, besides the default column family, the keys are spread at random; if 0, the default
 *                   column family has all keys
 * @param records    how many keys are written at once
 * @param threads    how many threads of a side work at the same time
 * @param mostKeys   how many keys the database has, if they fit
 */
public record PairedCase(PairedTask task, int keyBytes, int valueBytes, int families, int records, int threads,
        int mostKeys)
        implements
            Case {
    private static final String NAME = "paired";
    private static final int STARTS = 2;
    private static final int SHORT_KEY = 16;
    private static final int LONG_KEY = 128;
    private static final int KEY_OF_MANY = 1024;
    private static final int WRITTEN_BYTES = 100;
    private static final int MANY_KEYS = 100_000;
    private static final int KEYS_OF_MULTIGET = 10_000;
    private static final int FEW_KEYS = 1000;
    private static final List<Integer> POINT_BYTES = List.of(16, 256, 1 << 10, 4 << 10, 16 << 10, 32 << 10, 64 << 10,
            128 << 10);
    /** The sizes for which RocksDB's blog has published figures. */
    private static final List<Integer> PUBLISHED_BYTES = List.of(4 << 10, 32 << 10, 128 << 10);
    /** The sizes for which the pull request about batched look-ups has figures. */
    private static final List<Integer> MULTIGET_BYTES = List.of(256, 1 << 10, 4 << 10, 16 << 10, 64 << 10);

    /** Returns the suite: Outcrop, rocksdbjni and C on the same open database, in one process. */
    public static Suite suite() {
        return new Suite(NAME, Suite.ROCKSDBJNI, runLength -> all(runLength.isQuick()),
                (rows, directory) -> new CrossoverPlot(rows).write(directory));
    }

    static List<PairedCase> all(boolean isQuick) {
        List<PairedCase> cases = new ArrayList<>(isQuick ? quickPoints() : allPoints());
        add(cases, PairedTask.FULL, isQuick ? List.of(16, 1 << 10) : List.of(16, 256, 1 << 10, 4 << 10), 0);
        add(cases, PairedTask.BACKWARD, isQuick ? List.of(1 << 10) : List.of(16, 1 << 10), 0);
        add(cases, PairedTask.RANGE, isQuick ? List.of(16) : List.of(16, 1 << 10), 0);
        add(cases, PairedTask.SEEK, List.of(16), 0);
        add(cases, PairedTask.MULTIGET, isQuick ? List.of(256, 4 << 10) : MULTIGET_BYTES, 0);
        add(cases, PairedTask.MULTIGET, isQuick ? List.of(256) : MULTIGET_BYTES, 1);
        add(cases, PairedTask.MULTIGET, isQuick ? List.of(256) : MULTIGET_BYTES, 20);
        add(cases, PairedTask.MULTIGET, isQuick ? List.of() : MULTIGET_BYTES, 100);
        List<Integer> batches = isQuick ? List.of(10, 1000) : List.of(10, 100, 1000);
        for (int threads = 1; threads <= 2; threads++) {
            cases.add(written(PairedTask.PUT, 1, threads));
            for (int records : batches) {
                cases.add(written(PairedTask.BATCH, records, threads));
            }
        }
        batches.forEach(records -> cases.add(written(PairedTask.BUILD, records, 1)));
        return cases;
    }

    private static List<PairedCase> allPoints() {
        List<PairedCase> cases = new ArrayList<>();
        for (int threads = 1; threads <= 2; threads++) {
            for (PairedTask task : List.of(PairedTask.FRESH_KEY, PairedTask.HOT_KEY, PairedTask.RANDOM_KEYS)) {
                for (int keyBytes : List.of(SHORT_KEY, LONG_KEY)) {
                    for (int valueBytes : POINT_BYTES) {
                        cases.add(point(task, keyBytes, valueBytes, threads));
                    }
                }
            }
        }
        POINT_BYTES.forEach(
                valueBytes -> cases.add(published(PairedTask.RANDOM_KEYS, valueBytes, FEW_KEYS)));
        for (int keys : List.of(FEW_KEYS, MANY_KEYS)) {
            PUBLISHED_BYTES.forEach(valueBytes -> cases.add(published(PairedTask.ASCENDING_KEYS, valueBytes, keys)));
        }
        return cases;
    }

    private static List<PairedCase> quickPoints() {
        return List.of(point(PairedTask.FRESH_KEY, SHORT_KEY, 16, 1), point(PairedTask.HOT_KEY, SHORT_KEY, 1 << 10, 1),
                point(PairedTask.RANDOM_KEYS, LONG_KEY, 16, 1), point(PairedTask.RANDOM_KEYS, SHORT_KEY, 4 << 10, 1),
                point(PairedTask.RANDOM_KEYS, SHORT_KEY, 64 << 10, 1),
                point(PairedTask.RANDOM_KEYS, SHORT_KEY, 1 << 10, 2),
                point(PairedTask.RANDOM_KEYS, LONG_KEY, 4 << 10, 1),
                point(PairedTask.RANDOM_KEYS, LONG_KEY, 32 << 10, 1),
                published(PairedTask.RANDOM_KEYS, 32 << 10, FEW_KEYS),
                published(PairedTask.ASCENDING_KEYS, 4 << 10, FEW_KEYS),
                published(PairedTask.ASCENDING_KEYS, 4 << 10, MANY_KEYS));
    }

    private static PairedCase point(PairedTask task, int keyBytes, int valueBytes, int threads) {
        return new PairedCase(task, keyBytes, valueBytes, 0, 1, threads, MANY_KEYS);
    }

    /** Returns a case with the sizes of RocksDB's blog. */
    private static PairedCase published(PairedTask task, int valueBytes, int keys) {
        return new PairedCase(task, LONG_KEY, valueBytes, 0, 1, 1, keys);
    }

    private static PairedCase written(PairedTask task, int records, int threads) {
        return new PairedCase(task, SHORT_KEY, WRITTEN_BYTES, 0, records, threads, MANY_KEYS);
    }

    private static void add(List<PairedCase> cases, PairedTask task, List<Integer> sizes, int families) {
        boolean isMultiGet = task == PairedTask.MULTIGET;
        sizes.forEach(valueBytes -> cases.add(new PairedCase(task, isMultiGet ? KEY_OF_MANY : SHORT_KEY, valueBytes,
                families, 1, 1, isMultiGet ? KEYS_OF_MULTIGET : MANY_KEYS)));
    }

    String name() {
        String where = switch (families) {
            case 0 -> " of the default family";
            case 1 -> " of one named family";
            default -> " of random ones of " + families + " families";
        };
        String among = mostKeys == FEW_KEYS ? String.format(Locale.ROOT, " among %,d", mostKeys) : "";
        return switch (task) {
            case MULTIGET -> task + where;
            case PUT -> task + ", WAL off";
            case FRESH_KEY, HOT_KEY, RANDOM_KEYS, ASCENDING_KEYS -> task + " of " + Labels.size(keyBytes) + among;
            case BUILD -> String.format(Locale.ROOT, "batch of %,d, %s", records, task);
            case BATCH -> String.format(Locale.ROOT, "batch of %,d, %s, WAL off", records, task);
            default -> task.toString();
        };
    }

    @Override
    public String label() {
        return name() + (threads == 1 ? "" : ", " + Labels.threads(threads)) + ", " + Labels.size(valueBytes);
    }

    SequencedMap<String, Object> params(int keys) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("valueBytes", valueBytes);
        params.put("keyBytes", keyBytes);
        if (task.isWriting()) {
            params.put("records", records);
        } else {
            params.put("keys", keys);
        }
        params.put("threads", threads);
        params.put("families", families);
        return params;
    }

    @Override
    public List<Row> run(RunContext context) {
        PairedWorkload workload = PairedWorkload.of(this, context.runLength(), context.library(NAME));
        if (!task.beginsEmpty()) {
            workload.contents().build(context.database());
        }
        Figures figures = context.measure(new JavaProgram(PairedWorkload.class, context.database().jvmArgs(workload))
                .compiledInForeground(), STARTS);
        return task.forms().stream().map(form -> row(form, figures, workload)).toList();
    }

    private Row row(Variant form, Figures figures, PairedWorkload workload) {
        String ours = form.side();
        String rival = figures.fastest(ours, form.rivals());
        List<String> limits = form.limits().stream().map(Side::limitName).toList();
        Double limit = workload.functions() == null
                ? null
                : (Double) figures.against(ours, figures.fastest(ours, limits));
        return new Row(NAME, name(), params(workload.keys()), label(), form.name(), figures.of(ours), rival,
                figures.against(ours, rival), figures.ratio(ours, rival), limit, Row.UNIT);
    }
}
