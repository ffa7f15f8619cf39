package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tables of facts for tests. */
final class Tables {

    /** The table that the build of the product reads. */
    static final Path REAL = Path.of("facts", "rocksdb-c-api.tsv");

    /** The same for statistics. */
    static final Path STATISTICS = Path.of("facts", "rocksdb-statistics.tsv");

    private Tables() {
    }

    static Facts real() {
        try {
            return Facts.read(REAL);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A small table; columns are separated by two or more spaces. */
    static Facts of(String... rows) {
        try {
            Path file = Files.createTempFile("facts", ".tsv");
            try {
                Files.writeString(file, "version\t1.2.3\n" + String.join("\n", rows).replaceAll(" {2,}", "\t") + "\n");
                return Facts.read(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
