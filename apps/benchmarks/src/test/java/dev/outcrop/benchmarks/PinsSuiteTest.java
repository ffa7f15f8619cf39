package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("verify")
class PinsSuiteTest extends SuiteRun {
    @Test
    void measuresReadsBesidePinsAndDrawsThem() throws IOException {
        List<Map<String, Object>> rows = measure("pins", "80 KB", "--plots", directory.toString());

        assertThat(lastLine()).matches("geomean ratio to no budget: \\d+\\.\\d\\d");
        assertThat(rows).hasSize(2).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("case", "80 KB pinned").containsEntry("limit", null)
                        .containsEntry("params", Map.of("cacheBytes", 262_144, "pinnedBytes", 81_920, "heldMillis", 0,
                                "readBytes", 393_216, "valueBytes", 4096, "threads", 2)));
        assertThat(rows).extracting(row -> row.get("unit")).containsExactly("ns/op", "misses/100 op");
        assertThat(number(rows.getLast(), "ours")).isBetween(1.0, 100.0);
        for (String plot : List.of("pins-hits.png", "pins-time.png")) {
            requirePlot(plot);
        }
    }
}
