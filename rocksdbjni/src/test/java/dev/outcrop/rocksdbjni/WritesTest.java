package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes, batches and files do what they do with the published jar. */
@Tag("verify")
class WritesTest {

    @TempDir
    Path directory;

    @Test
    void writesDoWhatThePublishedOnesDo() throws Exception {
        Path there = Files.createDirectory(directory.resolve("published"));
        Path here = Files.createDirectory(directory.resolve("here"));
        Map<String, String> published = PublishedJvm.run(WritesReport.class, directory, there.toString());
        assertThat(published).hasSizeGreaterThan(70);
        Map<String, String> ours = WritesReport.report(here);
        assertThat(ours.keySet()).isEqualTo(published.keySet());
        Map<String, String> wrong = new TreeMap<>();
        published.forEach((key, value) -> {
            if (!value.equals(ours.get(key))) {
                wrong.put(key, "published " + value + ", here " + ours.get(key));
            }
        });
        assertThat(wrong).isEmpty();
    }
}
