package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes directories. */
public final class Directories {
    private Directories() {
    }

    /** Deletes a directory with all its contents, if it exists. */
    public static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new BenchmarkException("Cannot delete " + directory + ": " + e, e);
        }
    }
}
