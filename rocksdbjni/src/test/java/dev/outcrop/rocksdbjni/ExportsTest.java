package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.NativeLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The functions that are called without an environment are those of the reviewed list, and the library has them. */
class ExportsTest {

    private static final Path LIST = Path.of("../codegen/facts/jni-exports.tsv");
    private static final Path SOURCES = Path.of("src/main/java/org/rocksdb");
    private static final Pattern CONSTANT = Pattern.compile("new Export\\(\\s*\"(\\w+)\",\\s*\"([^\"]+)\"\\)");
    private static final Pattern LINKED = Pattern.compile("\"(Java_org_rocksdb_\\w+)\"");
    /** Getters alike: the sources have one line for them. */
    private static final String COUNTERS = "Java_org_rocksdb_PerfContext_get";

    @Test
    void theSourcesHaveTheFunctionsOfTheList() throws IOException {
        String source = Files.readString(SOURCES.resolve("Exports.java"))
                + Files.readString(SOURCES.resolve("TransactionExports.java"));
        Map<String, String> called = new TreeMap<>();
        Set<String> linked = new TreeSet<>();
        for (Matcher found = CONSTANT.matcher(source); found.find();) {
            called.put("Java_org_rocksdb_" + found.group(1), found.group(2));
        }
        for (Matcher found = LINKED.matcher(source); found.find();) {
            linked.add(found.group(1));
        }
        Map<String, String> listed = new TreeMap<>();
        for (List<String> row : rows()) {
            if (linked.contains(row.getFirst())) {
                continue;
            }
            if (row.getFirst().startsWith(COUNTERS)) {
                assertThat(row.get(1)).isEqualTo("(J)J");
            } else {
                listed.put(row.getFirst(), row.get(1));
            }
        }
        assertThat(called).isEqualTo(listed).hasSizeGreaterThan(90);
        assertThat(rows().stream().map(List::getFirst)).containsAll(linked);
    }

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
