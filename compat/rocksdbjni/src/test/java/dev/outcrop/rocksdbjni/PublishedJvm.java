package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs a program of these tests with the published jar in another JVM, because one process cannot load two libraries. */
final class PublishedJvm {

    private PublishedJvm() {
    }

    /** The lines that it prints: keys, tabs, values. */
    static Map<String, String> run(Class<?> program, Path directory, String... arguments)
            throws IOException, InterruptedException {
        return run(System.getProperty("published.jar") + ":"
                + Path.of(program.getProtectionDomain().getCodeSource().getLocation().getPath()), program, directory,
                arguments);
    }

    /** The same for the classes of this module. */
    static Map<String, String> runOurs(Class<?> program, Path directory, String... arguments)
            throws IOException, InterruptedException {
        return run(System.getProperty("java.class.path"), program, directory, arguments);
    }

    private static Map<String, String> run(String classPath, Class<?> program, Path directory, String... arguments)
            throws IOException, InterruptedException {
        Path report = Files.createTempFile(directory, "report", ".tsv");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea",
                "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash", "-XX:+ErrorFileToStderr",
                "-Djava.io.tmpdir=" + directory, "--enable-native-access=ALL-UNNAMED", "-cp",
                classPath, program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectOutput(report.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        int exitCode = process.waitFor();
        List<String> printed = Files.readAllLines(report);
        assertThat(exitCode)
                .as(() -> "The last lines: " + printed.subList(Math.max(0, printed.size() - 3), printed.size()))
                .isZero();
        Map<String, String> lines = new TreeMap<>();
        for (String line : printed) {
            lines.put(line.substring(0, line.indexOf('\t')), line.substring(line.indexOf('\t') + 1));
        }
        return lines;
    }
}
