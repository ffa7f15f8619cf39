package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs a program of these tests with the published jar, in a JVM of its own: two libraries must not be loaded into one process. */
final class PublishedJvm {

    private PublishedJvm() {
    }

    /** The lines that it prints: keys, tabs, values. */
    static Map<String, String> run(Class<?> program, Path directory, String... arguments)
            throws IOException, InterruptedException {
        Path report = Files.createTempFile(directory, "report", ".tsv");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea",
                "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + directory, "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("published.jar") + ":"
                        + Path.of(program.getProtectionDomain().getCodeSource().getLocation().getPath()),
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectOutput(report.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertThat(process.waitFor()).isZero();
        Map<String, String> lines = new TreeMap<>();
        for (String line : Files.readAllLines(report)) {
            lines.put(line.substring(0, line.indexOf('\t')), line.substring(line.indexOf('\t') + 1));
        }
        return lines;
    }
}
