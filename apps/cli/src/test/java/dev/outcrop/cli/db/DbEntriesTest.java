package dev.outcrop.cli.db;

import static dev.outcrop.cli.Program.fails;
import static dev.outcrop.cli.Program.ok;
import static dev.outcrop.cli.Program.okWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.Program.Run;
import dev.outcrop.cli.common.Encoding;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading and writing entries. */
class DbEntriesTest {
    @TempDir
    private Path temporary;

    private Path data() {
        return temporary.resolve("data");
    }

    private void fill() {
        okWith("a\t1\nb\t2\nba\t3\nc\t4\n", "db", "import", data(), "--create");
    }

    @Test
    void whatIsPutIsGot() {
        assertThat(ok("db", "put", data(), "k", "v", "--create")).isEmpty();
        assertThat(ok("db", "get", data(), "k")).isEqualTo("v\n");
        ok("db", "put", data(), "k", "w");
        assertThat(ok("db", "get", data(), "k", "--json")).isEqualTo("{\"key\":\"k\",\"value\":\"w\"}\n");
        fails(3, "there is no key 'x' in the column family 'default'", "db", "get", data(), "x");
        ok("db", "delete", data(), "k", "x");
        fails(3, "there is no key 'k'", "db", "get", data(), "k");
    }

    @Test
    void anyBytesAreKeysAndValues() {
        ok("db", "put", data(), "\\x00\\xff\\t", "ü\\n\\\\\u202e", "--create");
        assertThat(ok("db", "scan", data())).isEqualTo("\\x00\\xff\\t\tü\\n\\\\\\xe2\\x80\\xae\n");
        assertThat(ok("db", "get", data(), "00ff09", "--hex")).isEqualTo("c3bc0a5ce280ae\n");
        assertThat(ok("db", "get", data(), "AP8J", "--base64")).isEqualTo("w7wKXOKArg==\n");
        assertThat(ok("db", "scan", data(), "--json"))
                .isEqualTo("{\"keyBase64\":\"AP8J\",\"value\":\"ü\\n\\\\\u202e\"}\n");
        assertThat(ok("db", "scan", data(), "--json", "--hex"))
                .isEqualTo("{\"keyHex\":\"00ff09\",\"valueHex\":\"c3bc0a5ce280ae\"}\n");
        assertThat(okWith("\0\377\n", "db", "put", data(), "input")).isEmpty();
        assertThat(ok("db", "get", data(), "input", "--json")).contains("\"valueBase64\":\"AP8K\"");
        ok("db", "put", data(), "", "");
        assertThat(ok("db", "get", data(), "")).isEqualTo("\n");
    }

