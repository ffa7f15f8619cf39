package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The package holds public types; their implementation is in the engine, except for a few package-private classes. */
class PackagePrivateTypesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/outcrop/rocksdb");

    @Test
    void areFew() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            List<String> names = files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> !name.equals("package-info") && !isPublic(name)).sorted().toList();
            assertThat(names).hasSizeLessThanOrEqualTo(25);
        }
    }

    private static boolean isPublic(String name) {
        try (Stream<String> lines = Files.lines(SOURCES.resolve(name + ".java"))) {
            return lines.anyMatch(line -> line.startsWith("public ") && line.matches(".*\\b" + name + "\\b.*"));
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }
}
