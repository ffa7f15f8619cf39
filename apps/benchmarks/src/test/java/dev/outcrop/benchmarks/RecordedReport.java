package dev.outcrop.benchmarks;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
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

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }
}
