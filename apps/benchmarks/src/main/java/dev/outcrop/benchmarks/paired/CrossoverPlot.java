package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Charts;
import dev.outcrop.benchmarks.harness.Row;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the size of a value above which pinning is faster than copying into a segment. */
final class CrossoverPlot {
    private static final int KEY_BYTES = 16;

    private final List<Row> rows;

    CrossoverPlot(List<Row> rows) {
        this.rows = rows.stream().filter(row -> row.number("keyBytes") == KEY_BYTES && row.number("threads") == 1)
                .sorted(Comparator.comparingDouble(row -> row.number("valueBytes"))).toList();
    }

    /** Writes the file. Writes none if no values were read one at a time from the block cache. */
    List<Path> write(Path directory) throws IOException {
        XYChart chart = Charts.lines("bytes of a value", "pinned: times as fast as a copy");
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setXAxisDecimalPattern("#,##0");
        chart.getStyler().setYAxisMin(0.0);
        for (PairedTask task : List.of(PairedTask.HOT_KEY, PairedTask.RANDOM_KEYS)) {
            add(chart, task, "", "value unread");
            add(chart, task, Variant.TOUCHED, "every cache line read");
        }
        if (chart.getSeriesMap().isEmpty()) {
            return List.of();
        }
        double[] sizes = rows.stream().filter(row -> row.subject().startsWith(Variant.PINNED_OR_SEGMENT))
                .mapToDouble(row -> row.number("valueBytes")).distinct().toArray();
        double[] ones = new double[sizes.length];
        Arrays.fill(ones, 1);
        chart.addSeries("as fast", sizes, ones).setMarker(SeriesMarkers.NONE).setLineColor(Color.GRAY);
        return List.of(Charts.save(chart, directory.resolve("paired-crossover.png")));
    }

    private void add(XYChart chart, PairedTask task, String touched, String label) {
        List<Row> drawn = rows.stream().filter(row -> row.name().startsWith(task.toString())
                && row.subject().equals(Variant.PINNED_OR_SEGMENT + touched)).toList();
        if (!drawn.isEmpty()) {
            chart.addSeries(task + ", " + label,
                    drawn.stream().mapToDouble(row -> row.number("valueBytes")).toArray(),
                    drawn.stream().mapToDouble(Row::ratio).toArray());
        }
    }
}
