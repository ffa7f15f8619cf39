package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Behaviour at a terminal, which the program script of Linux makes. */
@Tag("verify")
class TerminalProcessTest {
    private static final int CTRL_C = 3;

    @TempDir
    private Path temporary;

    private static List<String> commands() {
        return Program.oneOrAll("queue append @", "db import @ --create", "pipe @ --create");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void ctrlCEndsWorkThatShowsItsProgressAsItEndsAnyOther(String command) throws Exception {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Path.of(path, "script").toFile().canExecute()) && new File("/proc/self").exists());
        List<Object> args = new ArrayList<>(Arrays.asList((Object[]) command.split(" ", -1)));
        args.replaceAll(arg -> arg.equals("@") ? temporary.resolve("data") : arg);
        Process process = CliJvm.jvm().option("-Doutcrop.terminals=out,err")
                .startedBy("env", "--default-signal=INT", "sh", "-c", "exec script -qefc \"$*\" /dev/null", "sh")
                .start(Main.class, args.toArray());
        StringBuilder shown = new StringBuilder();
        try (OutputStream keys = process.getOutputStream(); InputStream screen = process.getInputStream()) {
            keys.write("k\tv\n".getBytes(StandardCharsets.UTF_8));
            keys.flush();
            read(screen, shown, "0:0");
            keys.write(CTRL_C);
            keys.flush();
            read(screen, shown, null);
        }
        assertThat(Program.exitCode(process)).as(shown.toString()).isEqualTo(130);
        assertThat(shown.toString())
                .containsPattern(
                        "[\\r\\n]outcrop: interrupted: [01] (record|entry|entries|records) (is|are) [^\\r\\n]*[\\r\\n]+$");
    }

    /** Up to a text, or to the end. */
    private static void read(InputStream screen, StringBuilder shown, @Nullable String until) throws IOException {
        int from = shown.length();
        for (int next = screen.read(); next >= 0; next = screen.read()) {
            shown.append((char) next);
            if (until != null && shown.indexOf(until, from) >= 0) {
                return;
            }
        }
    }
}
