package dev.outcrop.rocksdb.engine.capi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The table that the binding is generated from, as tests read it. */
final class FactsTable {
    private static final Path FILE = Path.of("..", "..", "build", "codegen", "facts", "rocksdb-c-api.tsv");

    private FactsTable() {
    }

    /** The cells of all rows of one kind, without the kind. */
    static List<List<String>> rows(String kind) {
        try {
            return Files.readAllLines(FILE).stream().map(row -> List.of(row.split("\t", -1)))
                    .filter(cells -> cells.getFirst().equals(kind)).map(cells -> cells.subList(1, cells.size()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
