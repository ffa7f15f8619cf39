package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages show the beginnings of keys and values. */
@Tag("verify")
class KeyTextTest extends DatabaseTest {
    private static final String SECRET = "secret-of-a-user";

    private static final class AlwaysMore implements KeyComparator {
        @Override
        public String name() {
            return "more";
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            return 1;
        }
    }

    /** Shows keys in each kind of message. */
    static final class Program {
        private Program() {
        }

        public static void main(String[] args) {
            byte[] secret = Bytes.of(SECRET);
            System.out.println(KeyRange.prefix(secret));
            System.out.println(new KeyValue(secret, secret));
            WriteBatch batch = new WriteBatch();
            batch.put(secret, secret);
            System.out.println(batch);
            KeyComparator lying = new AlwaysMore();
            try (RocksDB db = RocksDB.open(Path.of(args[0]), create().comparator(lying))) {
                for (int i = 0; i < 100; i++) {
                    db.put(Bytes.of(SECRET + i), secret);
                }
            } catch (RuntimeException e) {
                e.printStackTrace(System.out);
            }
        }
    }

    private String run(String bytes) throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Doutcrop.shown.bytes=" + bytes).run(Program.class,
                directory.resolve("database" + bytes));
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    @Test
    void nothingOfTheDataIsShownIfTheSettingSaysSo() throws Exception {
        String hex = HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.UTF_8));

        assertThat(run("40")).contains(SECRET).contains("contradicts").contains(hex);
        assertThat(run("3")).contains("\"sec\"… (16 bytes)").contains("0x" + hex.substring(0, 6) + "…")
                .doesNotContain("secr")
                .doesNotContain(hex.substring(0, 8));
        assertThat(run("0")).contains("of 16 bytes").contains("contradicts").doesNotContain("secret")
                .doesNotContain("7365");
    }
}
