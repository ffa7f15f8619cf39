package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("verify")
class PinsSuiteTest extends SuiteRun {
    @Test
    void measuresReadsBesidePinsAndDrawsThem() throws IOException {
        Path json = directory.resolve("pins.json");

        assertThat(run("pins", "--only", "80 KB", "--json", json.toString(), "--plots", directory.toString()))
                .as(err.toString()).isZero();

        assertThat(out.toString().lines().toList().getLast()).matches("geomean ratio to no budget: \\d+\\.\\d\\d");
        List<Map<String, Object>> rows = rows(json);
        assertThat(rows).hasSize(2).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("case", "80 KB pinned").containsEntry("limit", null)
                        .containsEntry("params", Map.of("cacheBytes", 262_144, "pinnedBytes", 81_920, "heldMillis", 0,
                                "readBytes", 393_216, "valueBytes", 4096, "threads", 2)));
        assertThat(rows).extracting(row -> row.get("unit")).containsExactly("ns/op", "misses/100 op");
        assertThat(number(rows.getLast(), "ours")).isBetween(1.0, 100.0);
        for (String plot : List.of("pins-hits.png", "pins-time.png")) {
            BufferedImage image = ImageIO.read(directory.resolve(plot).toFile());
            assertThat(image.getWidth()).isGreaterThan(image.getHeight());
        }
    }
}
