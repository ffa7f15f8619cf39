package dev.outcrop.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.CliJvm;
import dev.outcrop.cli.Main;
import dev.outcrop.cli.Program;
import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo in a process of its own. */
@Tag("verify")
class DemoProcessTest {
    @TempDir
    private Path temporary;

    @Test
    void ctrlCLeavesNoProcessAndNoFile() throws Exception {
        Path directory = temporary.resolve("demo");
        int exit = interrupt(directory);
        while (exit == 0) {
            // On a busy machine it was done before the signal came.
            exit = interrupt(directory);
        }
        assertThat(exit).isEqualTo(130);
    }

    private static int interrupt(Path directory) throws Exception {
        Process demo = CliJvm.jvm().startedBy("env", "--default-signal=INT").start(Main.class, "demo",
                "--no-peer", "--dir", directory);
        try (BufferedReader lines = demo.inputReader()) {
            String line = lines.readLine();
            while (line != null && !line.contains("kill -9")) {
                line = lines.readLine();
            }
            assertThat(line).isNotNull();
            List<ProcessHandle> children = demo.descendants().toList();
            // Only the demo itself gets the signal.
            new ProcessBuilder("kill", "-INT", Long.toString(demo.pid())).start().waitFor();
            assertThat(ChildJvm.awaitEnd(demo)).isTrue();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
        }
        assertThat(directory).doesNotExist();
        return demo.exitValue();
    }

    @Test
    @Tag("nightly")
    void aClosedPipeEndsItQuietly() throws Exception {
        Path directory = temporary.resolve("demo");
        Process demo = CliJvm.jvm().start(Main.class, "demo", "--no-peer", "--limit", 3000, "--dir", directory);
        try (BufferedReader lines = demo.inputReader()) {
            assertThat(lines.readLine()).contains("3,000 class files");
        }
        assertThat(Program.exitCode(demo)).isZero();
        assertThat(directory).doesNotExist();
    }
}
