package dev.outcrop.benchmarks.harness;

import dev.outcrop.memory.NativeLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.util.Environment;

/** The shared library that all sides load. */
final class Engine {
    private static final String LIBRARY = "outcrop.rocksdb.library";
    private static final String NAME = "rocksdb";
    private static final Path MAPS = Path.of("/proc/self/maps");

    private Engine() {
    }

    /**
     * Copies the library that Outcrop finds into a directory, under the name by which rocksdbjni asks the JVM for it before it unpacks its
     * own; and links it under the name that rocksdbjni tries next. The JVM loads no file for two class loaders, but to the operating system
     * both names are one library.
     */
    static Path install(Path directory) {
        Path target = directory.resolve(System.mapLibraryName(Environment.getSharedLibraryName(NAME)));
        try {
            Files.createDirectories(directory);
            // Written beside and renamed: another run may have the old file mapped.
            Path fresh = Files.createTempFile(directory, "engine", ".tmp");
            Files.copy(NativeLibraries.rocksdbPath(), fresh, StandardCopyOption.REPLACE_EXISTING);
            Path link = directory.resolve(Environment.getJniLibraryFileName(NAME));
            Files.deleteIfExists(link);
            Files.createLink(link, fresh);
            return Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new BenchmarkException("Cannot put the engine into " + directory + ": " + e, e);
        }
    }

    /** The arguments with which Outcrop and rocksdbjni load the engine. */
    static List<String> jvmArgs(Path engine) {
        return List.of("-D" + LIBRARY + '=' + engine,
                "-Djava.library.path=" + engine.getParent());
    }

    /**
     * Fails if this process has loaded any other RocksDB than the given file; can tell only where there is {@code
     * /proc}.
     */
    static void requireOnly(Path engine) {
        if (!Files.isReadable(MAPS)) {
            return;
        }
        try (Stream<String> lines = Files.lines(MAPS)) {
            Set<Path> loaded = lines.map(line -> line.substring(line.lastIndexOf(' ') + 1))
                    .filter(file -> file.startsWith("/") && file.contains(".so") && file.contains("rocksdb"))
                    .map(Path::of).collect(Collectors.toSet());
            if (!loaded.equals(Set.of(engine.toRealPath()))) {
                throw new BenchmarkException(
                        "The comparison is void: " + engine + " should be the only engine, but loaded is " + loaded);
            }
        } catch (IOException e) {
            throw new BenchmarkException("Cannot read " + MAPS + ": " + e.getMessage(), e);
        }
    }
}
