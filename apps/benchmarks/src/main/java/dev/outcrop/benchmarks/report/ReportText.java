package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.report.ReportSection.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A report as text, for spreadsheets and for people without a browser. */
final class ReportText {
    private ReportText() {
    }

    /** Returns all rows as CSV. The first line names the fields. */
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
            String text = field instanceof Double number
                    ? String.format(Locale.ROOT, "%.4f", number)
                    : field.toString();
            texts.add(text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text);
        }
        return String.join(",", texts) + '\n';
    }

    /** Returns the page without its plots. */
    static String markdown(ReportData data, List<ReportSection> sections) {
        ReportSummary summary = new ReportSummary(data);
        StringBuilder text = new StringBuilder("# Outcrop, measured\n\n");
        data.machine().facts().forEach((name, value) -> text.append("- ").append(name).append(": ").append(value)
                .append('\n'));
        data.cases().stream().filter(each -> !each.failure().isEmpty()).forEach(each -> text.append("- not measured: ")
                .append(each.suite()).append(", ").append(each.label()).append(": ")
                .append(each.reason()).append('\n'));
        ReportSection highlights = summary.highlights();
        List<ReportSection> all = new ArrayList<>(List.of(summary.means(), highlights, summary.losses()));
        all.addAll(sections);
        for (ReportSection section : all) {
            text.append("\n## ").append(section.title()).append("\n\n").append(section.text()).append('\n');
            for (Table table : section.tables()) {
                text.append("\n### ").append(table.caption()).append("\n\n");
                // Other documents include this part by its name.
                text.append(section.equals(highlights) ? "<!-- tag::highlights -->\n" : "").append(line(table.header()))
                        .append("|---".repeat(table.header().size())).append("|\n");
                table.rows().forEach(row -> text.append(line(row)));
                text.append(section.equals(highlights) ? "<!-- end::highlights -->\n" : "");
            }
        }
        return text.toString();
    }

    private static String line(List<String> cells) {
        return "| " + cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ")) + " |\n";
    }
}
