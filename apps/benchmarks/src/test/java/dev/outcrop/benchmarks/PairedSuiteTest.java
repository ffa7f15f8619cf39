package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class PairedSuiteTest extends SuiteRun {
    @Test
    void measuresReadsOfOneValueAndDrawsThem() throws IOException {
        List<Map<String, Object>> rows = measure("paired", "random keys of 16 B, 64 KB", "--seed", "7",
                "--plots", directory.toString());

        assertThat(lastLine()).matches("geomean ratio to rocksdbjni: \\d+\\.\\d\\d");
        assertThat(out.toString()).contains("--seed 7");
        assertThat(rows).extracting(row -> row.get("subject")).containsExactly("byte[]", "preallocated byte[]",
                "direct buffer", "segment", "pinned", "pinned callback", "hybrid", "segment, touched",
                "pinned, touched", "hybrid, touched", "pinned vs segment", "pinned vs segment, touched",
                "hybrid vs best half");
        assertThat(rows).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("case", "random keys of 16 B").containsEntry("params",
                        Map.of("valueBytes", 65_536, "keyBytes", 16, "keys", 200, "threads", 1, "families", 0)));
        assertThat(rows.getFirst()).containsEntry("peerName", "rocksdbjni byte[]");
        assertThat(number(rows.getFirst(), "bytesPerOp")).isGreaterThan(65_536);
        assertThat(rows.get(10)).containsEntry("peerName", "outcrop segment");
        requirePlot("paired-crossover.png");
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(strings = {"fresh key", "hot key", "random keys of 128 B, 16 B", "random keys of 128 B among",
            "2 threads, 1 KB"})
    void measuresReadsOfOneValue(String only) throws IOException {
        List<Map<String, Object>> rows = measure("paired", only);

        assertThat(rows).hasSize(13).allSatisfy(SuiteRun::requireSane);
    }

    @Test
    void measuresAscendingKeysInThePublishedShape() throws IOException {
        // C fails if it reads other keys than Java.
        List<Map<String, Object>> rows = measure("paired", "ascending keys of 128 B among 1,000");

        assertThat(rows).hasSize(13).allSatisfy(SuiteRun::requireSane).allSatisfy(row -> assertThat(row)
                .containsEntry("label", "ascending keys of 128 B among 1,000, 4 KB").containsEntry("params",
                        Map.of("valueBytes", 4096, "keyBytes", 128, "keys", 248, "threads", 1, "families", 0)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            put, WAL off, 2 threads            | put, WAL off                       | byte[]; segment
            """)
    void measuresInOneProcess(String only, String name, String subjects) throws IOException {
        List<Map<String, Object>> rows = measure("paired", only);

        assertThat(rows.stream().map(row -> String.valueOf(row.get("subject"))).collect(Collectors.joining("; ")))
                .isEqualTo(subjects);
        assertThat(rows).allSatisfy(SuiteRun::requireSane).allSatisfy(row -> assertThat(row)
                .containsEntry("suite", "paired").containsEntry("case", name).containsEntry("unit", "ns/op"));
        assertThat(rows).allSatisfy(row -> assertThat((String) row.get("peerName")).startsWith("rocksdbjni "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            full scan, 16 B                    | full scan                          | callback; iterator, copying; iterator, segments
            range of 100                       | range of 100                       | callback; iterator, copying; iterator, segments
            100 keys of the default            | 100 keys of the default family     | pinned; slab; list; slab vs direct buffer; pinned; slab; list; slab vs direct buffer
            batch of 1,000, build + write, WAL off, 100 B | batch of 1,000, build + write, WAL off | byte[]; segment
            reverse scan                       | reverse scan                       | callback; iterator, copying; iterator, segments
            seek only                          | seek only                          | segment
            100 keys of one named              | 100 keys of one named family       | pinned; slab; list; slab vs direct buffer
            random ones of 20                  | 100 keys of random ones of 20 families | pinned; slab; list; slab vs direct buffer
            put, WAL off, 100 B                | put, WAL off                       | byte[]; segment
            batch of 10, build + write, WAL off, 2 threads | batch of 10, build + write, WAL off | byte[]; segment
            batch of 1,000, build, 100 B       | batch of 1,000, build              | byte[]; segment
            """)
    @Tag("nightly")
    void measuresMoreInOneProcess(String only, String name, String subjects) throws IOException {
        measuresInOneProcess(only, name, subjects);
    }
}
