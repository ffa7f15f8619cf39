package dev.outcrop.benchmarks.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The engine that all sides of a case load, and where the database is that they open.
 *
 * @param engine    the shared library
 * @param directory of the database; a case makes it, and its suite deletes it
 */
public record Database(Path engine, Path directory) {
    /** Installs the engine. */
    static Database in(Path lab, Path directory) {
        return new Database(Engine.install(lab.resolve("engine")), directory);
    }

    /** Returns the database of this JVM, which was started with {@link #jvmArgs}. */
    public static Database current() {
        return Settings.current(Database.class);
    }

    /** Returns the arguments of a JVM that opens the database, the same for all sides, with further {@link Settings}. */
    public List<String> jvmArgs(Record settings) {
        List<String> arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"));
        arguments.addAll(Engine.jvmArgs(engine));
        arguments.addAll(Settings.define(this));
        arguments.addAll(Settings.define(settings));
        return arguments;
    }

    /** Deletes the database. */
    public void delete() {
        Directories.delete(directory);
    }

    /** Fails if this process has loaded any other RocksDB than the engine. */
    public void requireOnlyEngine() {
        Engine.requireOnly(engine);
    }
}
