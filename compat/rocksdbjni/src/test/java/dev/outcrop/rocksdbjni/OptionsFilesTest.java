package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** RocksDB gets from our options what it gets from the published ones: it writes the same options file. */
@Tag("verify")
class OptionsFilesTest extends DatabaseTest {
    /** Each build tries one value of an option of so many. */
    private static final int STRIDE = TestSize.choose("outcrop.options.stride", 4, 1);

    @Test
    void theSameOptionsFileIsWritten() throws Exception {
        int first = Math.floorMod(TestSize.seed(getClass()), STRIDE);
        Map<String, String> published = PublishedJvm.run(OptionsFiles.class, directory, directory.toString(),
                Integer.toString(first), Integer.toString(STRIDE));
        Map<String, String> ours = OptionsFiles.report(directory, first, STRIDE);
        assertThat(published).hasSizeGreaterThan(250 / STRIDE);
        assertThat(ours.keySet()).isEqualTo(published.keySet());
        Map<String, String> wrong = new TreeMap<>();
        ours.forEach((change, lines) -> {
            // docs/org-rocksdb-coverage.md lists what is refused
            if (!lines.equals(published.get(change)) && !lines.contains("UnsupportedOperationException")) {
                wrong.put(change, "published " + published.get(change) + ", here " + lines);
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(ours.values().stream().filter(line -> line.contains("UnsupportedOperationException")))
                .hasSizeLessThan(20);
        assertThat(Files.exists(directory.resolve("options"))).isFalse();
    }
}
