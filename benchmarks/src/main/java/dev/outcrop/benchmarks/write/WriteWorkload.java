package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import java.util.List;
import java.util.Map;

/**
 * What every side of a case writes.
 *
 * @param database engine and database
 * @param records  how many keys go into a batch
 * @param log      what becomes of the write-ahead log
 * @param isRandom whether keys are random; otherwise they ascend
 */
record WriteWorkload(Database database, int records, Log log, boolean isRandom) {
    static final int KEY_BYTES = 16;
    static final int VALUE_BYTES = 100;
    static final byte VALUE = 'v';

    /** The workload of this JVM. */
    static WriteWorkload current() {
        return new WriteWorkload(Database.current(), Settings.number("records"), Log.valueOf(Settings.text("log")),
                Settings.flag("random"));
    }

    /** Arguments of a JVM that writes this workload: the same for all sides. */
    List<String> jvmArgs() {
        return database.jvmArgs(Map.of("records", records, "log", log.name(), "random", isRandom));
    }

    /** Fails if nothing was written. */
    void requireWritten(long latestSequenceNumber) {
        if (latestSequenceNumber == 0) {
            throw new IllegalStateException("Nothing was written to " + database.directory());
        }
    }
}
