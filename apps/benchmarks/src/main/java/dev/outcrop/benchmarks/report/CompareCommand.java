package dev.outcrop.benchmarks.report;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Row;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two reports of one machine, line by line, and fails if anything has become much slower. */
@Command(name = "compare", sortOptions = false, description = {
        "Shows what became faster or slower from report A to report B, beyond the intervals of both.",
        "What is compared is how many times as fast as the peer Outcrop is, so that a slower machine does not count.",
        "Ends with 1 if a line became slower by more than 10 %%, and with 2 if the reports cannot be compared."})
public final class CompareCommand implements Callable<Integer> {
    private static final double REGRESSION = 0.9;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "A.json", index = "0", description = "The report.json before, or its directory.")
    private Path before = Path.of("");

    @Parameters(paramLabel = "B.json", index = "1", description = "The report.json after, or its directory.")
    private Path after = Path.of("");

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    /** Creates the command. */
    public CompareCommand() {
        // The arguments come from the command line.
    }

    /**
     * A line that is in both reports.
     *
     * @param before its row in the first report
     * @param after  its row in the second report
     */
    private record Pair(Row before, Row after) {
        /** Returns more than 1 if the line became faster. */
        double change() {
            return after.ratio() / before.ratio();
        }

        boolean isUncertain() {
            return ReportSection.isUncertain(before) || ReportSection.isUncertain(after);
        }

        boolean isBeyondTheIntervals() {
            return low(after) > high(before) || high(after) < low(before);
        }

        private static double low(Row row) {
            return row.ratio() * (1 - row.error());
        }

        private static double high(Row row) {
            return row.ratio() * (1 + row.error());
        }
    }

    @Override
    public Integer call() {
        ReportData one;
        ReportData other;
        try {
            one = read(before);
            other = read(after);
            requireComparable(one, other);
        } catch (BenchmarkException e) {
            throw new CommandLine.ParameterException(Objects.requireNonNull(spec).commandLine(),
                    String.valueOf(e.getMessage()), e);
        }
        Map<String, Row> old = byLine(one.rows());
        List<Pair> pairs = new ArrayList<>();
        byLine(other.rows()).forEach((line, row) -> {
            Row match = old.get(line);
            if (match != null) {
                pairs.add(new Pair(match, row));
            }
        });
        if (pairs.isEmpty()) {
            throw new CommandLine.ParameterException(Objects.requireNonNull(spec).commandLine(),
                    before + " and " + after + " have no line in common, such as a quick report and a whole one");
        }
        List<Pair> certain = pairs.stream().filter(pair -> !pair.isUncertain()).toList();
        List<Pair> changed = certain.stream().filter(Pair::isBeyondTheIntervals)
                .sorted(Comparator.comparingDouble(Pair::change)).toList();
        List<Pair> regressions = changed.stream().filter(pair -> pair.change() < REGRESSION).toList();
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (!changed.isEmpty()) {
            out.println(table(changed));
        }
        out.println(String.format(Locale.ROOT,
                "%d lines compared: %d faster, %d slower, %d of them by more than 10 %%; %d are too uncertain, %d are in one report only",
                certain.size(), changed.stream().filter(pair -> pair.change() > 1).count(),
                changed.stream().filter(pair -> pair.change() < 1).count(), regressions.size(),
                pairs.size() - certain.size(), one.rows().size() + other.rows().size() - 2 * pairs.size()));
        return regressions.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private static ReportData read(Path report) {
        Path file = Files.isDirectory(report) ? report.resolve("report.json") : report;
        if (Files.notExists(file) && Files.exists(file.resolveSibling("run.json"))) {
            throw new BenchmarkException(report + " has no whole suite yet: let './outcrop bench report --dir " + report
                    + "' go on first");
        }
        ReportData data = ReportData.read(file);
        if (data.rows().isEmpty()) {
            throw new BenchmarkException(file + " has no results");
        }
        return data;
    }

    private void requireComparable(ReportData one, ReportData other) {
        List<String> differences = one.machine().differences(other.machine(), Machine.HARDWARE);
        if (!differences.isEmpty()) {
            throw new BenchmarkException(before + " and " + after + " are from different machines: "
                    + String.join("; ", differences));
        }
    }

    /** Returns the rows by the line that they measure. The best form of the peer may differ between the reports. */
    private static Map<String, Row> byLine(List<Row> rows) {
        Map<String, Row> lines = new LinkedHashMap<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (Row row : rows) {
            String line = String.join("; ", row.suite(), row.label(), row.params().toString(), row.subject(),
                    row.unit());
            lines.put(line + "; " + numbers.merge(line, 1, Integer::sum), row);
        }
        return lines;
    }

    private static String table(List<Pair> pairs) {
        return AsciiTable.builder().border(AsciiTable.NO_BORDERS).data(pairs, List.of(
                left("case").with(pair -> pair.after.suite() + ": " + pair.after.label()),
                left("form").with(pair -> pair.after.subject()),
                left("against").with(pair -> pair.after.peerName()),
                left("before").with(pair -> ReportSection.ratio(pair.before)),
                left("after").with(pair -> ReportSection.ratio(pair.after)),
                left("change").with(pair -> String.format(Locale.ROOT, "%+.0f %%", 100 * (pair.change() - 1)))))
                .asString();
    }

    private static Column left(String header) {
        return new Column().header(header).headerAlign(HorizontalAlign.LEFT).dataAlign(HorizontalAlign.LEFT)
                .maxWidth(80);
    }
}
