package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Charts;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;

/** Draws what pins that are held for good cost: the hit rate, and the time of a read. */
final class PinsPlot {
    private final List<Row> rows;

    PinsPlot(List<Row> rows) {
        this.rows = rows.stream().filter(row -> number(row, "heldMillis") == 0).toList();
    }

    /** Writes one file for each figure; returns them. */
    List<Path> write(Path directory) throws IOException {
        return List.of(
                draw(directory.resolve("pins-hits.png"), "hits in 100 reads", PinsSuite.MISSES, misses -> 100 - misses),
                draw(directory.resolve("pins-time.png"), "microseconds a read", Row.UNIT, nanos -> nanos / 1000));
    }

    private Path draw(Path file, String title, String unit, ToDoubleFunction<Double> height) throws IOException {
        List<Row> drawn = rows.stream().filter(row -> row.unit().equals(unit)).toList();
        XYChart chart = Charts.lines("MB pinned", title);
        double[] pinned = drawn.stream().mapToDouble(row -> number(row, "pinnedBytes") / (1 << 20)).toArray();
        chart.addSeries("with the default pin budget", pinned,
                drawn.stream().mapToDouble(row -> height.applyAsDouble(row.ours().median())).toArray());
        chart.addSeries("without a pin budget", pinned,
                drawn.stream().mapToDouble(row -> height.applyAsDouble(row.peer())).toArray());
        return Charts.save(chart, file);
    }

    private static double number(Row row, String param) {
        return ((Number) Objects.requireNonNull(row.params().get(param), param)).doubleValue();
    }
}
