package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.report.ReportSection.Table;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The beginning of the page: means over all lines that compare times with a peer, and the lines in which Outcrop is slower. */
final class ReportSummary {
    /** The peers. C is not a peer but the limit. Other forms of ours are not peers either. */
    private static final Set<PlotSide> PEERS = EnumSet.of(PlotSide.ROCKSDBJNI, PlotSide.CHRONICLE, PlotSide.LMDB,
            PlotSide.JDK, PlotSide.RUBY);
    private static final int SUITE = 0;
    private static final int CASE = 1;
    private static final int FORM = 2;
    /** The column with the reason of a loss, or with the name of a highlight. */
    private static final int TEXT = 3;

    private final List<Row> rows;

    ReportSummary(ReportData data) {
        rows = data.rows().stream().filter(row -> row.unit().equals(Row.UNIT))
                .filter(row -> PEERS.contains(PlotSide.ofPeer(row.peerName())) && !row.isOfNamedForms()).toList();
    }

    /** Returns one plot and one table: the geometric means of each suite against each of its peers. */
    ReportSection means() {
        Map<String, List<Row>> groups = new LinkedHashMap<>();
        for (Row row : rows) {
            groups.computeIfAbsent(row.suite() + ", against " + PlotSide.ofPeer(row.peerName()).label(),
                    _ -> new ArrayList<>()).add(row);
        }
        Plot plot = new Plot("times as fast as the peer, geometric mean, on a logarithmic axis", true);
        List<List<String>> table = new ArrayList<>();
        groups.forEach((group, all) -> {
            List<Row> counted = all.stream().filter(row -> !ReportSection.isUncertain(row)).toList();
            List<Row> limited = counted.stream().filter(row -> row.limit() != null).toList();
            double ratio = mean(counted, Row::ratio);
            plot.bar(group, PlotSide.OUTCROP, "", ratio)
                    .bar(group, PlotSide.C, "", mean(limited, row -> row.peer() / limit(row)))
                    .bar(group, PlotSide.ofPeer(all.getFirst().peerName()), "", counted.isEmpty() ? 0 : 1);
            table.add(List.of(group, ReportSection.times(ratio),
                    limited.isEmpty()
                            ? "–"
                            : ReportSection.percent(mean(limited, row -> limit(row) / row.ours().median())),
                    counted.isEmpty()
                            ? "–"
                            : Plot.number(counted.stream().mapToDouble(row -> row.ours().bytesPerOp()).sorted()
                                    .skip((counted.size() - 1) / 2).findFirst().orElse(0)),
                    String.valueOf(counted.size()), String.valueOf(all.size() - counted.size())));
        });
        return new ReportSection("In short",
                "Above 1 means that Outcrop is faster than the best form of the peer that a program could use instead. "
                        + "The share of C is the part of our time that a program in C needs for the same work. Garbage is what a call "
                        + "leaves on the heap, the median over the lines; forms that return an array leave that array.",
                plot, List.of(new Table("Geometric means", List.of("suite", "times as fast", "share of C",
                        "garbage, B", "lines", "too uncertain"), table)));
    }

    private static double limit(Row row) {
        return Objects.requireNonNull(row.limit());
    }

    /** Returns the geometric mean; NaN if there are no rows. */
    private static double mean(List<Row> rows, ToDoubleFunction<Row> value) {
        return Math.exp(rows.stream().mapToDouble(row -> Math.log(value.applyAsDouble(row))).average()
                .orElse(Double.NaN));
    }

    /** Returns the lines in which Outcrop is slower than the peer, beyond the interval. */
    ReportSection losses() {
        List<List<String>> reasons = PublishedFigures.lines("losses.tsv");
        List<List<String>> table = new ArrayList<>();
        for (Row row : rows) {
            if (!ReportSection.isUncertain(row) && row.ratio() * (1 + row.error()) < 1) {
                table.add(List.of(row.suite(), row.label(), row.subject(), row.peerName(),
                        ReportSection.ratio(row), reason(row, reasons)));
            }
        }
        return new ReportSection("Where Outcrop loses",
                table.isEmpty()
                        ? "In no line of this report is Outcrop slower than its peer beyond the interval."
                        : String.format(Locale.ROOT,
                                "In %d of %d lines Outcrop is slower than its peer beyond the interval.",
                                table.size(), rows.size()),
                new Plot("", false), List.of(new Table("Lines in which Outcrop is slower",
                        List.of("suite", "what", "form", "against", "times as fast", "why"), table)));
    }

    private static String reason(Row row, List<List<String>> reasons) {
        return reasons.stream().filter(line -> isAbout(line, row)).map(line -> line.get(TEXT)).findFirst()
                .orElse("not explained yet");
    }

    private static boolean isAbout(List<String> line, Row row) {
        return line.get(SUITE).equals(row.suite()) && row.label().matches(line.get(CASE))
                && (row.subject().matches(line.get(FORM))
                        || (row.subject() + " against " + row.peerName()).matches(line.get(FORM)));
    }

    /** Returns the few lines that other documents show. */
    ReportSection highlights() {
        List<List<String>> table = new ArrayList<>();
        for (List<String> line : PublishedFigures.lines("highlights.tsv")) {
            rows.stream().filter(row -> isAbout(line, row)).findFirst()
                    .ifPresent(row -> table.add(List.of(line.get(TEXT), PlotSide.ofPeer(row.peerName()).label(),
                            ReportSection.ratio(row), ReportSection.percent(row.ofLimit()))));
        }
        return new ReportSection("A few lines", "Lines that programs meet often.", new Plot("", false),
                List.of(new Table("Times as fast as the peer",
                        List.of("what", "against", "times as fast", "share of C"),
                        table)));
    }
}
