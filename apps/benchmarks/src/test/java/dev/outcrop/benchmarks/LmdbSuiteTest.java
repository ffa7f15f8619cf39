package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.benchmarks.harness.RunLength;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class LmdbSuiteTest extends SuiteRun {
    /** The sides fail if they do not read the same, and the second start if it finds the records of the first. */
    @Test
    void measuresGets() throws IOException {
        List<Map<String, Object>> rows = measure(new RunLength(true, 4, 1, 1, Duration.ofMillis(5), 1 << 20),
                "lmdb", "get in memory, 1 KB");

        assertThat(rows).allSatisfy(SuiteRun::requireSane).extracting(row -> row.get("subject")).containsExactly(
                "pinned",
                "segment", "pinned vs renewed transaction");
        assertThat(rows.getFirst()).containsEntry("suite", "lmdb")
                .containsEntry("params", Map.of("valueBytes", 1024, "keyBytes", 16, "keys", 1008));
        assertThat(rows.getLast()).containsEntry("peerName", "LMDB renewed transaction");
        assertThat(lastLine()).matches("geomean ratio to LMDB: \\d+\\.\\d\\d");
        assertThat(directory.resolve("data.lmdb")).doesNotExist();
    }

    @Tag("nightly")
    @Test
    void measuresScans() throws IOException {
        assertThat(measure("lmdb", "scan in memory, 1 KB")).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("subject", "callback").containsEntry("peerName",
                        "LMDB cursor"));
    }
}
