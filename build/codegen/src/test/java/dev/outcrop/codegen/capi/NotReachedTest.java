package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotReachedTest {

    private static final Set<String> FUNCTIONS = Set.of("rocksdb_put", "rocksdb_put_cf", "rocksdb_putv", "rocksdb_get");

    @TempDir
    private Path directory;

    @Test
    void takesTheLongestNameAndNeverBeforeLater() throws IOException {
        NotReached table = table("# remark", "", "later  rocksdb_put_cf  soon", "later  rocksdb_*  not yet",
                "never  rocksdb_put*  no", "never  rocksdb_putv  no vectors", "undeclared  rocksdb_secret  no header");

        assertThat(table.reason("rocksdb_get")).contains("not yet");
        assertThat(table.reason("rocksdb_put_cf")).contains("no");
        assertThat(table.reason("rocksdb_putv")).contains("no vectors");
        assertThat(table.undeclared()).containsOnlyKeys("rocksdb_secret").containsValue("no header");
        assertThat(table.faults(FUNCTIONS, Set.of("rocksdb_get"))).isEmpty();
    }

    @Test
    void findsFunctionsWithoutAReason() throws IOException {
        assertThat(table("never  rocksdb_putv  no").faults(FUNCTIONS, Set.of("rocksdb_put", "rocksdb_put_cf")))
                .singleElement().asString().contains("rocksdb_get is not reached");
    }

    @Test
    void findsReasonsThatAreNoLongerTrueAndRowsForNothing() throws IOException {
        NotReached table = table("later  rocksdb_*  not yet", "never  rocksdb_put*  no", "never  rocksdb_putv  why not",
                "never  rocksdb_gone  no", "undeclared  rocksdb_get  no");

        assertThat(table.faults(FUNCTIONS, Set.of("rocksdb_putv", "rocksdb_put_cf", "rocksdb_get")))
                .satisfiesExactlyInAnyOrder(
                        fault -> assertThat(fault).contains("'no'", "rocksdb_put_cf").doesNotContain("rocksdb_putv"),
                        fault -> assertThat(fault).contains("'why not'", "rocksdb_putv"),
                        fault -> assertThat(fault).contains("no function is called rocksdb_gone"),
                        fault -> assertThat(fault).contains("rocksdb_get is declared after all"));
    }

    @Test
    void namesTheRowThatItCannotRead() {
        assertThatThrownBy(() -> table("never  rocksdb_put  no", "maybe  rocksdb_get  no"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(".tsv:2:")
                .hasMessageContaining("maybe");
        assertThatThrownBy(() -> table("never  rocksdb_put")).hasMessageContaining(".tsv:1:");
    }

    private NotReached table(String... rows) throws IOException {
        Path file = directory.resolve("not-reached.tsv");
        Files.writeString(file, String.join("\n", rows).replaceAll(" {2,}", "\t") + "\n");
        return NotReached.read(file);
    }
}
