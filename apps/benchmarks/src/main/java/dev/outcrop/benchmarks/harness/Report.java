package dev.outcrop.benchmarks.harness;

import com.fasterxml.jackson.jr.ob.JSON;
import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Results as a table for people and as JSON for programs. */
public final class Report {
    private static final String NONE = "-";

    private Report() {
    }

    /** Formats the results of one suite as a table. */
    public static String table(List<Row> rows) {
        return AsciiTable.builder().border(AsciiTable.NO_BORDERS).data(rows, List.of(
                left("case", Report::label),
                left("form", Row::subject),
                right("ours", row -> nanos(row.ours().median())),
                right("peer", row -> nanos(row.peer())),
                left("peer form", Row::peerName),
                right("ratio", row -> String.format(Locale.ROOT, "%.2f", row.ratio())),
                right("limit", row -> nanos(row.limit())),
                right("share of limit", row -> percent(row.ofLimit())),
                right("B/op", row -> String.format(Locale.ROOT, "%,.0f", row.ours().bytesPerOp())))).asString();
    }

    /**
     * Returns the last line of a report: the geometric mean of the ratios to the suite's peer. Rows that compare with something else do not
     * count. Rows in a different unit than the first row do not count either.
     */
    public static String summary(String peer, List<Row> rows) {
        List<Row> compared = rows.stream().filter(row -> row.peerName().startsWith(peer) && !row.isOfNamedForms())
                .toList();
        OptionalDouble logarithm = compared.stream().filter(row -> row.unit().equals(compared.getFirst().unit()))
                .mapToDouble(row -> Math.log(row.ratio()))
                .average();
        if (logarithm.isEmpty()) {
            return "no line compares with " + peer;
        }
        return String.format(Locale.ROOT, "geomean ratio to %s: %.2f", peer, Math.exp(logarithm.getAsDouble()));
    }

    /** Writes the results of any number of suites to a file: an array with one object per row. */
    public static void writeJson(List<Row> rows, Path file) throws IOException {
        JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT, JSON.Feature.WRITE_NULL_PROPERTIES)
                .write(rows.stream().map(Report::json).toList(), file.toFile());
    }

    /** Returns a row as a JSON object. */
    public static Map<String, @Nullable Object> json(Row row) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("suite", row.suite());
        object.put("case", row.name());
        object.put("label", row.label());
        object.put("params", row.params());
        object.put("unit", row.unit());
        object.put("subject", row.subject());
        object.put("ours", row.ours().median());
        object.put("peerName", row.peerName());
        object.put("peer", row.peer());
        object.put("ratio", row.ratio());
        object.put("ratioError", row.error());
        object.put("ratioStartError", row.startError());
        object.put("limit", row.limit());
        object.put("ofLimit", row.ofLimit());
        object.put("bytesPerOp", row.ours().bytesPerOp());
        object.put("error", row.ours().error());
        object.put("startError", row.ours().startError());
        return object;
    }

    /** Returns the row of a JSON object. Fails with a {@link RuntimeException} if the object is not a row. */
    public static Row row(Map<?, ?> object) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        Map<?, ?> found = value(object, "params", Map.class);
        found.forEach((name, value) -> params.put(String.valueOf(name), value));
        return new Row(text(object, "suite"), text(object, "case"), params, text(object, "label"),
                text(object, "subject"),
                new Measurement(number(object, "ours"), number(object, "error"), number(object, "startError"),
                        number(object, "bytesPerOp")),
                text(object, "peerName"), number(object, "peer"), number(object, "ratioError"),
                number(object, "ratioStartError"),
                object.get("limit") == null ? null : (Double) number(object, "limit"), text(object, "unit"));
    }

    /** Returns a number of a JSON object. */
    public static double number(Map<?, ?> object, String name) {
        return value(object, name, Number.class).doubleValue();
    }

    /** Returns a text of a JSON object. */
    public static String text(Map<?, ?> object, String name) {
        return value(object, name, String.class);
    }

    /** Returns the objects of a list in a JSON object. */
    public static List<Map<?, ?>> objects(Map<?, ?> object, String name) {
        List<Map<?, ?>> objects = new ArrayList<>();
        for (Object each : value(object, name, List.class)) {
            if (!(each instanceof Map<?, ?> one)) {
                throw new IllegalArgumentException("one of " + name + " is no object, but " + each);
            }
            objects.add(one);
        }
        return objects;
    }

    /** Returns a member of a JSON object. Fails if the member is missing or has another type. */
    public static <T> T value(Map<?, ?> object, String name, Class<T> type) {
        Object value = object.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(value == null
                    ? name + " is missing"
                    : name + " is no " + type.getSimpleName().toLowerCase(Locale.ROOT) + ", but " + value);
        }
        return type.cast(value);
    }

    private static String label(Row row) {
        return row.unit().equals(Row.UNIT) ? row.label() : row.label() + ": " + row.unit();
    }

    private static ColumnData<Row> left(String header, Function<Row, @Nullable String> text) {
        return new Column().header(header).headerAlign(HorizontalAlign.LEFT).dataAlign(HorizontalAlign.LEFT)
                .maxWidth(80).with(text);
    }

    private static ColumnData<Row> right(String header, Function<Row, @Nullable String> text) {
        return new Column().header(header).headerAlign(HorizontalAlign.RIGHT).dataAlign(HorizontalAlign.RIGHT)
                .with(text);
    }

    private static String nanos(@Nullable Double nanos) {
        return nanos == null ? NONE : String.format(Locale.ROOT, "%,.1f", nanos);
    }

    private static String percent(@Nullable Double share) {
        return share == null ? NONE : String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
