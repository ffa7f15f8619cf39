package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report as text: for spreadsheets, and for people without a browser. */
final class ReportText {
    private ReportText() {
    }

    /** Returns all rows as CSV, the first line of which names the fields. */
    static String csv(List<Row> rows) {
        StringBuilder csv = new StringBuilder(
                "suite,case,form,unit,ours,peer,peerForm,ratio,ratioError,limit,shareOfLimit,bytesPerOp\n");
        for (Row row : rows) {
            csv.append(record(row.suite(), row.label(), row.subject(), row.unit(), row.ours().median(), row.peer(),
                    row.peerName(), row.ratio(), row.error(), row.limit() == null ? "" : row.limit(),
                    row.ofLimit() == null ? "" : row.ofLimit(), row.ours().bytesPerOp()));
        }
        return csv.toString();
    }

    private static String record(Object... fields) {
        List<String> texts = new ArrayList<>();
        for (Object field : fields) {
            String text = field instanceof Double number ? String.format(Locale.ROOT, "%.4f", number) : field.toString();
            texts.add(text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text);
        }
        return String.join(",", texts) + '\n';
    }

    /** Returns a page with a table for each suite. */
    static String markdown(ReportData data) {
        StringBuilder text = new StringBuilder("# Outcrop, measured\n\n");
        data.machine().facts().forEach((name, value) -> text.append("- ").append(name).append(": ").append(value)
                .append('\n'));
        Map<String, List<Row>> bySuite = data.rows().stream()
                .collect(Collectors.groupingBy(Row::suite, LinkedHashMap::new, Collectors.toList()));
        bySuite.forEach((suite, rows) -> {
            text.append("\n## ").append(suite).append("\n\n| case | form | ratio | peer |\n|---|---|---|---|\n");
            rows.forEach(row -> text.append(String.format(Locale.ROOT, "| %s | %s | %.2f | %s |%n", row.label(),
                    row.subject(), row.ratio(), row.peerName())));
        });
        return text.toString();
    }
}
