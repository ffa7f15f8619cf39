package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("nightly")
@Execution(ExecutionMode.CONCURRENT)
class JRubySuiteTest extends SuiteRun {
    @Test
    void measuresGroupsInRubyAndDrawsThem() throws IOException {
        List<Map<String, Object>> rows = measureRuby("groups", "jruby-groups.png");

        assertThat(lastLine()).matches("geomean ratio to Ruby's: \\d+\\.\\d\\d");
        assertThat(rows).allSatisfy(SuiteRun::requireSane).extracting(row -> row.get("params")).containsExactly(
                Map.of("groups", "1"), Map.of("groups", "2"), Map.of("groups", "4"), Map.of("groups", "8"));
    }

    @Test
    void measuresHeadAndTailAgainstLru() throws IOException {
        List<Map<String, Object>> rows = measureRuby("head and tail", "jruby-cache.png");

        assertThat(rows).hasSize(3 * 4 * 4).allSatisfy(SuiteRun::requireSane);
        assertThat(rows.subList(0, 4)).extracting(row -> row.get("subject")).containsExactly("head and tail",
                "LRU of 2", "LRU of 4", "LRU of 16");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void everyWaitForASlowDiskTakesLonger() throws IOException {
        List<Map<String, Object>> rows = measureRuby("slow disk", "jruby-seek.png");

        Map<String, Double> slow = rows.stream().filter(row -> Map.of("seek", "10 ms").equals(row.get("params")))
                .collect(Collectors.toMap(row -> (String) row.get("subject"), row -> number(row, "ours")));
        // Never less than was slept: once for a record in a log, and for a page and its metadata.
        assertThat(slow.get("Outcrop::Queue, every_push")).isGreaterThan(10_000_000);
        assertThat(slow.get("Mmap::Queue, forced every push")).isGreaterThan(20_000_000);
        assertThat(slow.get("Mmap::Queue, forced every 100")).isGreaterThan(200_000);
    }

    @Test
    void showsWhatAPowerCutLeaves() throws IOException {
        List<Map<String, Object>> rows = measureRuby("order of page and metadata", "jruby-order.png");

        assertThat(rows).allSatisfy(SuiteRun::requireSane).extracting(row -> row.get("subject")).containsExactly(
                "page, then metadata", "metadata, then page", "both at once, two files", "both at once, one file",
                "only the page");
        String found = "power cut: the start of a page used again; on the disk: ";
        String forced = "forced 1019 of 1019, pushed 0 of 10, torn 0, popped before ";
        assertThat(out.toString()).contains(found + "the page: " + forced + "0",
                found + "the metadata: " + forced + "10",
                "power cut: the start of a new page; on the disk: the metadata: forced 63 of 63, pushed 0 of 10, torn 0, popped before 0");
    }

    private List<Map<String, Object>> measureRuby(String only, String plot) throws IOException {
        List<Map<String, Object>> rows = measure("jruby", only, "--plots", directory.toString());
        assumeThat(out.toString()).as("a C compiler").doesNotContain("not measured");
        requirePlot(plot);
        return rows;
    }
}
