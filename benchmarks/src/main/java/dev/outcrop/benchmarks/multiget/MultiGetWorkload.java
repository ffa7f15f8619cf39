package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What every side of a case reads.
 *
 * @param database engine and database
 * @param keys     number of keys in it
 * @param shape    families and sizes
 */
record MultiGetWorkload(Database database, int keys, MultiGetCase shape) {
    static final int KEY_BYTES = 1024;
    static final int CALL_KEYS = 100;
    private static final int MAX_KEYS = 10_000;
    private static final String DEFAULT = "default";

    static int keysFor(int valueBytes, long dataBytes) {
        return Math.clamp(dataBytes / (valueBytes + KEY_BYTES), CALL_KEYS, MAX_KEYS);
    }

    /** The workload of this JVM. */
    static MultiGetWorkload current() {
        return new MultiGetWorkload(Database.current(), Settings.number("keys"),
                new MultiGetCase(Settings.number("families"), Settings.flag("random"), Settings.number("valueBytes")));
    }

    /** Arguments of a JVM that reads this workload: the same for all sides. */
    List<String> jvmArgs() {
        return database.jvmArgs(Map.of("keys", keys, "families", shape.families(), "random", shape.isRandom(),
                "valueBytes", shape.valueBytes()));
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
                    "Read a value of " + size + " bytes instead of " + shape.valueBytes() + " from "
                            + database.directory());
        }
        return size;
    }
}
