package dev.outcrop.cli.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.Program;
import dev.outcrop.cli.Program.Run;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read a database with a missing file, with and without a process that writes it. */
@EnabledOnOs(OS.LINUX)
class DbBesideWriterTest {
    @TempDir
    private Path temporary;

    private RocksDB writer() {
        RocksDB db = RocksDB.open(temporary.resolve("data"), new Options().createIfMissing(true)
                .disableAutoCompactions(true).enableBlobFiles(true).minBlobSize(100));
        for (int file = 0; file < 4; file++) {
            for (int i = 0; i < 10; i++) {
                db.put((file + "-" + i).getBytes(StandardCharsets.UTF_8), new byte[10 + 200 * (i % 2)]);
            }
            if (file < 3) {
                db.defaultColumnFamily().flush();
            }
        }
        return db;
    }

    private Path second(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(temporary.resolve("data"))) {
            List<Path> all = files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
            return all.get(Math.min(1, all.size() - 1));
        }
    }

    private void allFail(Path file) {
        for (String command : List.of("count", "scan", "export", "verify")) {
            Run run = Program.run("db", command, temporary.resolve("data"));
            assertThat(run.code()).as("%s: %s", command, run).isEqualTo(1);
            assertThat(run.err()).as(command).contains(file.getFileName().toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".sst", ".blob", ".log"})
    void besideAWriter(String suffix) throws IOException {
        try (RocksDB _ = writer()) {
            assertThat(Program.run("db", "count", temporary.resolve("data")).out()).isEqualTo("40\n");
            Path file = second(suffix);
            Files.delete(file);
            allFail(file);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".sst", ".blob"})
    void alone(String suffix) throws IOException {
        writer().close();
        Path file = second(suffix);
        Files.delete(file);
        allFail(file);
    }
}
