package dev.outcrop.benchmarks;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A part of a quick report that was measured once, which tests change. */
abstract class RecordedReport extends SuiteRun {
    Map<String, Object> recorded = Map.of();

    @BeforeEach
    void read() throws IOException {
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("recorded-report.json"))) {
            recorded = JSON.std.mapFrom(file);
        }
    }

    List<Map<String, Object>> rows() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Object each : (List<?>) Objects.requireNonNull(recorded.get("cases"))) {
            ((List<?>) Objects.requireNonNull(object(each).get("rows"))).forEach(row -> rows.add(object(row)));
        }
        return rows;
    }

    /** Writes the directory of the report, and returns the command that draws its page. */
    String[] finished(Path report) throws IOException {
        Files.createDirectories(report);
        Map<String, Object> head = new LinkedHashMap<>(recorded);
        head.remove("cases");
        JSON.std.write(head, report.resolve("run.json").toFile());
        for (Object each : (List<?>) Objects.requireNonNull(recorded.get("cases"))) {
            Map<String, Object> found = object(each);
            JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).write(found,
                    file(report, String.valueOf(found.get("suite")), String.valueOf(found.get("label"))).toFile());
        }
        List<String> arguments = new ArrayList<>(List.of("report", "--quick", "--dir", report.toString()));
        ((List<?>) Objects.requireNonNull(object(recorded.get("settings")).get("only")))
                .forEach(text -> arguments.addAll(List.of("--only", (String) text)));
        return arguments.toArray(String[]::new);
    }

    /** The file of a case, as the command names it: it finds a case by suite and label. */
    static Path file(Path report, String suite, String label) throws IOException {
        String readable = label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return Files.createDirectories(report.resolve("cases")).resolve(String.format(Locale.ROOT, "%s-%s-%08x.json",
                suite, readable.substring(0, Math.min(readable.length(), 60)), label.hashCode()));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }
}
