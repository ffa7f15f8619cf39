package dev.outcrop.benchmarks.get;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineOptionsTest {
    /**
     * RocksDB writes down all its options, set or not, each time it opens a database: what it wrote must be the same.
     */
    @Test
    void bothSidesOpenTheDatabaseWithTheSameOptions(@TempDir Path directory) throws IOException {
        Path database = directory.resolve("database");
        Workload workload = new Workload(Engine.install(directory.resolve("engine")), database, 10, 16, Access.HOT_KEY);
        Processes.java(DatabaseBuilder.class, workload.jvmArgs(), List.of());
        List<String> theirs = newestOptions(database);

        RocksDB.open(database, new Options().set(EngineOptions.text())).close();

        assertThat(newestOptions(database)).isEqualTo(theirs)
                .anyMatch(line -> line.contains("filter_policy=bloomfilter:10"))
                .anyMatch(line -> line.contains("compression=kNoCompression"));
    }

    private static List<String> newestOptions(Path database) throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            Path newest = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .max((one, other) -> one.getFileName().compareTo(other.getFileName())).orElseThrow();
            return Files.readAllLines(newest);
        }
    }
}
