package dev.outcrop.benchmarks.harness;

import dev.outcrop.memory.NativeLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdb.util.Environment;

/**
 * The engine that all sides of a case load, and the directory of the database that they open.
 *
 * @param engine    the shared library
 * @param directory of the database; a case makes it, and its suite deletes it
 */
public record Database(Path engine, Path directory) {
    private static final String NAME = "rocksdb";
    private static final Path MAPS = Path.of("/proc/self/maps");

    /**
     * Installs the engine. Copies the library that Outcrop finds into a directory, and links it under a second name there. rocksdbjni asks
     * the JVM for these two names, one after the other, before it unpacks its own library. There are two names because the JVM does not
     * load one file for two class loaders. For the operating system both names are one library.
     */
    static Database in(Path work, Path directory) {
        Path installed = work.resolve("engine");
        Path target = installed.resolve(System.mapLibraryName(Environment.getSharedLibraryName(NAME)));
        try {
            Files.createDirectories(installed);
            // Write a new file and rename it: another run may have the old file mapped.
            Path fresh = Files.createTempFile(installed, "engine", ".tmp");
            Files.copy(NativeLibraries.rocksdbPath(), fresh, StandardCopyOption.REPLACE_EXISTING);
            Path link = installed.resolve(Environment.getJniLibraryFileName(NAME));
            Files.deleteIfExists(link);
            Files.createLink(link, fresh);
            return new Database(Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE), directory);
        } catch (IOException e) {
            throw new BenchmarkException("Cannot put the engine into " + installed + ": " + e, e);
        }
    }

    /** Returns the database of this JVM, which was started with {@link #jvmArgs}. */
    public static Database current() {
        return Settings.current(Database.class);
    }

    /** Returns the arguments of a JVM that opens the database, with further {@link Settings}. They are the same for all sides. */
    public List<String> jvmArgs(Record settings) {
        List<String> arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch",
                "-Doutcrop.rocksdb.library=" + engine, "-Djava.library.path=" + engine.getParent()));
        arguments.addAll(Settings.define(this));
        arguments.addAll(Settings.define(settings));
        return arguments;
    }

    /** Deletes the database. */
    public void delete() {
        Directories.delete(directory);
    }

    /** Fails if this process has loaded another RocksDB than the engine. This check works only on systems with {@code /proc}. */
    public void requireOnlyEngine() {
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
