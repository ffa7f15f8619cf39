package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.get.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What every side of a case reads. It reaches a forked JVM as system properties, because JMH makes the objects that need it.
 *
 * @param engine   the shared library all sides load
 * @param database directory of the database
 * @param keys     number of keys in it
 * @param shape    families and sizes
 */
record MultiGetWorkload(Path engine, Path database, int keys, MultiGetCase shape) {
    static final int KEY_BYTES = 1024;
    static final int CALL_KEYS = 100;
    private static final String PREFIX = "outcrop.benchmarks.multiget.";
    private static final int MAX_KEYS = 10_000;
    private static final String DEFAULT = "default";

    static int keysFor(int valueBytes, long dataBytes) {
        return Math.clamp(dataBytes / (valueBytes + KEY_BYTES), CALL_KEYS, MAX_KEYS);
    }

    /** The workload of this JVM. */
    static MultiGetWorkload current() {
        return new MultiGetWorkload(Path.of(property("engine")), Path.of(property("database")),
                Integer.getInteger(PREFIX + "keys"), new MultiGetCase(Integer.getInteger(PREFIX + "families"),
                        Boolean.getBoolean(PREFIX + "random"), Integer.getInteger(PREFIX + "valueBytes")));
    }

    /** Arguments of a JVM that reads this workload: the same for all sides. */
    List<String> jvmArgs() {
        return Stream.concat(Stream.of("-Xms512m", "-Xmx512m"),
                Stream.concat(Engine.jvmArgs(engine).stream(), Stream.of(
                        define("engine", engine), define("database", database), define("keys", keys),
                        define("families", shape.families()), define("random", shape.isRandom()),
                        define("valueBytes", shape.valueBytes()))))
                .toList();
    }

    /** The names of all column families, by number; the default one has number 0. */
    List<String> families() {
        List<String> names = new ArrayList<>(List.of(DEFAULT));
        for (int i = 1; i <= shape.families(); i++) {
            names.add("family" + i);
        }
        return names;
    }

    /** The number of the column family that has a key. */
    int familyOf(long key) {
        if (shape.families() == 0) {
            return 0;
        }
        return shape.isRandom() ? 1 + (int) (key % shape.families()) : 1;
    }

    /** The size that a read returned, if it is the size that every value has. */
    long checked(long size) {
        if (size != shape.valueBytes()) {
            throw new IllegalStateException(
                    "Read a value of " + size + " bytes instead of " + shape.valueBytes() + " from " + database);
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
