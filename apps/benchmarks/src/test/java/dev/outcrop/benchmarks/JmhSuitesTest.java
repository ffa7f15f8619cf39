package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class JmhSuitesTest extends SuiteRun {
    @Test
    void measuresACallAndWritesJson() throws IOException {
        List<Map<String, Object>> rows = measure("calls", "no-op call, plain, platform");

        assertThat(lastLine()).matches("geomean ratio to JDK: \\d+\\.\\d\\d");
        assertThat(rows).hasSize(1);
        requireSane(rows.getFirst());
        assertThat(rows.getFirst()).containsEntry("suite", "calls").containsEntry("case", "no-op call, plain")
                .containsEntry("params", Map.of("thread", "platform")).containsEntry("peerName", "JDK Linker");
    }

    @Tag("nightly")
    @Test
    void measuresAComparatorOnTheRealEngine() throws IOException {
        List<Map<String, Object>> rows = measure("comparator", "get, 8-byte numbers");

        assertThat(lastLine()).matches("geomean ratio to rocksdbjni: \\d+\\.\\d\\d");
        assertThat(rows).hasSize(1).allSatisfy(SuiteRun::requireSane);
        assertThat(rows.getFirst()).containsEntry("suite", "comparator").containsEntry("case", "get")
                .containsEntry("params", Map.of("keyBytes", 8, "valueBytes", 16, "keys", 100_000, "threads", 1));
        assertThat((String) rows.getFirst().get("peerName")).startsWith("rocksdbjni ").contains("direct buffers");
    }

    @Tag("nightly")
    @Test
    void measuresMergesOnTheRealEngine() throws IOException {
        List<Map<String, Object>> rows = measure("merge", "increment, then");

        assertThat(rows).hasSize(2).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("case", "increment, then compact")
                        .containsEntry("subject", "Java operator"));
        assertThat((String) rows.getFirst().get("peerName")).startsWith("rocksdbjni get + put");
        // A reference, not the peer: the geometric mean is that of the other row.
        assertThat(rows.getLast()).containsEntry("peerName", "C++ operator, by rocksdbjni");
        assertThat(lastLine()).isEqualTo(
                String.format(Locale.ROOT, "geomean ratio to rocksdbjni: %.2f", number(rows.getFirst(), "ratio")));
    }
}
