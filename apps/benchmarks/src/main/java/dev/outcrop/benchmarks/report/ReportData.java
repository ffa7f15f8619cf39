package dev.outcrop.benchmarks.report;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Report;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A report, as {@code report.json} has it.
 *
 * @param machine  where and with what it was measured
 * @param settings the options
 * @param cases    in the order of the suites
 */
record ReportData(Machine machine, ReportSettings settings, List<MeasuredCase> cases) {
    /** The version of all JSON of a report. */
    static final int FORMAT = 1;

    /** The member of each file that says its version. */
    static final String FORMAT_KEY = "outcropReport";

    private static final String MACHINE = "machine";
    private static final String SETTINGS = "settings";
    private static final String CASES = "cases";

    ReportData {
        cases = List.copyOf(cases);
    }

    /**
     * A finished case.
     *
     * @param suite   the name of its suite
     * @param label   its own name
     * @param seconds how long it took
     * @param load    the average number of running threads of the minute before
     * @param failure why there are no rows, or an empty text
     * @param rows    the results
     */
    record MeasuredCase(String suite, String label, double seconds, double load, String failure, List<Row> rows) {
        MeasuredCase {
            rows = List.copyOf(rows);
        }

        Map<String, Object> json() {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("suite", suite);
            object.put("label", label);
            object.put("seconds", seconds);
            object.put("load", load);
            object.put("failure", failure);
            object.put("rows", rows.stream().map(Report::json).toList());
            return object;
        }

        /** Returns the case of an object of JSON; fails with a {@link RuntimeException} if it is another one. */
        static MeasuredCase of(Map<?, ?> object) {
            return new MeasuredCase((String) Report.value(object, "suite"), (String) Report.value(object, "label"),
                    ((Number) Report.value(object, "seconds")).doubleValue(),
                    ((Number) Report.value(object, "load")).doubleValue(), (String) Report.value(object, "failure"),
                    ((List<?>) Report.value(object, "rows")).stream().map(row -> Report.row((Map<?, ?>) row)).toList());
        }
    }

    /** Returns the rows of all cases. */
    List<Row> rows() {
        return cases.stream().flatMap(each -> each.rows().stream()).toList();
    }

    /** Returns what every file of a report begins with. */
    static Map<String, Object> head(Machine machine, ReportSettings settings) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put(FORMAT_KEY, FORMAT);
        object.put(MACHINE, machine.facts());
        object.put(SETTINGS, settings.json());
        return object;
    }

    Map<String, Object> json() {
        Map<String, Object> object = head(machine, settings);
        object.put(CASES, cases.stream().map(MeasuredCase::json).toList());
        return object;
    }

    /** Reads a report, or what one begins with. Fails with a message for the user if the file is none. */
    static ReportData read(Path file) {
        Object json;
        try {
            json = JSON.std.anyFrom(file.toFile());
        } catch (IOException e) {
            throw new BenchmarkException(Files.exists(file)
                    ? file + " is no report: it is not JSON"
                    : "There is no file " + file, e);
        }
        if (json instanceof List<?>) {
            throw new BenchmarkException(file + " has the rows of './outcrop bench --json', which know nothing of the "
                    + "machine; this needs the report.json of './outcrop bench report'");
        }
        if (!(json instanceof Map<?, ?> object) || !(object.get(FORMAT_KEY) instanceof Integer format)) {
            throw new BenchmarkException(file + " is no report of './outcrop bench report'");
        }
        if (format != FORMAT) {
            throw new BenchmarkException(file + " has format " + format + ", and this program reads format " + FORMAT
                    + ": measure again with './outcrop bench report'");
        }
        try {
            Map<String, String> facts = new LinkedHashMap<>();
            ((Map<?, ?>) Report.value(object, MACHINE))
                    .forEach((name, value) -> facts.put((String) name, (String) value));
            List<?> cases = object.get(CASES) instanceof List<?> list ? list : List.of();
            return new ReportData(new Machine(facts), ReportSettings.of((Map<?, ?>) Report.value(object, SETTINGS)),
                    cases.stream().map(each -> MeasuredCase.of((Map<?, ?>) each)).toList());
        } catch (ClassCastException | IllegalArgumentException e) {
            throw new BenchmarkException(file + " is a damaged report: " + e.getMessage(), e);
        }
    }
}
