package dev.outcrop.cli.db;

import static dev.outcrop.cli.Program.fails;
import static dev.outcrop.cli.Program.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.Program;
import dev.outcrop.cli.Program.Run;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of databases and of their entries, sizes, options, damage. */
class DbCopiesTest {
    private static final String ENTRIES = "\\x00\\xff\t1\na\t2\\n\nb\tü\n";

    @TempDir
    private Path temporary;

    @BeforeEach
    void fill() {
        Run run = Program.runWith(new String(ENTRIES.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1),
                "db", "import", data(), "--create");
        assertThat(run.out()).isEqualTo("3 entries are stored\n");
    }

    private Path data() {
        return path("data");
    }

    private Path path(String name) {
        return temporary.resolve(name);
    }

    @Test
    void aCheckpointIsADatabase() {
        assertThat(ok("db", "checkpoint", data(), path("copy"))).contains("is a copy of");
        assertThat(ok("db", "scan", path("copy"))).isEqualTo(ENTRIES);
        fails(1, "exists; name a directory that does not", "db", "checkpoint", data(), path("copy"));
        fails(1, path("no").toString(), "db", "checkpoint", data(), path("no").resolve("copy"));
    }

    @Test
    void backupsAreMadeListedAndRestored() throws IOException {
        assertThat(ok("db", "backup", data(), path("backups"))).contains("backup 1 of");
        ok("db", "put", data(), "later", "x");
        ok("db", "backup", data(), path("backups"));
        assertThat(ok("db", "restore", path("backups"), "--list").lines()).hasSize(3)
                .startsWith("number\ttime\tbytes\tfiles")
                .allMatch(line -> line.matches("number.*|[12]\t\\d{4}-.*Z\t\\d+\t\\d+"));
        assertThat(ok("db", "restore", path("backups"), "--list", "--json")).startsWith("{\"id\":1,\"time\":\"");
        ok("db", "restore", path("backups"), path("first"), "--id", "1");
        assertThat(ok("db", "scan", path("first"))).isEqualTo(ENTRIES);
        fails(1, "give --replace", "db", "restore", path("backups"), path("first"));
        ok("db", "restore", path("backups"), path("first"), "--replace");
        assertThat(ok("db", "get", path("first"), "later")).isEqualTo("x\n");
        fails(1, "There is no backup 7", "db", "restore", path("backups"), path("seventh"), "--id", "7");
        assertThat(ok("db", "backup", data(), path("backups"), "--keep", "1", "--json")).isEqualTo(
                "{\"path\":\"" + data() + "\",\"backups\":\"" + path("backups") + "\",\"backup\":3}\n");
        assertThat(ok("db", "restore", path("backups"), "--list")).contains("\n3\t").hasLineCount(2);

        Path other = Files.createDirectory(path("other"));
        Files.writeString(other.resolve("letter.txt"), "text");
        fails(1, "holds other files", "db", "backup", data(), other);
        fails(1, "holds files, but no database", "db", "restore", path("backups"), other, "--replace");
        fails(1, "in the database's own directory", "db", "backup", data(), data().resolve("backups"));
        assertThat(other.resolve("letter.txt")).hasContent("text");
    }

