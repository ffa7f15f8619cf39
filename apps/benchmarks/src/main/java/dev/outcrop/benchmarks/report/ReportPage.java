package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.report.ReportData.MeasuredCase;
import dev.outcrop.benchmarks.report.ReportSection.Table;
import java.util.List;
import java.util.Locale;

/** A report as one HTML page, which is also XML. It needs no network, no other file and no script. */
final class ReportPage {
    private static final String STYLE = """
            :root{color-scheme:light dark;--ground:#fff;--text:#1f2328;--soft:#57606a;--rule:#d0d7de}
            LIGHT
            @media screen and (prefers-color-scheme:dark){:root{--ground:#0d1117;--text:#e6edf3;--soft:#8b949e;--rule:#30363d}
            DARK}
            body{font:16px/1.5 system-ui,sans-serif;background:var(--ground);color:var(--text);margin:0 auto;padding:1rem;max-width:72rem}
            h1,h2{line-height:1.2}section{margin:2.5rem 0}
            .patterns{position:absolute;width:0;height:0}
            .plot{display:block;width:100%;max-width:42rem;height:auto}
            .plot text{font:12px system-ui,sans-serif;fill:var(--text);paint-order:stroke;stroke:var(--ground);stroke-width:2.5px;stroke-linejoin:round}
            .grid{stroke:var(--rule);fill:none}
            .full{fill:var(--side)}.pale{fill:var(--side);opacity:.25}.hatching{stroke:var(--side);stroke-width:2;fill:none}
            .bar{stroke:var(--side);stroke-width:1}
            .line{stroke:var(--side);stroke-width:2;fill:none}.marker{fill:var(--side)}
            .table{overflow-x:auto}
            table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0 1rem;width:max-content;max-width:70rem}
            th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid var(--rule);vertical-align:top}
            caption{text-align:left;font-weight:600}
            dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;font-size:.85rem}
            dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
            summary{cursor:pointer;font-weight:600}
            p{max-width:48rem}
            @media print{body{max-width:none;font-size:11px}h2,summary{break-after:avoid}.plot,tr{break-inside:avoid}.plot{max-width:14cm}
            dl{font-size:9px}
            details::details-content{content-visibility:visible;height:auto}.table{overflow:visible}
            table{width:auto;max-width:100%;font-size:8px}th,td{padding:.1rem .3rem;overflow-wrap:anywhere}}
            """;

    private final ReportData data;
    private final List<ReportSection> sections;
    private final StringBuilder html = new StringBuilder();

    ReportPage(ReportData data, List<ReportSection> sections) {
        this.data = data;
        this.sections = List.copyOf(sections);
    }

    /** Escapes characters with a meaning in HTML. */
    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static String style() {
        return STYLE.replace("LIGHT", PlotSide.styles(false)).replace("DARK", PlotSide.styles(true));
    }

    /** Returns the plot of a section as a separate file. */
    static String picture(ReportSection section) {
        return section.plot().picture(section.title(), style());
    }

    /** Returns the page. */
    String html() {
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n")
                .append("<title>Outcrop, measured</title>\n<style>")
                .append(style())
                .append("</style>\n</head>\n<body>\n").append(PlotSide.patterns())
                .append("<h1>Outcrop, measured</h1>\n");
        paragraph("All sides of a line were measured in turns, on one machine, with one engine. Compare ratios, not "
                + "times; published figures come from other machines. ± is half the 95 % confidence interval over turns and starts. A "
                + "line with a question mark has an interval wider than 15 %, and is left out of means.");
        ReportSummary summary = new ReportSummary(data);
        section(summary.means(), "means", true);
        section(summary.losses(), "losses", true);
        failures();
        conditions();
        html.append("<nav>\n<ul>\n");
        for (int i = 0; i < sections.size(); i++) {
            html.append("<li><a href=\"#s").append(i + 1).append("\">").append(escape(sections.get(i).title()))
                    .append("</a></li>\n");
        }
        html.append("</ul>\n</nav>\n");
        for (int i = 0; i < sections.size(); i++) {
            section(sections.get(i), "s" + (i + 1), false);
        }
        return html.append("</body>\n</html>\n").toString();
    }

    private void conditions() {
        html.append("<section id=\"conditions\">\n<h2>Machine and settings</h2>\n<dl>\n");
        data.machine().facts().forEach(this::fact);
        double[] loads = data.cases().stream().mapToDouble(MeasuredCase::load).sorted().toArray();
        if (loads.length > 0) {
            fact("load before the cases", String.format(Locale.ROOT, "%.1f in the middle, %.1f at most",
                    loads[loads.length / 2], loads[loads.length - 1]));
        }
        fact("length", (data.settings().isQuick() ? "quick, for a first impression" : "whole") + ", "
                + data.cases().size() + " cases, " + Plot.number(Math.rint(data.cases().stream()
                        .mapToDouble(MeasuredCase::seconds).sum() / 60))
                + " min");
        if (!data.settings().only().isEmpty() || !data.settings().peers().isEmpty()) {
            fact("only", String.join(", ", data.settings().only()) + ' ' + String.join(", ", data.settings().peers()));
        }
        fact("seed", String.valueOf(data.settings().seed()));
        html.append("</dl>\n</section>\n");
    }

    private void fact(String name, String value) {
        html.append("<dt>").append(escape(name)).append("</dt><dd>").append(escape(value)).append("</dd>\n");
    }

    private void failures() {
        List<MeasuredCase> failed = data.cases().stream().filter(each -> !each.failure().isEmpty()).toList();
        if (!failed.isEmpty()) {
            html.append("<section id=\"failures\">\n<h2>Not measured</h2>\n<ul>\n");
            failed.forEach(each -> html.append("<li>")
                    .append(escape(each.suite() + ": " + each.label() + ": " + each.reason())).append("</li>\n"));
            html.append("</ul>\n</section>\n");
        }
    }

    private void paragraph(String text) {
        html.append("<p>").append(escape(text)).append("</p>\n");
    }

    private void section(ReportSection section, String id, boolean isOpen) {
        html.append("<section id=\"").append(id).append("\">\n<h2>").append(escape(section.title())).append("</h2>\n");
        if (!section.plot().isEmpty()) {
            html.append(section.plot().svg(section.title()));
        }
        paragraph(section.text());
        for (Table table : section.tables()) {
            if (!isOpen) {
                html.append("<details>\n<summary>").append(escape(table.caption())).append("</summary>\n");
            }
            table(table);
            if (!isOpen) {
                html.append("</details>\n");
            }
        }
        html.append("</section>\n");
    }

    private void table(Table table) {
        html.append("<div class=\"table\"><table>\n<thead><tr>");
        table.header().forEach(cell -> html.append("<th>").append(escape(cell)).append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        for (List<String> row : table.rows()) {
            html.append("<tr>");
            row.forEach(cell -> html.append("<td>").append(escape(cell)).append("</td>"));
            html.append("</tr>\n");
        }
        html.append("</tbody>\n</table></div>\n");
    }
}
