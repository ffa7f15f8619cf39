package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Charts;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;

/**
 * Reads beside pinned values, with and without a budget.
 *
 * @param workload how much is pinned, and for how long
 */
public record PinsCase(PinsWorkload workload) implements Case {
    /** The figure and the unit of rows that count reads without their block in the cache. */
    static final String MISSES = "misses/100 op";
    private static final String NAME = "pins";
    private static final String PEER = "no budget";
    private static final String SUBJECT = "default budget";
    private static final int STEP = 10;
    private static final int MOST = 60;

    /** Returns the suite: reads beside pinned values, with and without the pin budget. */
    public static Suite suite() {
        return new Suite(NAME, PEER, PinsCase::all, PinsCase::plot);
    }

    private static List<PinsCase> all(RunLength runLength) {
        Stream<PinsWorkload> workloads = runLength.isQuick()
                ? IntStream.of(0, 20, MOST).mapToObj(megabytes -> PinsWorkload.of(megabytes, 0, runLength))
                : Stream.concat(
                        IntStream.rangeClosed(0, MOST / STEP).mapToObj(i -> PinsWorkload.of(i * STEP, 0, runLength)),
                        Stream.of(PinsWorkload.of(20, 1000, runLength), PinsWorkload.of(20, 100, runLength)));
        return workloads.map(PinsCase::new).toList();
    }

    @Override
    public String label() {
        return size(workload.pinnedBytes()) + " pinned"
                + (workload.heldMillis() == 0 ? "" : ", each value for " + workload.heldMillis() + " ms");
    }

    private static String size(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MB" : (bytes >> 10) + " KB";
    }

    @Override
    public List<Row> run(RunContext context) {
        workload.contents().build(context.database());
        Results results = context.comparison().add(SUBJECT, program(workload, context))
                .add(PEER, program(workload.withoutBudget(), context)).run(context.runLength().halfOfRounds());
        return List.of(row(results, ProcessOutput.TIME, Row.UNIT), row(results, MISSES, MISSES));
    }

    private static JavaProgram program(PinsWorkload workload, RunContext context) {
        return new JavaProgram(PinRun.class, context.database().jvmArgs(workload));
    }

    private Row row(Results results, String figure, String unit) {
        return new Row(NAME, label(), workload.params(), label(), SUBJECT, results.of(SUBJECT).of(figure),
                PEER, results.of(PEER).of(figure), null, unit);
    }

    /** Draws the cost of pins that are never released: the hit rate, and the time of a read. */
    private static List<Path> plot(List<Row> rows, Path directory) throws IOException {
        List<Row> held = rows.stream().filter(row -> row.number("heldMillis") == 0).toList();
        return List.of(
                draw(held, directory.resolve("pins-hits.png"), "hits in 100 reads", MISSES, misses -> 100 - misses),
                draw(held, directory.resolve("pins-time.png"), "microseconds a read", Row.UNIT, nanos -> nanos / 1000));
    }

    private static Path draw(List<Row> rows, Path file, String title, String unit, ToDoubleFunction<Double> height)
            throws IOException {
        List<Row> drawn = rows.stream().filter(row -> row.unit().equals(unit)).toList();
        XYChart chart = Charts.lines("MB pinned", title);
        double[] pinned = drawn.stream().mapToDouble(row -> row.number("pinnedBytes") / (1 << 20)).toArray();
        chart.addSeries("with the default pin budget", pinned,
                drawn.stream().mapToDouble(row -> height.applyAsDouble(row.ours().median())).toArray());
        chart.addSeries("without a pin budget", pinned,
                drawn.stream().mapToDouble(row -> height.applyAsDouble(row.peer())).toArray());
        return Charts.save(chart, file);
    }
}
