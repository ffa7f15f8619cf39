package dev.outcrop.benchmarks.scan;

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
 * @param movement   which entries are read
 */
record ScanWorkload(Database database, int keys, int valueBytes, Movement movement) {
    static final int KEY_BYTES = 16;
    static final int RANGE_ENTRIES = 100;
    private static final int MAX_KEYS = 100_000;

    static int keysFor(int valueBytes, long dataBytes) {
        return Math.clamp(dataBytes / (valueBytes + KEY_BYTES), 2 * RANGE_ENTRIES, MAX_KEYS);
    }

    /** The workload of this JVM. */
    static ScanWorkload current() {
        return new ScanWorkload(Database.current(), Settings.number("keys"), Settings.number("valueBytes"),
                Movement.valueOf(Settings.text("movement")));
    }

    /** Arguments of a JVM that reads this workload: the same for all sides. */
    List<String> jvmArgs() {
        return database.jvmArgs(Map.of("keys", keys, "valueBytes", valueBytes, "movement", movement.name()));
    }

    /** How many entries a scan meets. */
    int entries() {
        return movement == Movement.RANGE ? RANGE_ENTRIES : keys;
    }

    /** How many keys a scan or a seek may start from. */
    int starts() {
        return movement == Movement.RANGE ? keys - RANGE_ENTRIES : keys;
    }

    /** The size that a read returned, if it is the size that every value has. */
    long checked(long size) {
        if (size != valueBytes) {
            throw new IllegalStateException(
                    "Read a value of " + size + " bytes instead of " + valueBytes + " from " + database.directory());
        }
        return size;
    }

    /** Fails if a scan has not met all entries. */
    void requireAll(int seen) {
        if (seen != entries()) {
            throw new IllegalStateException(
                    "Read " + seen + " entries instead of " + entries() + " from " + database.directory());
        }
    }
}
