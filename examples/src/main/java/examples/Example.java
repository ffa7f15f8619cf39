package examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Shared parts of the examples, which your program does not need: a directory for their files, and a check of their outcome. */
final class Example {
    private Example() {
    }

    /** A new directory, which is deleted when the program ends. */
    static Path directory() {
        try {
            Path directory = Files.createTempDirectory("outcrop-example-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the program with exit code 1 if something is not as it should be. */
    static void check(boolean holds, String claim) {
        if (!holds) {
            throw new AssertionError("Not so: " + claim);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
