package dev.outcrop.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.cli.Failure;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs on a part of the JDK's classes: real child JVMs, real databases. */
class DemoRunTest {
    private static final int CLASSES = 300;

    @TempDir
    private Path temporary;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A side that breaks the promise: between storing and reading, one byte changes. */
    static final class CorruptingSide {
        public static void main(String[] args) {
            Report report = new Report(System.out);
            System.exit(OutcropDemo.exitCode(report, () -> {
                try (Arena arena = Arena.ofShared();
                        RocksDB db = RocksDB.open(Path.of(args[0]), new Options().set(args[3]))) {
                    Input input = Input.read(Path.of(args[1]), arena);
                    OutcropDemo demo = new OutcropDemo(input, db, report);
                    demo.store();
                    byte[] key = input.name(5).getBytes(StandardCharsets.UTF_8);
                    byte[] value = Objects.requireNonNull(db.get(key));
                    value[10] ^= 0x40;
                    db.put(key, value);
                    demo.read(Phase.READ, new int[]{3, 5});
                }
            }));
        }
    }

    private static Side side(String name, Class<?> mainClass) {
        return new Side(name, mainClass.getName(), System.getProperty("java.class.path"));
    }

    private void run(Side side, @Nullable Side peer, boolean keep) {
        new DemoRun(new PrintStream(out, true, StandardCharsets.UTF_8), side, peer, 1, 42).run(temporary, keep,
                CLASSES);
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void keepsADatabaseWithEveryClass() throws IOException {
        run(Side.outcrop(), null, false);
        assertThat(output()).contains("store, flush", "read, cold", "read, cached", "scan", "--seed 42",
                "Every byte that was read is the byte that was stored.").doesNotContain("\r", "\u001b");
        Path database = temporary.resolve("last").resolve("outcrop");
        assertThat(output()).contains(database.toString());
        try (RocksDB db = RocksDB.open(database, new Options())) {
            for (JdkClasses.ClassFile file : JdkClasses.list(CLASSES).files()) {
                assertThat(db.get(file.key())).isEqualTo(Files.readAllBytes(file.path()));
            }
        }
        assertThat(temporary.resolve("last")).isDirectoryNotContaining("glob:**classes")
                .isDirectoryContaining(database::equals);
    }

    @Test
    void twiceInARowAndBesideAPeer() {
        Side peer = side("rocksdbjni", OutcropDemo.class);
        run(Side.outcrop(), null, false);
        run(Side.outcrop(), peer, false);
        assertThat(output()).contains("rocksdbjni", "Ratio");
        assertThat(temporary.resolve("last").resolve("rocksdbjni")).doesNotExist();
        run(Side.outcrop(), peer, true);
        assertThat(temporary).isDirectoryContaining("glob:**/kept-*").isDirectoryContaining("glob:**/last");
    }

    @Test
    void oneByteThatDiffersFailsTheRun() {
        assertThatThrownBy(() -> run(side("outcrop", CorruptingSide.class), null, false)).isInstanceOf(Failure.class)
                .hasMessageContaining("DIFFERS").hasMessageContaining("byte 10 of");
        assertThat(output()).doesNotContain("Every byte");
    }

    @Test
    void aSideThatCannotStartFailsTheRun() {
        assertThatThrownBy(() -> run(new Side("outcrop", "no.such.Program", "none"), null, false))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("exit code 1").hasMessageContaining("0 of 4 phases");
    }

    @Test
    void twoRunsInOneDirectoryAreRefused() {
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            directory.newRun(false);
            assertThatThrownBy(() -> run(Side.outcrop(), null, false)).isInstanceOf(Failure.class)
                    .hasMessageContaining("another demo");
        }
    }
}
