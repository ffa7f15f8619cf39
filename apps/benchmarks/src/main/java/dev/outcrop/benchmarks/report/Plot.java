package dev.outcrop.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;

/**
 * A plot, drawn as SVG within a page. Its width suits a telephone, on which its text has a readable size. A larger screen shows it larger.
 * Bars and lines have an axis that begins at zero, or a logarithmic axis.
 */
final class Plot {
    private static final int WIDTH = 480;
    private static final int LINE = 16;
    private static final int BAR = 12;
    private static final int SPACE = 4;
    private static final int HEIGHT_OF_LINES = 260;
    private static final int LEFT = 46;
    private static final int END = 30;
    /** The greatest average width of a letter. Digits are wide. */
    private static final double LETTER = 7.7;
    private static final int TICKS = 5;
    private static final List<String> DASHES = List.of("", "7 4", "2 3", "9 3 2 3");

    private final String axis;
    private final boolean isLogarithmic;
    private final Map<String, List<Bar>> groups = new LinkedHashMap<>();
    private final List<Line> lines = new ArrayList<>();
    private String across = "";
    private boolean isAcrossLogarithmic;
    private DoubleFunction<String> label = value -> String.format(Locale.ROOT, "%.0f", value);

    /** Creates an empty plot of values on this axis. */
    Plot(String axis, boolean isLogarithmic) {
        this.axis = axis;
        this.isLogarithmic = isLogarithmic;
    }

    private record Bar(PlotSide side, String form, double value) {
    }

    private record Line(PlotSide side, String form, Map<Double, Double> points) {
    }

    /** Adds a bar to a group. Leaves out values that are not positive numbers. */
    Plot bar(String group, PlotSide side, String form, double value) {
        if (Double.isFinite(value) && value > 0) {
            groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(new Bar(side, form, value));
        }
        return this;
    }

    /** Makes this a plot of lines over another axis. */
    Plot over(String name, boolean isLog, DoubleFunction<String> labels) {
        across = name;
        isAcrossLogarithmic = isLog;
        label = labels;
        return this;
    }

    /** Adds a line through points, which are in order. A single point is drawn too. */
    Plot line(PlotSide side, String form, Map<Double, Double> points) {
        if (!points.isEmpty()) {
            lines.add(new Line(side, form, new LinkedHashMap<>(points)));
        }
        return this;
    }

    boolean isEmpty() {
        return groups.isEmpty() && lines.isEmpty();
    }

    /** Returns the plot as an element of a page, with a text for people who cannot see it. */
    String svg(String title) {
        StringBuilder body = new StringBuilder();
        int height = lines.isEmpty() ? bars(body) : lines(body);
        return "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 " + WIDTH + ' ' + height + "\" aria-label=\""
                + ReportPage.escape(title) + "\">" + body + "</svg>\n";
    }

    /** Returns the plot as a separate file, with this style sheet. */
    String picture(String title, String style) {
        StringBuilder body = new StringBuilder();
        int height = lines.isEmpty() ? bars(body) : lines(body);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" viewBox=\"0 0 " + WIDTH + ' '
                + height + "\">\n<title>" + ReportPage.escape(title) + "</title>\n<style>" + style + "</style>\n"
                + PlotSide.patterns() + "<rect width=\"100%\" height=\"100%\" style=\"fill:var(--ground)\"/>" + body
                + "</svg>\n";
    }

    private int bars(StringBuilder svg) {
        Set<PlotSide> sides = new LinkedHashSet<>();
        groups.values().forEach(bars -> bars.forEach(bar -> sides.add(bar.side)));
        int y = 0;
        int x = 0;
        for (PlotSide side : sides) {
            int width = 26 + 7 * side.label().length();
            if (x + width > WIDTH) {
                x = 0;
                y += LINE;
            }
            rectangle(svg, side, x, y + 2, 12);
            text(svg, x + 16, y + 12, "start", side.label());
            x += width;
        }
        y += LINE + 2 * SPACE;
        double most = values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
        int longest = groups.values().stream().flatMap(List::stream).mapToInt(bar -> text(bar).length()).max()
                .orElse(0);
        Scale scale = new Scale(isLogarithmic, isLogarithmic ? lowest() : 0, most, 0,
                WIDTH - SPACE - LETTER * longest);
        int top = y;
        StringBuilder drawn = new StringBuilder();
        for (Map.Entry<String, List<Bar>> group : groups.entrySet()) {
            text(drawn, 0, y + 12, "start", group.getKey());
            y += LINE;
            for (Bar bar : group.getValue()) {
                double end = Math.max(1, scale.at(bar.value));
                rectangle(drawn, bar.side, 0, y, end);
                text(drawn, end + SPACE, y + 10, "start", text(bar));
                y += BAR + 3;
            }
            y += 2 * SPACE;
        }
        for (double tick : scale.ticks()) {
            double at = scale.at(tick);
            svg.append(String.format(Locale.ROOT, "<path class=\"grid\" d=\"M%.1f,%dV%d\"/>", at, top, y));
            text(svg, at, y + 13, at < 16 ? "start" : "middle", number(tick));
        }
        svg.append(drawn);
        text(svg, 0, y + 13 + LINE, "start", axis);
        return y + 2 * LINE + SPACE;
    }

    private static String text(Bar bar) {
        return number(bar.value) + (bar.form.isEmpty() ? "" : ' ' + bar.form);
    }

