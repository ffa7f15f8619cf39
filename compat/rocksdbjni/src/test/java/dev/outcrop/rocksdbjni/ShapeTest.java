package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.codegen.orgrocksdb.Extract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The compiled classes declare what the published ones declare: the same program reads both. */
class ShapeTest {

    private static final Path ADDITIONS = Path.of("additions.tsv");

    @Test
    void theTableIsThatOfThePublishedJar() throws IOException {
        List<String> table = Files.readAllLines(Path.of(System.getProperty("published.table")));
        assertThat(Extract.rows(Path.of(System.getProperty("published.jar"))))
                .isEqualTo(table.subList(1, table.size()));
    }

    @Test
    void everyPublishedDeclarationIsHere() throws IOException {
        Set<String> missing = declarations(published());
        missing.removeAll(declarations(ours()));
        assertThat(missing).isEmpty();
    }

    @Test
    void classesOnlyHereAreListed() throws IOException {
        Set<String> added = declarations(ours());
        added.removeAll(declarations(published()));
        assertThat(added).containsExactlyElementsOf(
                Files.readAllLines(ADDITIONS).stream().filter(row -> !row.startsWith("#")).sorted().toList());
    }

    private static List<String> published() throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("published.table")));
    }

    private static List<String> ours() throws IOException {
        return Extract.rows(Path.of(System.getProperty("our.classes")), ShapeTest.class.getClassLoader());
    }

    /** The rows for what programs can name, each with its class; names of parameters do not matter. */
    private static Set<String> declarations(List<String> rows) {
        Set<String> declarations = new TreeSet<>();
        String type = "";
        for (String row : rows) {
            List<String> cells = new ArrayList<>(Arrays.asList(row.split("\t", -1)));
            if (cells.getFirst().equals("class")) {
                type = cells.get(1);
            } else if (cells.getFirst().equals("method")) {
                cells.removeLast();
                if (cells.get(2).equals("<init>") && !cells.get(1).matches(".*(public|protected).*")) {
                    continue;
                }
            }
            if (!cells.getFirst().equals("version")) {
                declarations.add(type + "\t" + String.join("\t", cells));
            }
        }
        return declarations;
    }
}
