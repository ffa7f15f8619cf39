package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slices, options and all reads give what the published jar gives; seen from a JVM that runs it. */
@Tag("verify")
class ReadsTest {

    /** Lines that differ on purpose, with why. */
    private static final Map<String, String> DIFFERENT = Map.of(
            "aggregated property rocksdb.block-cache-capacity", "C does not tell which families share a cache",
            "(get exists|buffers) positions?|may exist buffers? .* at 1",
            "the published methods do not find keys whose buffers do not begin at 0",
            "get .* into a slice of heap .*", "the published method asserts that arrays begin at 0",
            "sizes (by default|without files)", "the published method returns memory that nobody has written",
            "slice of a zero", "the published class writes a zero as two bytes");

    @TempDir
    Path directory;

    @Test
    void everyReadGivesWhatThePublishedOneGives() throws Exception {
        Map<String, String> published = PublishedJvm.run(ReadsReport.class, directory,
                directory.resolve("published").toString());
        Map<String, String> ours = ReadsReport.report(directory.resolve("ours"));
        assertThat(published).hasSizeGreaterThan(350);
        assertThat(ours.keySet()).isEqualTo(published.keySet());
        Map<String, String> wrong = new TreeMap<>();
        ours.forEach((key, value) -> {
            if (!value.equals(published.get(key)) && DIFFERENT.keySet().stream().noneMatch(key::matches)) {
                wrong.put(key, "published " + published.get(key) + ", here " + value);
            }
        });
        assertThat(wrong).isEmpty();
    }
}
