package dev.outcrop.benchmarks.harness;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Empty charts of one style, and their files. */
public final class Charts {
    static {
        // Draw without a display, and on macOS without becoming an application with an icon.
        System.setProperty("java.awt.headless", "true");
    }

    private Charts() {
    }

    /** Returns an empty line chart with titled axes. */
    public static XYChart lines(String across, String up) {
        XYChart chart = new XYChartBuilder().width(720).height(440).xAxisTitle(across).yAxisTitle(up).build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
        return chart;
    }

    /** Returns an empty bar chart with titled axes. */
    public static CategoryChart bars(String across, String up) {
        CategoryChart chart = new CategoryChartBuilder().width(900).height(480).xAxisTitle(across).yAxisTitle(up)
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        return chart;
    }

    /** Writes a chart to a PNG file. Replaces an existing file. */
    public static Path save(Chart<?, ?> chart, Path file) throws IOException {
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
        return file;
    }
}
