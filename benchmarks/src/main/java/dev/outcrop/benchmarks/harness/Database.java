package dev.outcrop.benchmarks.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which engine all sides of a case load, and where the database is that they open.
 *
 * @param engine    the shared library
 * @param directory of the database; a case makes it, and its suite deletes it
 */
public record Database(Path engine, Path directory) {
    /**
     * Installs the engine for a suite.
     *
     * @param lab where engine and database go
     * @return the engine, and a directory that need not exist yet
     * @throws BenchmarkException if the engine cannot be copied
     */
    public static Database in(Lab lab) {
        return in(lab.directory());
    }

    static Database in(Path directory) {
        return new Database(Engine.install(directory.resolve("engine")), directory.resolve("database"));
    }

    /**
     * The database of this JVM, which was started with {@link #jvmArgs}.
     *
     * @return engine and directory
     */
    public static Database current() {
        return new Database(Path.of(Settings.text("engine")), Path.of(Settings.text("database")));
    }

    /**
     * Arguments of a JVM that opens the database: the same for all sides.
     *
     * @param settings what else it is to know, see {@link Settings}
     * @return arguments
     */
    public List<String> jvmArgs(Map<String, ?> settings) {
        List<String> arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"));
        arguments.addAll(Engine.jvmArgs(engine));
        arguments.add(Settings.define("engine", engine));
        arguments.add(Settings.define("database", directory));
        settings.forEach((name, value) -> arguments.add(Settings.define(name, value)));
        return arguments;
    }

    /** Deletes the database, also one that a run left behind that was killed. */
    public void delete() {
        Directories.delete(directory);
    }

    /**
     * Checks what this process has loaded.
     *
     * @throws BenchmarkException if that is any other RocksDB than the engine
     */
    public void requireOnlyEngine() {
        Engine.requireOnly(engine);
    }
}
