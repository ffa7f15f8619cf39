package dev.outcrop.benchmarks.report;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Report;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A report, with the contents of {@code report.json}.
 *
 * @param machine  the machine and the conditions of the measurement
 * @param settings the options
 * @param cases    the cases in the order of the suites, with intervals that {@link StartErrors} has widened
 */
record ReportData(Machine machine, ReportSettings settings, List<MeasuredCase> cases) {
    /** The version of the JSON files of a report. */
    static final int FORMAT = 2;

    /** The member of each file that has the version. */
    static final String FORMAT_KEY = "outcropReport";

    private static final String MACHINE = "machine";
    private static final String SETTINGS = "settings";
    private static final String CASES = "cases";

    ReportData {
        cases = StartErrors.widen(cases);
    }

    /**
     * A finished case.
     *
     * @param suite   the name of its suite
     * @param label   its own name
     * @param seconds how long it took
     * @param load    the average number of running threads in the minute before
     * @param failure the reason why there are no rows, or an empty text
     * @param rows    the results
     */
    record MeasuredCase(String suite, String label, double seconds, double load, String failure, List<Row> rows) {
        MeasuredCase {
            rows = List.copyOf(rows);
        }

        MeasuredCase withRows(List<Row> others) {
            return new MeasuredCase(suite, label, seconds, load, failure, others);
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

        /** Returns the case of a JSON object. Fails with an {@link IllegalArgumentException} if the object is not a case. */
        static MeasuredCase of(Map<?, ?> object) {
            return new MeasuredCase(Report.text(object, "suite"), Report.text(object, "label"),
                    Report.number(object, "seconds"), Report.number(object, "load"), Report.text(object, "failure"),
                    Report.objects(object, "rows").stream().map(Report::row).toList());
        }

        /** Returns the mean error of the lines; infinite if there are no lines. */
        double error() {
            return rows.stream().mapToDouble(Row::error).average().orElse(Double.POSITIVE_INFINITY);
        }

        /** Returns the most useful line of the failure. The output of a program may begin with notes of its JVM. */
        String reason() {
            return failure.lines().filter(line -> line.contains("Exception") || line.contains("Error")).findFirst()
                    .or(() -> failure.lines().findFirst()).orElse("");
        }
    }

    /** Returns the rows of all cases. */
    List<Row> rows() {
        return cases.stream().flatMap(each -> each.rows().stream()).toList();
    }

    /** Returns the members with which every file of a report begins. */
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

    /** Reads a report, or only its head. Fails with a message for the user if the file is not a report. */
    static ReportData read(Path file) {
        Object json = parse(file);
        if (json instanceof List<?>) {
            throw new BenchmarkException(file + " has the rows of './outcrop bench --json', which know nothing of the "
                    + "machine; this needs the report.json of './outcrop bench report'");
        }
        if (!(json instanceof Map<?, ?> object) || !(object.get(FORMAT_KEY) instanceof Integer format)) {
            throw new BenchmarkException(file + " is no report of './outcrop bench report'");
        }
        if (format != FORMAT) {
            throw new BenchmarkException(file + " has format " + format + ", and this program reads format " + FORMAT
                    + (format > FORMAT
                            ? ": use the newer program that has written it"
                            : ": measure again with './outcrop bench report'"));
        }
        try {
            Map<String, String> facts = new LinkedHashMap<>();
            Map<?, ?> machine = Report.value(object, MACHINE, Map.class);
            machine.keySet()
                    .forEach(name -> facts.put(String.valueOf(name), Report.text(machine, String.valueOf(name))));
            List<Map<?, ?>> cases = object.containsKey(CASES) ? Report.objects(object, CASES) : List.of();
            return new ReportData(new Machine(facts), ReportSettings.of(Report.value(object, SETTINGS, Map.class)),
                    cases.stream().map(MeasuredCase::of).toList());
        } catch (IllegalArgumentException e) {
            throw new BenchmarkException(file + " is a damaged report: " + e.getMessage(), e);
        }
    }

    private static Object parse(Path file) {
        try {
            return JSON.std.anyFrom(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new BenchmarkException("There is no file " + file, e);
        } catch (JacksonException | CharacterCodingException e) {
            throw new BenchmarkException(file + " is no report: it is not JSON, or its end is missing", e);
        } catch (IOException e) {
            throw new BenchmarkException("Cannot read " + file + ": " + e, e);
        }
    }
}
