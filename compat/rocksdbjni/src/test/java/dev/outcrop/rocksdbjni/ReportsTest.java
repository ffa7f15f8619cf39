package dev.outcrop.rocksdbjni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls return what those of the published jar return, as a JVM that runs it reports. */
@Tag("verify")
class ReportsTest extends DatabaseTest {
    /** Lines of {@link Report#READS} that differ on purpose, with why. */
    private static final Map<String, String> DIFFERENT = Map.of(
            "(get exists|buffers) positions?|may exist buffers? .* at 1",
            "the published methods do not find keys whose buffers do not begin at 0",
            "get .* into a slice of heap .*", "the published method asserts that arrays begin at 0",
            "sizes (by default|without files)", "the published method returns unwritten memory",
            "slice of a zero", "the published class writes a zero as two bytes");

    @ParameterizedTest
    @EnumSource
    void ourReportIsThePublishedOne(Report report) throws Exception {
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Map<String, String> published = PublishedJvm.run(Report.class, directory, report.name(), theirs.toString());
        Map<String, String> here = report.run(ours);
        assertThat(published).hasSizeGreaterThan(report.lines);
        assertThat(here.keySet()).isEqualTo(published.keySet());
        Map<String, String> wrong = new TreeMap<>();
        here.forEach((key, value) -> {
            if (!value.equals(published.get(key))
                    && (report != Report.READS || DIFFERENT.keySet().stream().noneMatch(key::matches))) {
                wrong.put(key, "published " + published.get(key) + ", here " + value);
            }
        });
        assertThat(wrong).isEmpty();
    }
}
