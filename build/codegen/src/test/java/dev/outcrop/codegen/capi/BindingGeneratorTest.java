package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BindingGeneratorTest {

    @TempDir
    private Path directory;

    @Test
    void writesTheSourcesAndTheListOfWhatIsMissing() throws IOException {
        for (String part : List.of("binding", "api")) {
            BindingGenerator.main(
                    new String[]{part, Tables.REAL.toString(), Tables.STATISTICS.toString(), directory.toString()});
        }

        assertThat(files()).contains(Path.of("dev/outcrop/rocksdb/engine/capi/CApi.java"),
                Path.of("dev/outcrop/rocksdb/engine/capi/CCallbacks.java"),
                Path.of("dev/outcrop/rocksdb/engine/capi/CConstants.java"),
                Path.of("dev/outcrop/rocksdb/engine/capi/CStructs.java"),
                Path.of("dev/outcrop/rocksdb/OptionsSetters.java"), Path.of("dev/outcrop/rocksdb/CompressionType.java"),
                Path.of("skipped-setters.txt"));
        assertThat(directory.resolve("dev/outcrop/rocksdb/engine/capi/CStructs.java")).content()
                .contains("JAVA_LONG.withName(\"data\"), JAVA_LONG.withName(\"size\")");
        assertThat(directory.resolve("dev/outcrop/rocksdb/CompressionType.java")).content()
                .contains("ZSTD(7, \"kZSTD\")");
    }

    @Test
    void leavesAFileAloneThatWouldNotChange() throws IOException {
        Facts facts = Tables.real();
        BindingGenerator.generateApi(facts, StatisticsFacts.read(Tables.STATISTICS), directory);
        FileTime past = FileTime.fromMillis(1_000_000);
        for (Path file : files()) {
            Files.setLastModifiedTime(directory.resolve(file), past);
        }
        Path changed = directory.resolve("dev/outcrop/rocksdb/OptionsSetters.java");
        Files.writeString(changed, "stale");

        BindingGenerator.generateApi(facts, StatisticsFacts.read(Tables.STATISTICS), directory);

        assertThat(changed).content().contains("abstract class OptionsSetters");
        assertThat(files().stream().filter(file -> newer(file, past)))
                .containsExactly(directory.relativize(changed));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).map(directory::relativize).toList();
        }
    }

    private boolean newer(Path file, FileTime past) {
        return directory.resolve(file).toFile().lastModified() > past.toMillis();
    }
}
