package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Row;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws what pins that are held for good cost: the hit rate, and the time of a read. */
final class PinsPlot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 440;

    private final List<Row> rows;

    PinsPlot(List<Row> rows) {
        this.rows = rows.stream().filter(row -> number(row, "heldMillis") == 0).toList();
    }

    /** Writes one file for each figure; returns them. */
    List<Path> write(Path directory) throws IOException {
        // Draw without a display, and on macOS without becoming an application with an icon.
        System.setProperty("java.awt.headless", "true");
        return List.of(
                draw(directory.resolve("pins-hits.png"), "hits in 100 reads", PinsSuite.MISSES, misses -> 100 - misses),
                draw(directory.resolve("pins-time.png"), "microseconds a read", Row.UNIT, nanos -> nanos / 1000));
    }

    private Path draw(Path file, String title, String unit, ToDoubleFunction<Double> height) throws IOException {
        List<Row> drawn = rows.stream().filter(row -> row.unit().equals(unit)).toList();
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).xAxisTitle("MB pinned").yAxisTitle(title)
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        double[] pinned = drawn.stream().mapToDouble(row -> number(row, "pinnedBytes") / (1 << 20)).toArray();
        chart.addSeries("with the default pin budget", pinned,
                drawn.stream().mapToDouble(row -> height.applyAsDouble(row.ours().nanos())).toArray());
        chart.addSeries("without a pin budget", pinned,
                drawn.stream().mapToDouble(row -> height.applyAsDouble(row.peer())).toArray());
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
        return file;
    }

    private static double number(Row row, String param) {
        return ((Number) Objects.requireNonNull(row.params().get(param), param)).doubleValue();
    }
}
