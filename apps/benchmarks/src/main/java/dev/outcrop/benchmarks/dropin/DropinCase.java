package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Figures;
import dev.outcrop.benchmarks.harness.InProcessComparison;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * An operation on both libraries, and in C if a C function does the same.
 *
 * @param operation  the operation
 * @param valueBytes size of every value
 * @param threads    how many threads of a side work at the same time
 */
public record DropinCase(DropinOperation operation, int valueBytes, int threads) implements Case {
    static final String OURS = "outcrop";
    static final int KEY_BYTES = 16;
    private static final String NAME = "dropin";
    private static final int MAX_THREADS = 2;
    private static final int STARTS = 2;
    private static final int MAX_KEYS = 100_000;
    /** Far below the size of the block cache. */
    private static final long DATA_BYTES = 200L << 20;

    /**
     * The work of a process.
     *
     * @param dropin    the case
     * @param keys      how many keys there are
     * @param classes   our classes, which the build has made; they are not on the class path, because the published classes have the same
     *                  names
     * @param functions the C functions; null if there is no compiler
     * @param plan      how sides take turns
     */
    record DropinWorkload(DropinCase dropin, int keys, Path classes, @Nullable Path functions,
            InProcessComparison.Plan plan) {
        /** Returns the workload of this JVM. */
        static DropinWorkload current() {
            return Settings.current(DropinWorkload.class);
        }

        DropinOperation operation() {
            return dropin.operation;
        }

        /** Returns a new value. */
        byte[] value() {
            byte[] value = new byte[dropin.valueBytes];
            Arrays.fill(value, (byte) 'v');
            return value;
        }
    }

    /** Returns the suite: the same programs on the published {@code org.rocksdb} and on ours. */
    public static Suite suite() {
        return new Suite(NAME, Suite.ROCKSDBJNI, runLength -> {
            List<DropinCase> cases = new ArrayList<>();
            for (int threads = 1; threads <= MAX_THREADS; threads++) {
                for (DropinOperation operation : DropinOperation.values()) {
                    for (int valueBytes : operation.sizes(threads, runLength.isQuick())) {
                        cases.add(new DropinCase(operation, valueBytes, threads));
                    }
                }
            }
            return cases;
        });
    }

    @Override
    public String label() {
        return operation + (threads == 1 ? "" : ", " + Labels.threads(threads)) + ", " + Labels.size(valueBytes);
    }

    @Override
    public List<Row> run(RunContext context) {
        int keys = (int) Math.min(MAX_KEYS, DATA_BYTES / (valueBytes + KEY_BYTES));
        RunLength runLength = context.runLength();
        InProcessComparison.Plan plan = InProcessComparison.Plan.of(runLength.time().multipliedBy(16),
                runLength.time().dividedBy(4));
        DropinWorkload workload = new DropinWorkload(this, keys, classes(), context.library("paired"), plan);
        Figures figures = context.measure(new JavaProgram(DropinRun.class, context.database().jvmArgs(workload))
                .compiledInForeground(), STARTS);
        String c = Side.limitName(String.valueOf(operation.limit()));
        return List.of(new Row(NAME, operation.toString(),
                Row.params("valueBytes", valueBytes, "keys", keys, "threads", threads), label(), OURS, figures.of(OURS),
                Suite.ROCKSDBJNI, figures.against(OURS, Suite.ROCKSDBJNI),
                figures.ratio(OURS, Suite.ROCKSDBJNI),
                figures.has(c) ? (Double) figures.against(OURS, c) : null, Row.UNIT));
    }

    /** Returns the directory of our classes of {@code org.rocksdb}. They are not on the class path, because the published classes are. */
    public static Path classes() {
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