    private List<Double> values() {
        List<Double> values = new ArrayList<>();
        groups.values().forEach(bars -> bars.forEach(bar -> values.add(bar.value)));
        lines.forEach(line -> values.addAll(line.points.values()));
        return values;
    }

    /** Returns the lower end of the axis. Bars on a logarithmic axis need some length. */
    private double lowest() {
        return values().stream().mapToDouble(Double::doubleValue).min().orElse(1) / 1.5;
    }

    private int lines(StringBuilder svg) {
        List<Double> keys = lines.stream().flatMap(line -> line.points.keySet().stream()).sorted().distinct().toList();
        Scale x = new Scale(isAcrossLogarithmic, keys.getFirst(), Math.max(keys.getLast(), keys.getFirst() + 1e-9),
                LEFT, (double) WIDTH - END);
        double most = values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
        Scale y = new Scale(isLogarithmic, isLogarithmic ? lowest() : 0, most * 1.05, HEIGHT_OF_LINES, 22);
        text(svg, 0, 12, "start", axis);
        for (double tick : y.ticks()) {
            svg.append(String.format(Locale.ROOT, "<path class=\"grid\" d=\"M%d,%.1fH%d\"/>", LEFT, y.at(tick),
                    WIDTH - END));
            text(svg, LEFT - SPACE, y.at(tick) + 4, "end", number(tick));
        }
        double free = -1;
        for (double key : keys) {
            if (x.at(key) - free >= 40 || free < 0) {
                free = x.at(key);
                text(svg, free, HEIGHT_OF_LINES + LINE + SPACE, "middle", label.apply(key));
            }
        }
        text(svg, WIDTH / 2.0, HEIGHT_OF_LINES + 2 * LINE + SPACE, "middle", across);
        int legend = HEIGHT_OF_LINES + 3 * LINE;
        Map<PlotSide, Integer> drawn = new LinkedHashMap<>();
        for (Line line : lines) {
            int number = drawn.merge(line.side, 1, Integer::sum) - 1;
            StringBuilder path = new StringBuilder();
            line.points.forEach((key, value) -> path.append(path.isEmpty() ? 'M' : 'L')
                    .append(String.format(Locale.ROOT, "%.1f,%.1f", x.at(key), y.at(value))));
            line(svg, line.side, number, path.toString());
            line.points.forEach((key, value) -> marker(svg, line.side, x.at(key), y.at(value)));
            line(svg, line.side, number, "M0," + (legend - 4) + "H30");
            marker(svg, line.side, 15, legend - 4.0);
            text(svg, 36, legend, "start", line.side.label() + (line.form.isEmpty() ? "" : ": " + line.form));
            legend += LINE;
        }
        return legend;
    }

    private static void line(StringBuilder svg, PlotSide side, int number, String path) {
        svg.append("<path class=\"line ").append(side.css()).append("\" stroke-dasharray=\"")
                .append(DASHES.get(number % DASHES.size())).append("\" d=\"").append(path).append("\"/>");
    }

    /** Draws a marker. Each side has its own shape: a disc, a square, a diamond, triangles, a cross. */
    private static void marker(StringBuilder svg, PlotSide side, double x, double y) {
        String form = switch (side) {
            case OUTCROP -> "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z";
            case C -> "m-4,-4h8v8h-8z";
            case PUBLISHED -> "m0,-5l5,5l-5,5l-5,-5z";
            case ROCKSDBJNI, OTHER -> "m0,-5l5,9h-10z";
            case CHRONICLE, LMDB, JDK, RUBY -> "m0,5l5,-9h-10z";
        };
        svg.append(String.format(Locale.ROOT, "<path class=\"marker %s\" d=\"M%.1f,%.1f%s\"/>", side.css(), x, y,
                form));
    }

    private static void rectangle(StringBuilder svg, PlotSide side, double x, double y, double width) {
        svg.append(String.format(Locale.ROOT,
                "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"url(#%s)\"/>",
                side.css(), x, y, width, BAR, side.css()));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor,
                ReportPage.escape(text)));
    }

    /** Formats a value with at most three digits. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 1e9) {
            return String.format(Locale.ROOT, "%.3g G", value / 1e9);
        }
        if (size >= 1e6) {
            return String.format(Locale.ROOT, "%.3g M", value / 1e6);
        }
        return size >= 100 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.2g", value);
    }

    /** Converts values to places. */
    private record Scale(boolean isLogarithmic, double from, double to, double begin, double end) {
        double at(double value) {
            double share = isLogarithmic
                    ? Math.log(value / from) / Math.log(to / from)
                    : (value - from) / (to - from);
            return begin + (Double.isFinite(share) ? share : 0) * (end - begin);
        }

        List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            if (isLogarithmic) {
                List<Integer> steps = to / from < 100 ? List.of(1, 2, 5) : List.of(1);
                for (double power = Math.pow(10, Math.floor(Math.log10(from))); power <= to; power *= 10) {
                    for (int step : steps) {
                        if (step * power >= from && step * power <= to) {
                            ticks.add(step * power);
                        }
                    }
                }
                return ticks;
            }
            double rough = (to - from) / TICKS;
            double power = Math.pow(10, Math.floor(Math.log10(rough)));
            double step = power * (rough / power >= 5 ? 10 : rough / power >= 2 ? 5 : rough / power >= 1 ? 2 : 1);
            for (int i = 0; from + i * step <= to; i++) {
                ticks.add(from + i * step);
            }
            return ticks;
        }
    }
}
