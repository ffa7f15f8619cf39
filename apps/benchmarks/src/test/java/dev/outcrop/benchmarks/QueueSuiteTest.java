package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.outcrop.benchmarks.harness.RunLength;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class QueueSuiteTest extends SuiteRun {
    @Tag("nightly")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            append, 64 B, prepared | append | 64   | 1 | 0 | 16384 | prepared
            append, 1 KB, cold     | append | 1024 | 1 | 0 | 1024  | cold
            """)
    void measuresAppends(String only, String name, int payloadBytes, int producers, int groups, int records,
            String pages) throws IOException {
        List<Map<String, Object>> rows = measureQueue(new RunLength(false, 1, 1, 1, Duration.ofMillis(5), 1 << 20),
                only);

        requireRowsOfFlow(rows, pages.equals("prepared"));
        assertThat(rows).allSatisfy(row -> assertThat(row).containsEntry("case", name)
                .containsEntry("subject", "segment")
                .containsEntry("params", Map.of("payloadBytes", payloadBytes, "pages", pages, "producers", producers,
                        "groups", groups, "records", records)));
        assertThat(String.valueOf(rows.getFirst().get("peerName"))).isIn("Chronicle writeBytes",
                "Chronicle writingDocument");
        assertThat(lastLine()).matches("geomean ratio to Chronicle: \\d+\\.\\d\\d");
    }

    @ParameterizedTest
    @ValueSource(strings = "tail, 16 KB, prepared")
    void measuresWhatReadersAreGiven(String only) throws IOException {
        List<Map<String, Object>> rows = measureQueue(new RunLength(false, 1, 1, 1, Duration.ofMillis(5), 1 << 20),
                only);

        // The programs fail if they are not given exactly what was appended.
        boolean isPrepared = only.endsWith("prepared");
        int verifying = isPrepared ? only.startsWith("tail") ? 6 : 4 : 3;
        requireRowsOfFlow(rows.subList(0, verifying), isPrepared);
        assertThat(rows.subList(verifying, rows.size())).as("with each record verified")
                .allSatisfy(SuiteRun::requireSane).extracting(row -> row.get("unit"))
                .containsExactly("ns/op", "CPU ns/op");
        assertThat(rows.getFirst()).containsEntry("peerName", "Chronicle writeBytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2P2C, 64 B, cold", "tail, 64 B, cold", "1P1C, 1 KB, prepared", "2P2C, 16 KB, prepared"})
    @Tag("nightly")
    void measuresMoreOfWhatReadersAreGiven(String only) throws IOException {
        measuresWhatReadersAreGiven(only);
    }

    @Test
    void measuresDurableAppends() throws IOException {
        List<Map<String, Object>> rows = measureQueue(TINY, "durable append, 1 KB, 8 platform threads");

        assertThat(rows).allSatisfy(SuiteRun::requireSane)
                .extracting(row -> row.get("unit") + ": " + row.get("peerName"))
                .startsWith("ns/op: Chronicle writeBytes + sync", "ns, p50: Chronicle writeBytes + sync",
                        "ns, p99: Chronicle writeBytes + sync", "ns, p99.9: Chronicle writeBytes + sync",
                        "ns/op: JDK FileChannel + force", "ns, p50: JDK FileChannel + force")
                .contains("ns/op: JDK mapped segment + force");
        // Nobody's disk takes less than that, unless it lies.
        assertThat(number(rows.get(1), "ours")).isGreaterThan(1000);
        assertThat(number(rows.get(1), "peer")).isGreaterThan(1000);
    }

    @Test
    void measuresLatenciesAndDrawsThem() throws IOException {
        List<Map<String, Object>> rows = measure("queue", "a second", "--plots", directory.toString());

        assertThat(rows).allSatisfy(SuiteRun::requireSane)
                .extracting(row -> row.get("subject") + ": " + row.get("unit"))
                .containsExactly("segment: ns, p50", "segment: ns, p90", "segment: ns, p99", "segment: ns, p99.9",
                        "segment, no background thread: ns, p50", "segment, no background thread: ns, p90",
                        "segment, no background thread: ns, p99", "segment, no background thread: ns, p99.9");
        assertThat(number(rows.getFirst(), "ours")).isLessThanOrEqualTo(number(rows.get(3), "ours"));
        requirePlot("queue-latency.png");
    }

    @Test
    void measuresWhatDepthCosts() throws IOException {
        List<Map<String, Object>> rows = measureQueue(TINY, "depth");

        assertThat(rows).allSatisfy(SuiteRun::requireSane).extracting(row -> row.get("unit"))
                .containsExactly("bytes of heap", "bytes of heap", "CPU ns to open");
        assertThat(rows).extracting(row -> row.get("params")).containsExactly(
                Map.of("payloadBytes", 64, "records", 1000), Map.of("payloadBytes", 64, "records", 16_384),
                Map.of("payloadBytes", 64, "records", 16_384));
    }

    /** Of a flow: time against Chronicle, with what C takes without a checksum; against C with one; against Java, if prepared; CPU time. */
    private void requireRowsOfFlow(List<Map<String, Object>> rows, boolean isPrepared) {
        assumeThat(out.toString()).as("a C compiler").doesNotContain("no limit");
        String chronicle = String.valueOf(rows.getFirst().get("peerName"));
        assertThat(chronicle).startsWith("Chronicle");
        assertThat(rows).allSatisfy(SuiteRun::requireSane).extracting(row -> row.get("peerName"))
                .containsExactlyElementsOf(!isPrepared
                        ? List.of(chronicle, "C, checked", chronicle)
                        : String.valueOf(rows.getFirst().get("label")).matches("(append|tail).*")
                                ? List.of(chronicle, "C, checked", "Java without a queue", "JDK FileChannel",
                                        "JDK mapped segment", chronicle)
                                : List.of(chronicle, "C, checked", "Java without a queue", chronicle));
        assertThat(rows.subList(0, rows.size() - 1))
                .allSatisfy(row -> assertThat(row).containsEntry("unit", "ns/op"));
        assertThat(rows.getLast()).containsEntry("unit", "CPU ns/op");
        assertThat(number(rows.getFirst(), "limit")).isPositive();
        assertThat(rows.subList(1, rows.size())).allSatisfy(row -> assertThat(row).containsEntry("limit", null));
    }

    private List<Map<String, Object>> measureQueue(RunLength runLength, String only) throws IOException {
        return measure(runLength, "queue", only);
    }
}
