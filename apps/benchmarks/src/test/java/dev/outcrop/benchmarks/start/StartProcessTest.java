package dev.outcrop.benchmarks.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("verify")
class StartProcessTest {
    @TempDir
    Path directory;

    @Test
    void measuresTimeAndMemoryAtTheFirstLine() throws IOException {
        ProcessOutput output = start("System.out.println(7); System.in.read();", "7", null);

        assertThat(Objects.requireNonNull(output.samples().get(ProcessOutput.TIME)).values().getFirst())
                .isGreaterThan(1e6);
        assertThat(Objects.requireNonNull(output.samples().get(StartProcess.RESIDENT)).values().getFirst())
                .isGreaterThan(1e7);
    }

    @Test
    void aProgramThatReadsAnotherValueOrEndsBadlyIsAnErrorWithItsOutput() {
        assertThatThrownBy(() -> start("System.out.println(8);", "7", null)).isInstanceOf(BenchmarkException.class)
                .hasMessageStartingWith("The program has printed 8 instead of 7 and ended with exit code 0");
        assertThatThrownBy(() -> start("System.err.println(\"why\"); System.exit(3);", "7", null))
                .isInstanceOf(BenchmarkException.class)
                .hasMessage("The program has printed null instead of 7 and ended with exit code 3: why");
        assertThatThrownBy(() -> start("System.out.println(7); System.in.read(); System.exit(3);", "7", null))
                .isInstanceOf(BenchmarkException.class).hasMessageContaining("exit code 3");
    }

    @Test
    void aDirectoryThatIsToBeFreshIsDeletedBefore() throws IOException {
        Path fresh = Files.createDirectory(directory.resolve("fresh"));
        Files.createFile(fresh.resolve("left"));

        start("System.out.println(new java.io.File(\"" + fresh + "\").exists()); System.in.read();", "false", fresh);
    }

    private ProcessOutput start(String statements, String expected, @Nullable Path fresh) throws IOException {
        Path source = Files.writeString(directory.resolve("Program.java"),
                "void main() throws java.io.IOException { " + statements + " }");
        return new StartProcess(List.of(source.toString()), expected, directory.resolve("errors"), fresh).start(1);
    }
}