    @Test
    void whatIsExportedIsImported() throws IOException {
        assertThat(ok("db", "export", data())).isEqualTo(ENTRIES);
        for (List<String> format : List.of(List.<String>of(), List.of("--json"), List.of("--hex"),
                List.of("--base64", "--json"), List.of("--sst"))) {
            Path file = path("entries" + String.join("", format));
            Path copy = path("copy" + String.join("", format));
            Object[] exporting = Stream.concat(Stream.of("db", "export", data(), file), format.stream()).toArray();
            assertThat(ok(exporting)).contains("3 entries are in " + file);
            Object[] importing = Stream.concat(Stream.of("db", "import", copy, file, "-f", "users"), format.stream())
                    .toArray();
            fails(1, "there is no directory " + copy + "; give the directory of a database, or --create",
                    importing);
            ok(Stream.concat(Stream.of(importing), Stream.of("--create")).toArray());
            assertThat(ok("db", "scan", copy, "-f", "users")).isEqualTo(ENTRIES);
            fails(1, file + " exists", exporting);
        }
        assertThat(ok("db", "export", data(), path("one"), "--prefix", "a")).startsWith("1 entry is in");
        fails(1, "there are no entries", "db", "export", data(), path("none"), "--sst", "--prefix", "x");
        assertThat(path("none")).doesNotExist();
        fails(1, "cannot write " + path("no"), "db", "export", data(), path("no").resolve("file"));
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).noneMatch(file -> file.toString().endsWith(".partial"));
        }
    }

    @Test
    void wrongInputIsNamedWithItsLine() {
        Run run = Program.runWith("x\t1\ny\t2\nno tab\nz\t3\n", "db", "import", data());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("line 3 of the standard input: there is no tab", "; stored before it: 2 entries")
                .hasLineCount(1);
        assertThat(ok("db", "get", data(), "y")).isEqualTo("2\n");
        for (String line : List.of("[1]", "{\"key\":\"a\"}", "{\"key\":1,\"value\":\"b\"}", "{", "", "null")) {
            run = Program.runWith(line + "\n", "db", "import", data(), "--json");
            assertThat(run.code()).as(line).isEqualTo(1);
            assertThat(run.err()).contains("line 1 of the standard input: it ").hasLineCount(1);
        }
        fails(1, "cannot read " + path("no"), "db", "import", data(), path("no"));
        fails(1, "cannot read " + temporary, "db", "import", data(), temporary);
        fails(1, "CURRENT", "db", "import", data(), data().resolve("CURRENT"), "--sst");
    }

    @Test
    void statsAndPropertiesTellSizes() {
        ok("db", "compact", data());
        String stats = ok("db", "stats", data());
        assertThat(stats).contains("database    " + realPath(), "sequence    3\n", "files       1 of ");
        assertThat(stats.lines().map(line -> line.replaceAll("[ |]+", " ").strip()))
                .anyMatch(line -> line.matches("default 3 0 [\\d,]+ 1 [\\d,]+ L\\d: [\\d,]+"));
        assertThat(ok("db", "stats", data(), "--json")).contains("\"sequenceNumber\":3", "\"estimatedKeys\":3");
        assertThat(ok("db", "properties", data())).contains("rocksdb.estimate-num-keys\t3\n");
        assertThat(ok("db", "properties", data(), "estimate-num-keys")).isEqualTo("3\n");
        assertThat(ok("db", "properties", data(), "rocksdb.levelstats")).contains("Level Files");
        assertThat(ok("db", "properties", data(), "estimate-num-keys", "--json"))
                .isEqualTo("{\"rocksdb.estimate-num-keys\":3}\n");
        fails(1, "no property rocksdb.nonsense", "db", "properties", data(), "nonsense");
        fails(1, "no column family 'x'", "db", "properties", data(), "-f", "x");
    }

    private Path realPath() {
        try {
            return data().toRealPath();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void compactingLeavesOneFileALevel() {
        for (int i = 0; i < 3; i++) {
            ok("db", "put", data(), "k", i);
        }
        assertThat(ok("db", "compact", data())).startsWith("default\t").contains("bytes before");
        assertThat(ok("db", "compact", data(), "-f", "default", "--prefix", "a")).startsWith("default\t");
        assertThat(ok("db", "stats", data(), "--json")).contains("\"files\":1,");
        assertThat(ok("db", "count", data())).isEqualTo("4\n");
        fails(1, "no column family 'x'", "db", "compact", data(), "-f", "x");
    }

    @Test
    void optionsAreShownAndCompared() {
        assertThat(ok("db", "options", data())).contains("[DBOptions]\n", "[CFOptions \"default\"]\n",
                "  max_open_files = ", "[TableOptions/BlockBasedTable \"default\"]");
        assertThat(ok("db", "options", data(), "-f", "default")).doesNotContain("[DBOptions]").contains("[CFOptions");
        assertThat(ok("db", "options", data(), "--json")).startsWith("{\"DBOptions\":{");
        fails(1, "there are no options of a column family 'x'", "db", "options", data(), "-f", "x");
        ok("db", "checkpoint", data(), path("copy"));
        assertThat(ok("db", "options", data(), path("copy"))).isEqualTo("no differences\n");
        ok("db", "put", path("copy"), "k", "v", "-f", "users", "--create");
        assertThat(ok("db", "options", data(), path("copy"))).contains("[CFOptions \"users\"]\n", "    < -\n");
        assertThat(ok("db", "options", data(), path("copy"), "--json")).startsWith("{\"CFOptions \\\"users\\\"\":{");
        fails(1, "there is no directory " + path("no"), "db", "options", data(), path("no"));
    }

    @Test
    void damageIsFoundAndRepaired() throws IOException {
        ok("db", "compact", data());
        assertThat(ok("db", "verify", data())).contains("is sound: 1 column family, 1 table file, 3 entries");
        assertThat(ok("db", "verify", data(), "--json"))
                .isEqualTo("{\"path\":\"" + data() + "\",\"sound\":true,\"families\":1,\"files\":1,\"entries\":3}\n");
        assertThat(ok("db", "repair", data())).contains("is sound, and is left as it is");
        Path table;
        try (Stream<Path> files = Files.list(data())) {
            table = files.filter(file -> file.toString().endsWith(".sst")).findAny().orElseThrow();
        }
        try (RandomAccessFile file = new RandomAccessFile(table.toFile(), "rw")) {
            // In the first block.
            file.seek(5);
            int octet = file.read();
            file.seek(5);
            file.write(octet ^ 0xff);
        }
        fails(1, "is damaged: ", "db", "verify", data());
        Run verify = Program.run("db", "verify", data(), "--json");
        assertThat(verify.code()).isEqualTo(1);
        assertThat(verify.err()).isEmpty();
        assertThat(verify.out()).startsWith("{\"path\":\"" + data() + "\",\"sound\":false,\"damage\":\"")
                .contains(table.getFileName().toString()).hasLineCount(1);
        fails(1, table.getFileName().toString(), "db", "scan", data());
        Run repair = Program.run("db", "repair", data());
        assertThat(repair.code()).as(repair.err()).isZero();
        assertThat(repair.out()).contains("is repaired", "in " + data().resolve("lost"));
        assertThat(ok("db", "verify", data())).contains("is sound");
    }
}
