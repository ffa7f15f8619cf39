package dev.outcrop.cli.db;

import static dev.outcrop.cli.Program.fails;
import static dev.outcrop.cli.Program.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.Program;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases of other programs: names that are no text, and operators that RocksDB does not read back. */
class DbNamesTest {
    private static final byte[] KEY = "key".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path data;

    private void create(Options options, byte[]... names) {
        try (RocksDB db = RocksDB.open(data, new Options().createIfMissing(true).avoidFlushDuringShutdown(true))) {
            for (byte[] name : names) {
                db.createColumnFamily(ColumnFamily.nameOf(name), options).merge(KEY, name);
            }
        }
    }

    private static byte[] bytes(String latin) {
        return latin.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aNameThatIsNoTextIsShownAndGiven() {
        create(new Options().set("merge_operator=stringappend"), bytes("\u00ff\u0001"), bytes("\\xff\\x01"),
                bytes("a\\b"), bytes("\u00c3\u00a9"), bytes("?"));

        assertThat(ok("db", "families", data).lines()).containsExactlyInAnyOrder("?", "a\\\\b", "default", "é",
                "\\\\xff\\\\x01", "\\xff\\x01");
        assertThat(ok("db", "get", data, "key", "-f", "\\xff\\x01")).isEqualTo("\\xff\\x01\n");
        assertThat(ok("db", "get", data, "key", "-f", "\\\\xff\\\\x01")).isEqualTo("\\\\xff\\\\x01\n");
        assertThat(ok("db", "get", data, "key", "-f", "a\\b")).isEqualTo("a\\\\b\n");
        assertThat(ok("db", "get", data, "key", "-f", "a\\\\b")).isEqualTo("a\\\\b\n");
        assertThat(ok("db", "get", data, "key", "-f", "?")).isEqualTo("?\n");
        assertThat(fails(1, "no column family '\\xff'", "db", "get", data, "key", "-f", "\\xff").out()).isEmpty();
    }

    @Test
    @Tag("verify")
    void eachCommandTakesAndShowsIt() {
        create(new Options().set("merge_operator=stringappend"), bytes("\u00ff\u0001"));

        String name = "\\xff\\x01";
        assertThat(ok("db", "families", data, "--json")).contains("\"\\\\xff\\\\x01\"");
        assertThat(ok("db", "log", data)).contains("merge\t" + name + "\t");
        assertThat(ok("db", "log", data, "--json")).contains("\"family\":\"\\\\xff\\\\x01\"");
        assertThat(ok("db", "scan", data, "-f", name)).isEqualTo("key\t" + name + "\n");
        assertThat(ok("db", "count", data, "-f", name)).startsWith("1");
        assertThat(ok("db", "stats", data)).contains(name);
        assertThat(ok("db", "stats", data, "--json")).contains("\"family\":\"\\\\xff\\\\x01\"");
        assertThat(ok("db", "options", data, "-f", name)).contains("[CFOptions \"" + name + "\"]")
                .doesNotContain("\"default\"");
        assertThat(ok("db", "compact", data, "-f", name)).startsWith(name + "\t");
        assertThat(ok("db", "properties", data, "num-entries-active-mem-table", "-f", name)).isEqualTo("0\n");
        assertThat(ok("db", "export", data, "-f", name)).isEqualTo("key\t" + name + "\n");
        assertThat(ok("db", "verify", data)).contains("2 column families");
        assertThat(Program.run("db", "get", data, "none", "-f", name).err())
                .contains("in the column family '" + name + "'");
        ok("db", "put", data, "key", "v", "-f", "\\xfe\\x01", "--create");
        assertThat(ok("db", "get", data, "key", "-f", "\\xfe\\x01")).isEqualTo("v\n");
        assertThat(fails(1, "zero byte", "db", "put", data, "key", "v", "-f", "idx\\x00A", "--create").out()).isEmpty();
        assertThat(ok("db", "families", data).lines()).containsExactlyInAnyOrder("default", name, "\\xfe\\x01");
    }

    @Test
    void anOperatorWithASemicolonIsThereForEachCommand() {
        create(new Options().set("merge_operator={id=StringAppendOperator;delimiter={;}}"), bytes("a:b"));

        ok("db", "put", data, "other", "x");
        assertThat(ok("db", "get", data, "key", "-f", "a:b")).isEqualTo("a:b\n");
        try (RocksDB db = RocksDB.open(data)) {
            db.columnFamily("a:b").merge(KEY, KEY);
        }
        assertThat(ok("db", "scan", data, "-f", "a:b")).isEqualTo("key\ta:b;key\n");
        assertThat(ok("db", "options", data, "-f", "a:b")).contains("[CFOptions \"a:b\"]");
        assertThat(RocksDB.listColumnFamilies(data)).containsExactlyInAnyOrder("default", "a:b");
    }
}
