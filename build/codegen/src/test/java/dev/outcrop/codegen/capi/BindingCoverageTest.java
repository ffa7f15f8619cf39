package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BindingCoverageTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void compileAnApi() throws IOException {
        Path capi = directory.resolve("CApi.java");
        Path api = directory.resolve("Db.java");
        Files.writeString(capi,
                "package dev.outcrop.rocksdb.engine.capi; public class CApi { public static void rocksdb_open() { } }");
        Files.writeString(api, "package dev.outcrop.rocksdb; public class Db { public static void open() {"
                + " dev.outcrop.rocksdb.engine.capi.CApi.rocksdb_open(); } }");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", directory.toString(),
                capi.toString(), api.toString())).isZero();
        Files.writeString(file("facts.tsv"), """
                version\t1.2.3
                opaque\trocksdb_t
                opaque\trocksdb_cache_t
                function\trocksdb_open\trocksdb_t *
                function\trocksdb_cache_size\tint\tconst rocksdb_cache_t *\tcache
                function\trocksdb_version\tint
                """);
        Files.writeString(file("reasons.tsv"), """
                never\trocksdb_cache_*\tno caches here
                later\trocksdb_version\tnot yet
                undeclared\trocksdb_secret\tno header declares it
                """);
    }

    @Test
    void writesWhatIsReachedFromWhereAndWhyTheRestIsNot() throws IOException {
        assertThat(run(true)).isEmpty();

        assertThat(file("document.md")).content().contains("exports 4 functions", "**1 of them, 25.0 %**",
                "| `rocksdb_open` | `Db.open` |", "| `rocksdb_cache_size` | – no caches here |",
                "| `rocksdb_secret` | – no header declares it |", "| 1 | not yet |",
                "| [`rocksdb_t`](#rocksdb_t) | 1 | 1 | 100 % |",
                "| [`rocksdb_cache_t`](#rocksdb_cache_t) | 1 | 0 | 0.0 % |", "### without a type\n");
        assertThat(run(false)).isEmpty();
    }

    @Test
    void failsIfTheDocumentIsMissingOrStale() throws IOException {
        assertThat(run(false)).singleElement().asString().contains("document.md is stale", BindingCoverage.REFRESH);
        assertThat(file("document.md")).doesNotExist();

        run(true);
        Files.writeString(file("document.md"), Files.readString(file("document.md")).replace("25.0", "95.0"));

        assertThat(run(false)).singleElement().asString().contains("document.md is stale");
    }

    @Test
    void failsIfTheReasonsDoNotFitEvenWhenItWrites() throws IOException {
        Files.writeString(file("reasons.tsv"), "never\trocksdb_open\tno\nlater\trocksdb_version\tnot yet\n");

        assertThat(run(true)).hasSize(2)
                .anySatisfy(fault -> assertThat(fault).contains("reasons.tsv", "rocksdb_open, reached now"))
                .anySatisfy(fault -> assertThat(fault).contains("rocksdb_cache_size is not reached"));
        assertThat(file("document.md")).content().contains("**no reason is given**");
    }

    private List<String> run(boolean write) throws IOException {
        return BindingCoverage.run(write, file("facts.tsv"), file("reasons.tsv"), List.of(directory),
                file("document.md"));
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}
