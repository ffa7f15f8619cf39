package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases tell of their levels what those of the published jar tell. */
@Tag("verify")
class LevelsTest {

    @TempDir
    Path directory;

    @Test
    void databasesTellOfTheirLevels() throws Exception {
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Path published = Files.createDirectory(directory.resolve("published"));

        assertThat(LevelsReport.report(ours))
                .isEqualTo(PublishedJvm.run(LevelsReport.class, directory, published.toString())).hasSize(6);
    }
}
