package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.NativeLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The library has the functions that are called without an environment, and the reviewed list gives reasons for each. */
class ExportsTest {

    private static final Path LIST = Path.of("../../build/codegen/facts/jni-exports.tsv");

    @Test
    void theLibraryHasThem() throws IOException {
        for (List<String> row : rows()) {
            assertThat(NativeLibraries.rocksdb().find(row.getFirst())).as(row.getFirst()).isPresent();
        }
    }

    @Test
    void eachRowGivesItsReasons() throws IOException {
        for (List<String> row : rows()) {
            assertThat(row).as(row.getFirst()).hasSize(4).doesNotContain("");
        }
    }

    private static List<List<String>> rows() throws IOException {
        return Files.readAllLines(LIST).stream().filter(row -> !row.startsWith("#"))
                .map(row -> List.of(row.split("\t", -1))).toList();
    }
}
