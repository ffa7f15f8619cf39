package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.net.URISyntaxException;
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

    /** Returns the directory for the files of a run. It is beside the classes, on the user's own disk, and a clean build deletes it. */
    public static Path work() throws IOException {
        try {
            Path classes = Path.of(Directories.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return Files.createDirectories(classes.resolveSibling("work")).toRealPath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The classes of the benchmarks are not in a file system", e);
        }
    }
}
