package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class StartSuiteTest extends SuiteRun {
    private static final double MEGABYTE = 1 << 20;

    /** The programs fail if they read another value. */
    @Test
    void measuresStartsFromTheClassPath() throws IOException {
        List<Map<String, Object>> rows = measure("start", "class path, no AOT");

        requireRows(rows, "class path, no AOT cache", "bytes of jars");
        requireSizes(rows);
        assertThat(lastLine()).matches("geomean ratio to rocksdbjni: \\d+\\.\\d\\d");
    }

    /** They fail, too, if they cannot use the AOT cache. */
    @Tag("nightly")
    @Test
    void measuresStartsFromTheClassPathWithAnAotCache() throws IOException {
        List<Map<String, Object>> rows = measure("start", "class path, AOT");

        requireRows(rows, "class path, AOT cache", "bytes of AOT cache");
        assertThat(rows.getLast()).satisfies(row -> assertThat(number(row, "ours")).isGreaterThan(MEGABYTE));
    }

    @Tag("nightly")
    @Test
    void measuresStartsThatUnpackTheLibrary() throws IOException {
        requireRows(measure("start", "nothing unpacked"), "class path, nothing unpacked yet", null);
    }

    @Tag("nightly")
    @Test
    void measuresStartsFromAFatJar() throws IOException {
        List<Map<String, Object>> rows = measure("start", "fat jar, no AOT");

        requireRows(rows, "fat jar, no AOT cache", "bytes of jars");
        requireSizes(rows);
        requireRows(measure("start", "fat jar, AOT"), "fat jar, AOT cache", "bytes of AOT cache");
    }

    private static void requireRows(List<Map<String, Object>> rows, String label, @Nullable String size) {
        List<String> units = new ArrayList<>(List.of("ns/op", "bytes resident"));
        if (size != null) {
            units.add(size);
        }
        assertThat(rows).extracting(row -> row.get("subject") + ": " + row.get("unit")).containsExactlyElementsOf(units
                .stream().flatMap(unit -> Stream.of("own API: " + unit, "drop-in: " + unit)).toList());
        assertThat(rows).allSatisfy(SuiteRun::requireSane).allSatisfy(row -> assertThat(row)
                .containsEntry("suite", "start").containsEntry("peerName", "rocksdbjni")
                .containsEntry("label", "start, " + label));
        // No JVM starts in a millisecond, or runs RocksDB in 10 MB.
        assertThat(rows.subList(0, 2)).allSatisfy(row -> assertThat(number(row, "ours")).isGreaterThan(1e6));
        assertThat(rows.subList(2, 4)).allSatisfy(row -> assertThat(number(row, "ours"))
                .isGreaterThan(10 * MEGABYTE));
    }

    /** One library of a platform, compressed, and 15 of them. */
    private static void requireSizes(List<Map<String, Object>> rows) {
        assertThat(rows.subList(4, 6)).allSatisfy(row -> {
            assertThat(number(row, "ours")).isBetween(4 * MEGABYTE, 20 * MEGABYTE);
            assertThat(number(row, "peer")).isGreaterThan(60 * MEGABYTE);
        });
    }
}
