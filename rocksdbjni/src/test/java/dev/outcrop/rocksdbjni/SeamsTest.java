package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** At the seams between Java, texts and native objects, everything is as with the published jar; seen from a JVM that runs it. */
@Tag("verify")
class SeamsTest {

    @TempDir
    Path directory;

    @Test
    void theSameComesOfEverything() throws Exception {
        Map<String, String> published = PublishedJvm.run(SeamsReport.class, directory,
                directory.resolve("published").toString());
        assertThat(published).hasSizeGreaterThan(200);
        assertThat(SeamsReport.report(directory.resolve("ours"))).isEqualTo(published);
    }
}
