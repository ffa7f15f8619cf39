package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RocksDB writes down all its options, set or not, each time it opens a database: what it wrote must be the same. */
class EngineOptionsTest {
    @TempDir
    private Path directory;

    @Test
    void bothSidesReadWithTheSameOptions() throws IOException {
        List<String> theirs = theirs(false);

        assertThat(ours(EngineOptions.READING)).isEqualTo(theirs)
                .anyMatch(line -> line.contains("filter_policy=bloomfilter:10"))
                .anyMatch(line -> line.contains("compression=kNoCompression"));
    }

    @Test
    void bothSidesWriteWithTheSameOptions() throws IOException {
        List<String> theirs = theirs(true);

        assertThat(ours(EngineOptions.WRITING)).isEqualTo(theirs)
                .anyMatch(line -> line.contains("avoid_flush_during_shutdown=true"))
                .anyMatch(line -> line.contains("write_buffer_size=536870912"));
    }

    private record Writing(boolean isWriting) {
    }

    private List<String> ours(EngineOptions options) throws IOException {
        RocksDB.open(database().directory(), new Options().set(options.text())).close();
        return newestOptions();
    }

    /** In a JVM of its own: this one must not load a second engine. */
    private List<String> theirs(boolean isWriting) throws IOException {
        new JavaProgram(Theirs.class, database().jvmArgs(new Writing(isWriting))).run();
        return newestOptions();
    }

    private Database database() {
        return Database.in(directory, directory.resolve("database"));
    }

    private List<String> newestOptions() throws IOException {
        try (Stream<Path> files = Files.list(database().directory())) {
            Path newest = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .max((one, other) -> one.getFileName().compareTo(other.getFileName())).orElseThrow();
            return Files.readAllLines(newest);
        }
    }

    /** Opens the current database by rocksdbjni. */
    static final class Theirs {
        private Theirs() {
        }

        public static void main(String[] args) {
            RocksJavaDatabase.open(
                    Settings.current(Writing.class).isWriting() ? EngineOptions.WRITING : EngineOptions.READING, _ -> {
                    }).close();
        }
    }
}
