package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.rocksdb.engine.LogFormat;
import dev.outcrop.rocksdb.engine.Manifest;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds records that RocksDB would read again and again, see {@link LogFormat}. */
public final class LogChecks {
    private LogChecks() {
    }

    /** Returns the problem of the manifest that a database uses; null if there is none. */
    public static @Nullable String manifestProblem(Path database) {
        // A manifest never reuses the file of an older one.
        for (Path manifest : LogFormat.manifest(database)) {
            String problem = new LogFormat(manifest, false, true).check();
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /**
     * The logs of a database.
     *
     * @param problem null if there is none
     * @param reached the least sequence number of the database after it has read all logs that it needs, up to the first damage; -1 if
     *                unknown
     */
    public record Logs(@Nullable String problem, long reached) {
    }

    /**
     * Checks the logs that a database reads when it is opened.
     *
     * @param directory    of the logs
     * @param passesDamage whether RocksDB reads on after a damaged record
     */
    public static Logs check(Path database, Path directory, boolean passesDamage) {
        Manifest manifest = Manifest.of(database);
        long needed = Long.MAX_VALUE;
        if (manifest != null) {
            boolean _ = manifest.readOn();
            if (manifest.problem() != null) {
                return new Logs(manifest.problem(), -1);
            }
            needed = manifest.firstNeededLog();
        }
        long last = -1;
        boolean isUnknown = false;
        for (Path file : LogFormat.logs(directory)) {
            WalBatches batches = new WalBatches();
            LogFormat log = new LogFormat(file, passesDamage, false, batches);
            String problem = log.check();
            if (problem != null) {
                return new Logs(problem, -1);
            }
            if (LogFormat.number(file) >= needed) {
                last = isUnknown ? last : Math.max(last, batches.reached());
                isUnknown |= log.mayHaveMore();
            }
        }
        return new Logs(null, last);
    }

    /** Returns the problem of logs for a repair, which skips damaged records; null if there is none. */
    public static @Nullable String repairProblem(Path directory) {
        for (Path file : LogFormat.logs(directory)) {
            String problem = new LogFormat(file, true, false).check();
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }
}
