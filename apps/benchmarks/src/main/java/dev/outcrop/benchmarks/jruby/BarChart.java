package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Charts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;

/** A chart with groups of bars, side by side. */
final class BarChart {
    private static final double NANOS = 1e9;
    /** With more labels, or more letters in all labels, the labels would overlap, so they are rotated by {@link #SLANT} degrees. */
    private static final int MOST_LEVEL = 7;
    private static final int MOST_LETTERS = 80;
    private static final int SLANT = 30;

    private final String across;
    private final String up;
    private final boolean isLogarithmic;
    private final SequencedSet<String> groups = new LinkedHashSet<>();
    private final SequencedMap<String, Map<String, Double>> series = new LinkedHashMap<>();

    /** Creates a chart without bars. */
    BarChart(String across, String up, boolean isLogarithmic) {
        this.across = across;
        this.up = up;
        this.isLogarithmic = isLogarithmic;
    }

    /** Adds a bar. */
    BarChart add(String name, String group, double height) {
        groups.add(group);
        series.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(group, height);
        return this;
    }

    /** Adds a bar for a rate: it is higher if an operation takes less time. */
    BarChart addRate(String name, String group, double nanos) {
        return add(name, group, NANOS / nanos);
    }

    Path draw(Path file) throws IOException {
        CategoryChart chart = Charts.bars(across, up);
        if (isLogarithmic) {
            chart.getStyler().setYAxisLogarithmic(true);
            // Otherwise the axis begins at 0, which is impossible on a logarithmic axis.
            chart.getStyler().setYAxisMin(powerBelow());
        }
        chart.getStyler().setLegendVisible(series.size() > 1);
        if (groups.size() > MOST_LEVEL || groups.stream().mapToInt(String::length).sum() > MOST_LETTERS) {
            chart.getStyler().setXAxisLabelRotation(SLANT);
        }
        List<String> names = List.copyOf(groups);
        series.forEach((name, bars) -> {
            List<@Nullable Double> heights = new ArrayList<>();
            names.forEach(group -> heights.add(bars.get(group)));
            chart.addSeries(name, names, heights);
        });
        return Charts.save(chart, file);
    }

    /** Returns the power of ten below the lowest bar. */
    private double powerBelow() {
        double lowest = series.values().stream().flatMap(bars -> bars.values().stream())
                .mapToDouble(Double::doubleValue).min().orElse(1);
        return Math.pow(10, Math.floor(Math.log10(lowest)));
    }
}
