package dev.outcrop.cli;

import dev.outcrop.cli.common.Directories;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the most common commands, so that the JVM sees which classes a start needs. The launcher makes the JVM keep these classes in a
 * cache, so that each start is faster.
 */
final class TrainingRun {
    private TrainingRun() {
    }

    /** Works in its own directory, and leaves nothing behind. */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createTempDirectory("outcrop-training");
        String data = directory.resolve("data").toString();
        try {
            for (List<String> command : List.of(List.of("--help"), List.of("--version"), List.of("db", "--help"),
                    List.of("db", "scan", "--help"), List.of("db", "gett"), List.of("queue", "--help"),
                    List.of("db", "put", data, "key", "value", "--create"), List.of("db", "get", data, "key"),
                    List.of("db", "scan", data, "--json"), List.of("db", "stats", data), List.of("db", "get", data))) {
                PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
                String[] words = command.toArray(String[]::new);
                int _ = Main.commandLine(words).setOut(nowhere).setErr(nowhere).execute(words);
            }
        } finally {
            Directories.delete(directory);
        }
    }
}
