package dev.outcrop.benchmarks.get;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What every side of a case reads. It reaches a forked JVM as system properties, because JMH makes the objects that
 * need it.
 *
 * @param engine     the shared library all sides load
 * @param database   directory of the database
 * @param keys       number of keys in it
 * @param valueBytes size of every value
 * @param access     which keys are read
 */
record Workload(Path engine, Path database, int keys, int valueBytes, Access access) {
    static final int KEY_BYTES = 128;
    private static final String PREFIX = "outcrop.benchmarks.";
    private static final int MAX_KEYS = 100_000;

    static int keysFor(int valueBytes, long dataBytes) {
        return Math.clamp(dataBytes / valueBytes, 1, MAX_KEYS);
    }

    /** The workload of this JVM. */
    static Workload current() {
        return new Workload(Path.of(property("engine")), Path.of(property("database")),
                Integer.parseInt(property("keys")),
                Integer.parseInt(property("valueBytes")), Access.valueOf(property("access")));
    }

    /** Arguments of a JVM that reads this workload: the same for all sides. */
    List<String> jvmArgs() {
        return Stream.concat(Stream.of("-Xms512m", "-Xmx512m"),
                Stream.concat(Engine.jvmArgs(engine).stream(), Stream.of(
                        define("engine", engine), define("database", database), define("keys", keys),
                        define("valueBytes", valueBytes),
                        define("access", access.name()))))
                .toList();
    }

    boolean hasSameDatabase(Workload other) {
        return keys == other.keys && valueBytes == other.valueBytes && access.isFresh() == other.access.isFresh();
    }

    /** How many keys, from the first on, are to be read before measuring. */
    int keysToWarm() {
        return access.isRandom() ? keys : 1;
    }

    /** The size that a read returned, if it is the size that every value has. */
    long checked(long size) {
        if (size != valueBytes) {
            throw new IllegalStateException(
                    "Read a value of " + size + " bytes instead of " + valueBytes + " from " + database);
        }
        return size;
    }

    private static String define(String name, Object value) {
        return "-D" + PREFIX + name + '=' + value;
    }

    private static String property(String name) {
        String value = System.getProperty(PREFIX + name);
        if (value == null) {
            throw new IllegalStateException(
                    "System property " + PREFIX + name + " is not set: start this benchmark through Main");
        }
        return value;
    }
}
