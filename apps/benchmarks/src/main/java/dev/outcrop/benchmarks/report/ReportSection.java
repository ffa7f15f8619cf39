package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.report.ReportData.MeasuredCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one question: a plot, and the figures behind it.
 *
 * @param title  the question, in short
 * @param text   says what is measured, what is not measured, and how to read the plot
 * @param plot   empty if nothing is measured
 * @param tables the figures
 */
record ReportSection(String title, String text, Plot plot, List<Table> tables) {
    /** A line with a wider interval is marked, and does not count in means. */
    static final double WIDEST = 0.15;

    ReportSection {
        tables = tables.stream().filter(table -> !table.rows.isEmpty()).toList();
    }

    /**
     * A table of texts.
     *
     * @param caption the name of the table
     * @param header  the names of its columns
     * @param rows    the rows, each as long as the header
     */
    record Table(String caption, List<String> header, List<List<String>> rows) {
        Table {
            rows = List.copyOf(rows);
        }

        /** Returns the table of rows as they were measured. */
        static Table of(String caption, List<Row> measured) {
            List<List<String>> rows = new ArrayList<>();
            for (Row row : measured) {
                rows.add(List.of(row.label(), row.subject(), Plot.number(row.ours().median()), Plot.number(row.peer()),
                        row.peerName(), ratio(row), row.limit() == null ? "–" : times(row.peer() / row.limit()),
                        percent(row.ofLimit()), Plot.number(row.ours().bytesPerOp()), row.unit()));
            }
            return new Table(caption, List.of("what", "form", "ours", "peer", "peer's form", "times as fast",
                    "C, times as fast", "share of C", "garbage, B", "unit"), rows);
        }
    }

    /** Returns whether the interval of a row is too wide for a mean. */
    static boolean isUncertain(Row row) {
        return 2 * row.error() > WIDEST || !Double.isFinite(row.ratio());
    }

    /** Returns whether the intervals of most lines of a case are too wide. */
    static boolean isUncertain(MeasuredCase measured) {
        return 2 * measured.rows().stream().filter(ReportSection::isUncertain).count() > measured.rows().size();
    }

    /** Formats a ratio with half its interval, and a mark if the interval is too wide. */
    static String ratio(Row row) {
        return String.format(Locale.ROOT, "%s ± %.0f %%%s", times(row.ratio()), 100 * row.error(),
                isUncertain(row) ? " ?" : "");
    }

    static String times(double ratio) {
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "–";
    }

    static String percent(@Nullable Double share) {
        return share == null ? "–" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
