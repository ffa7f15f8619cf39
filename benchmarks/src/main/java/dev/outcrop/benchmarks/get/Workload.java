package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import java.util.List;
import java.util.Map;

/**
 * What every side of a case reads.
 *
 * @param database   engine and database
 * @param keys       number of keys in it
 * @param valueBytes size of every value
 * @param access     which keys are read
 */
record Workload(Database database, int keys, int valueBytes, Access access) {
    static final int KEY_BYTES = 128;
    private static final int MAX_KEYS = 100_000;

    static int keysFor(int valueBytes, long dataBytes) {
        return Math.clamp(dataBytes / valueBytes, 1, MAX_KEYS);
    }

    /** The workload of this JVM. */
    static Workload current() {
        return new Workload(Database.current(), Settings.number("keys"), Settings.number("valueBytes"),
                Access.valueOf(Settings.text("access")));
    }

    /** Arguments of a JVM that reads this workload: the same for all sides. */
    List<String> jvmArgs() {
        return database.jvmArgs(Map.of("keys", keys, "valueBytes", valueBytes, "access", access.name()));
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
                    "Read a value of " + size + " bytes instead of " + valueBytes + " from " + database.directory());
        }
        return size;
    }
}
