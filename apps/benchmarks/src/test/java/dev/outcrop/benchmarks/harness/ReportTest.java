package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final Row TWICE = row("pinned", 100, "peer direct buffer", 200, 50.0);
    private static final Row HALF = row("byte[]", 100, "peer byte[]", 50, null);
    private static final Row AGAINST_OURSELVES = row("hybrid", 100, "outcrop pinned", 90, null);

    @Test
    void theTableShowsRatioAndShareOfTheLimit() {
        String table = Report.table(List.of(TWICE, HALF));

        assertThat(table.lines()).hasSize(3);
        assertThat(cells(table, 0)).containsExactly("case", "form", "ours", "peer", "peer form", "ratio", "limit",
                "share of limit", "B/op");
        assertThat(cells(table, 1)).containsExactly("random keys, 4 KB", "pinned", "100.0", "200.0",
                "peer direct buffer", "2.00", "50.0",
                "50 %", "16");
        assertThat(cells(table, 2)).containsExactly("random keys, 4 KB", "byte[]", "100.0", "50.0", "peer byte[]",
                "0.50", "-", "-", "16");
    }

    @Test
    void aRowInAnotherUnitSaysSo(@TempDir Path directory) throws IOException {
        Row misses = new Row("suite", "20 MB pinned", new LinkedHashMap<>(), "20 MB pinned", "budget",
                new Measurement(8, 0.01, 0), "peer", 10, 0.02, 0, null, "misses/100 op");
        Path file = directory.resolve("results.json");

        Report.writeJson(List.of(misses), file);

        assertThat(cells(Report.table(List.of(misses)), 1)).startsWith("20 MB pinned: misses/100 op", "budget", "8.0");
        assertThat(object(JSON.std.listFrom(file.toFile()).getFirst())).containsEntry("unit", "misses/100 op")
                .containsEntry("ratio", 1.25);
    }

    @Test
    void theSummaryIsTheGeometricMeanOverRowsAgainstThePeer() {
        assertThat(Report.summary("peer", List.of(TWICE, HALF, AGAINST_OURSELVES)))
                .isEqualTo("geomean ratio to peer: 1.00");
        assertThat(Report.summary("peer", List.of(TWICE, TWICE))).isEqualTo("geomean ratio to peer: 2.00");
        Row named = row("slab vs direct buffer", 100, "peer direct buffer", 800, null);
        Row bytes = new Row("suite", "start", new LinkedHashMap<>(), "start", "drop-in", new Measurement(8, 0, 0),
                "peer", 80, 0, 0, null, "bytes of jars");
        assertThat(Report.summary("peer", List.of(TWICE, named, bytes))).isEqualTo("geomean ratio to peer: 2.00");
    }

    @Test
    void jsonHasOneObjectARow(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("results.json");

        Report.writeJson(List.of(TWICE, HALF), file);

        List<Map<String, Object>> rows = JSON.std.listFrom(file.toFile()).stream().map(ReportTest::object).toList();
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst())
                .containsOnlyKeys("suite", "case", "label", "params", "unit", "subject", "ours", "peerName", "peer",
                        "ratio", "ratioError", "ratioStartError", "limit", "ofLimit", "bytesPerOp", "error",
                        "startError")
                .containsEntry("suite", "suite").containsEntry("case", "random keys")
                .containsEntry("params", Map.of("valueBytes", 4096))
                .containsEntry("unit", "ns/op").containsEntry("subject", "pinned").containsEntry("ours", 100.0)
                .containsEntry("peerName", "peer direct buffer").containsEntry("peer", 200.0)
                .containsEntry("ratio", 2.0).containsEntry("ratioError", 0.02)
                .containsEntry("limit", 50.0).containsEntry("ofLimit", 0.5).containsEntry("bytesPerOp", 16.0)
                .containsEntry("error", 0.01);
        assertThat(rows.getLast()).containsEntry("limit", null).containsEntry("ofLimit", null);
    }

    @Test
    void shareOfTheLimitIsOneWhenOursIsAsFastAsC() {
        assertThat(row("pinned", 50, "peer", 50, 50.0).ofLimit()).isCloseTo(1, within(1e-9));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<String> cells(String table, int line) {
        return List.of(table.lines().toList().get(line).strip().split(" {2,}"));
    }

    private static Row row(String subject, double ours, String peerName, double peer, @Nullable Double limit) {
        return new Row("suite", "random keys", new LinkedHashMap<>(Map.of("valueBytes", 4096)), "random keys, 4 KB",
                subject,
                new Measurement(ours, 0.01, 16), peerName, peer, 0.02, 0, limit, Row.UNIT);
    }
}
