package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Charts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws latencies by percentile, as HdrHistogram's own plots do: one step to the right is ten times as rare. */
final class LatencyPlot {
    private static final int STEPS_FOR_HALF = 5;
    /** Behind it there are too few appends to say anything. */
    private static final double RAREST = 100_000;
    private static final double TOLERANCE = 1e-6;

    private final Map<String, Histogram> latencies;

    LatencyPlot(Map<String, Histogram> latencies) {
        this.latencies = latencies;
    }

    Path write(Path file) throws IOException {
        XYChart chart = Charts.lines("percentile", "microseconds from when an append was due");
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setxAxisTickLabelsFormattingFunction(LatencyPlot::percentile);
        latencies.forEach((name, histogram) -> add(chart, name, histogram));
        return Charts.save(chart, file);
    }

    private static void add(XYChart chart, String name, Histogram histogram) {
        List<Double> rarity = new ArrayList<>();
        List<Double> micros = new ArrayList<>();
        for (HistogramIterationValue value : histogram.percentiles(STEPS_FOR_HALF)) {
            double above = 1 - value.getPercentileLevelIteratedTo() / 100;
            if (above * RAREST < 1) {
                break;
            }
            rarity.add(-Math.log10(above));
            micros.add(Math.max(1, value.getValueIteratedTo()) / 1000.0);
        }
        chart.addSeries(name, rarity, micros).setMarker(SeriesMarkers.NONE);
    }

    /**
     * 1 stands for the 90th percentile, 2 for the 99th, and so on; XChart itself labels a logarithmic axis as if it
     * were linear.
     */
    private static String percentile(double nines) {
        long whole = Math.round(nines);
        if (Math.abs(nines - whole) > TOLERANCE) {
            return "";
        }
        double percentile = 100 - 100 / Math.pow(10, (double) whole);
        return whole <= 2 ? String.format(Locale.ROOT, "%.0f", percentile) : Float.toString((float) percentile);
    }
}