    @Test
    void everyNotationGivesTheSameBytesBack() {
        Random random = new Random(TestSize.seed(getClass()));
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(12)];
            random.nextBytes(bytes);
            for (int j = 0; j < bytes.length; j++) {
                // So that there is text too.
                bytes[j] = random.nextBoolean() ? (byte) ('A' + (bytes[j] & 63)) : bytes[j];
            }
            for (Encoding encoding : Encoding.values()) {
                String text = encoding.format(bytes);
                assertThat(text).doesNotContain("\t", "\n", "\r");
                assertThat(encoding.parseArgument(text)).as(HexFormat.of().formatHex(bytes)).isEqualTo(bytes);
            }
        }
    }

    @Test
    void whatTheLocaleCannotSayIsRefused() {
        fill();
        fails(2, "LC_ALL=C.UTF-8", "db", "put", data(), "\ufffd", "v");
    }

    @Test
    void scansShowWhatIsAskedFor() {
        fill();
        assertThat(ok("db", "scan", data())).isEqualTo("a\t1\nb\t2\nba\t3\nc\t4\n");
        assertThat(ok("db", "scan", data(), "--reverse", "--limit", "2")).isEqualTo("c\t4\nba\t3\n");
        assertThat(ok("db", "scan", data(), "--from", "b", "--to", "c", "--keys")).isEqualTo("b\nba\n");
        assertThat(ok("db", "scan", data(), "--to", "b", "--values")).isEqualTo("1\n");
        assertThat(ok("db", "scan", data(), "--from", "c")).isEqualTo("c\t4\n");
        assertThat(ok("db", "scan", data(), "--prefix", "b", "--keys", "--json"))
                .isEqualTo("{\"key\":\"b\"}\n{\"key\":\"ba\"}\n");
        fails(1, "ends before it begins", "db", "scan", data(), "--from", "c", "--to", "b");
    }

    @Test
    void countsAreExactOrEstimated() {
        fill();
        assertThat(ok("db", "count", data())).isEqualTo("4\n");
        assertThat(ok("db", "count", data(), "--prefix", "b", "--json")).isEqualTo("{\"count\":2}\n");
        assertThat(ok("db", "count", data(), "--estimate")).isEqualTo("4\n");
    }

    @Test
    void rangesAreDeleted() {
        fill();
        ok("db", "delete", data(), "--from", "b", "--to", "c");
        assertThat(ok("db", "scan", data(), "--keys")).isEqualTo("a\nc\n");
        fails(1, "ends before it begins", "db", "delete", data(), "--from", "c", "--to", "b");
        assertThat(ok("db", "count", data())).isEqualTo("2\n");
    }

    @Test
    void allKeysThatBeginAlikeAreDeleted() {
        ok("db", "put", data(), "user:", "1", "--create");
        for (String key : new String[]{"user:1", "user;", "user"}) {
            ok("db", "put", data(), key, "1");
        }
        ok("db", "delete", data(), "--prefix", "user:");
        assertThat(ok("db", "scan", data(), "--keys")).isEqualTo("user\nuser;\n");
        for (String key : new String[]{"61fe", "61ff", "61ffff", "62"}) {
            ok("db", "put", data(), key, "00", "--hex");
        }
        ok("db", "delete", data(), "--prefix", "61ff", "--hex");
        assertThat(ok("db", "scan", data(), "--keys", "--hex", "--to", "63")).isEqualTo("61fe\n62\n");
        fails(2, "there is no key behind those of --prefix", "db", "delete", data(), "--prefix", "ffff", "--hex");
        fails(2, "name keys, or a range", "db", "delete", data(), "k", "--prefix", "u");
        fails(2, "name keys, or a range", "db", "delete", data(), "--prefix", "u", "--from", "a", "--to", "b");
    }

    @Test
    void columnFamiliesAreNamed() {
        fill();
        fails(1, "there is no column family 'users'", "db", "put", data(), "k", "v", "-f", "users");
        fails(1, "it has default", "db", "scan", data(), "-f", "users");
        ok("db", "put", data(), "k", "v", "-f", "users", "--create");
        assertThat(ok("db", "get", data(), "k", "--family", "users")).isEqualTo("v\n");
        assertThat(ok("db", "count", data(), "-f", "users")).isEqualTo("1\n");
        ok("db", "delete", data(), "k", "-f", "users");
        assertThat(ok("db", "families", data())).isEqualTo("default\nusers\n");
        assertThat(ok("db", "families", data(), "--json")).isEqualTo("[\"default\",\"users\"]\n");
    }

    @Test
    void readingChangesNoFile() throws IOException {
        fill();
        String before = listing();
        for (String command : new String[]{"scan", "count", "stats", "properties", "options", "families", "verify",
                "log", "export"}) {
            ok("db", command, data());
        }
        ok("db", "get", data(), "a");
        assertThat(listing()).isEqualTo(before);
    }

    private String listing() throws IOException {
        StringBuilder names = new StringBuilder();
        try (var files = Files.list(data())) {
            for (Path file : files.sorted().toList()) {
                names.append(file.getFileName()).append(' ').append(Files.size(file)).append('\n');
            }
        }
        return names.toString();
    }

    @Test
    void theLogShowsEachChange() {
        ok("db", "put", data(), "k", "v", "--create");
        // Writing opens the database, which empties the log: what is in it is what came last.
        ok("db", "delete", data(), "k\\x00");
        assertThat(ok("db", "log", data())).isEqualTo("2\tdelete\tdefault\tk\\x00\n");
        assertThat(ok("db", "log", data(), "--json")).isEqualTo(
                "{\"number\":2,\"kind\":\"delete\",\"family\":\"default\",\"key\":\"k\\u0000\"}\n");
        okWith("a\t1\nb\t2\n", "db", "import", data());
        assertThat(ok("db", "log", data())).isEqualTo("3\tput\tdefault\ta\t1\n4\tput\tdefault\tb\t2\n");
        assertThat(ok("db", "log", data(), "--limit", "1", "--hex")).isEqualTo("3\tput\tdefault\t61\t31\n");
        assertThat(ok("db", "log", data(), "--from", "5")).isEmpty();
        assertThat(ok("db", "log", data(), "--files")).matches("\\d+\\.log\t3\t\\d+\n");
        assertThat(ok("db", "log", data(), "--files", "--json")).contains("\"sequenceNumber\":3");
        ok("db", "compact", data());
        assertThat(ok("db", "log", data())).isEmpty();
    }

    @Test
    void otherOrdersAreReadToo() {
        try (RocksDB db = RocksDB.open(data(),
                new Options().createIfMissing(true).set("comparator=rocksdb.ReverseBytewiseComparator"))) {
            db.put(new byte[]{'a'}, new byte[]{'1'});
            db.put(new byte[]{'b'}, new byte[]{'2'});
        }
        assertThat(ok("db", "scan", data())).isEqualTo("b\t2\na\t1\n");
        Run run = fails(1, "does not have the order of bytes", "db", "scan", data(), "--prefix", "a");
        assertThat(run.err()).doesNotContain("KeyRange");
    }
}
