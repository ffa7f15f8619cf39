package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Figures;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.harness.Turns;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * An operation on both libraries, and in C if a function there does the same.
 *
 * @param operation  the operation
 * @param valueBytes size of every value
 * @param threads    how many threads of a side work at the same time
 */
record DropinCase(DropinOperation operation, int valueBytes, int threads) implements Case {
    static final String OURS = "outcrop";
    private static final int STARTS = 2;
    private static final int MAX_KEYS = 100_000;
    /** Far below what the block cache holds. */
    private static final long DATA_BYTES = 200L << 20;

    /**
     * The work of a process.
     *
     * @param dropin    the case
     * @param keys      how many keys there are
     * @param classes   our classes, which the build has made; not on the class path, for the published ones have the same names
     * @param functions the C functions; null if there is no compiler
     * @param plan      how sides take turns
     */
    record DropinWorkload(DropinCase dropin, int keys, Path classes, @Nullable Path functions, Turns.Plan plan) {
    }

    @Override
    public String label() {
        return operation + (threads == 1 ? "" : ", " + Labels.threads(threads)) + ", " + Labels.size(valueBytes);
    }

    @Override
    public List<Row> run(Lab lab) {
        int keys = (int) Math.min(MAX_KEYS, DATA_BYTES / (valueBytes + ProgramSetup.KEY_BYTES));
        Effort effort = lab.effort();
        Turns.Plan plan = Turns.Plan.of(effort, effort.time().multipliedBy(16), effort.time().dividedBy(4));
        DropinWorkload workload = new DropinWorkload(this, keys, classes(), lab.library("paired"), plan);
        Figures figures = lab.measure(new JavaProgram(DropinRun.class, lab.database().jvmArgs(workload))
                .compiledInForeground(), STARTS);
        String c = Side.limitName(String.valueOf(operation.limit()));
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("valueBytes", valueBytes);
        params.put("keys", keys);
        params.put("threads", threads);
        return List.of(new Row(DropinSuite.NAME, operation.toString(), params, label(), OURS, figures.of(OURS),
                Suite.ROCKSDBJNI, figures.against(OURS, Suite.ROCKSDBJNI),
                figures.has(c) ? (Double) figures.against(OURS, c) : null));
    }

    private static Path classes() {
        Properties build = new Properties();
        try (InputStream file = DropinCase.class.getResourceAsStream("dropin.properties")) {
            build.load(Objects.requireNonNull(file, "dropin.properties"));
        } catch (IOException e) {
            throw new BenchmarkException("Cannot read dropin.properties: " + e.getMessage(), e);
        }
        Path classes = Path.of(build.getProperty("classes"));
        if (!Files.isDirectory(classes)) {
            throw new BenchmarkException("The module rocksdbjni is not built: there is no directory " + classes);
        }
        return classes;
    }
}
