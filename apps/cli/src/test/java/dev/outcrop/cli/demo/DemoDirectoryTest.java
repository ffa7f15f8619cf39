package dev.outcrop.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.cli.common.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoDirectoryTest {
    @TempDir
    private Path temporary;

    @Test
    void createsTheDirectoryAndTakesItAwayAgain() throws IOException {
        Path target = temporary.resolve("a").resolve("b");
        for (int i = 0; i < 2; i++) {
            try (DemoDirectory directory = DemoDirectory.claim(target)) {
                Files.writeString(directory.newRun(false).resolve("data"), "x");
            }
            assertThat(target).doesNotExist();
        }
    }

    @Test
    void leavesADirectoryThatWasThereEmpty() throws IOException {
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            Files.writeString(directory.newRun(false).resolve("data"), "x");
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void leavesEvidenceUntilTheNextRun() throws IOException {
        Path evidence;
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            evidence = Files.writeString(directory.newRun(false).resolve("data"), "x");
            directory.keepLast();
        }
        assertThat(evidence).exists();
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            assertThat(directory.newRun(false)).isEmptyDirectory();
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void refusesADirectoryThatIsNotItsOwn() throws IOException {
        Path mine = Files.writeString(temporary.resolve("mine"), "x");
        assertThatThrownBy(() -> DemoDirectory.claim(temporary)).isInstanceOf(Failure.class)
                .hasMessageContaining(temporary.toString()).hasMessageContaining("--dir");
        assertThat(mine).hasContent("x");
        assertThat(temporary.toFile().list()).containsExactly("mine");
    }

    @Test
    void refusesAFile() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "x");
        assertThatThrownBy(() -> DemoDirectory.claim(file)).isInstanceOf(Failure.class)
                .hasMessageContaining(file.toString());
        assertThat(file).hasContent("x");
    }

    @Test
    void aNewRunReplacesTheLastAndWhateverAKilledOneLeft() throws IOException {
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            Path half = directory.newRun(false);
            Files.createDirectories(half.resolve("outcrop"));
            Files.writeString(half.resolve("outcrop").resolve("CURRENT"), "half");
            directory.keepLast();
        }
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            assertThat(directory.newRun(false)).isEmptyDirectory();
        }
    }

    @Test
    void keepDeletesNothingAndIsNotDeleted() throws IOException {
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            Path last = Files.writeString(directory.newRun(false).resolve("data"), "last");
            Path kept = Files.writeString(directory.newRun(true).resolve("data"), "kept");
            assertThat(last).hasContent("last");
            directory.newRun(false);
            assertThat(last).doesNotExist();
            assertThat(kept).hasContent("kept");
        }
    }

    @Test
    void deletesALinkAndNotWhatItPointsTo() throws IOException {
        Path outside = Files.writeString(Files.createDirectory(temporary.resolve("outside")).resolve("file"), "x");
        Path target = temporary.resolve("target");
        try (DemoDirectory directory = DemoDirectory.claim(target)) {
            Files.createSymbolicLink(directory.newRun(false).resolve("link"), outside.getParent());
            directory.newRun(false);
        }
        assertThat(outside).hasContent("x");
    }

    @Test
    void saysHowMuchSpaceIsMissing() {
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            directory.requireSpace(1);
            assertThatThrownBy(() -> directory.requireSpace(Long.MAX_VALUE)).isInstanceOf(Failure.class)
                    .hasMessageContaining(temporary.toString()).hasMessageContaining("--dir");
        }
    }
}
