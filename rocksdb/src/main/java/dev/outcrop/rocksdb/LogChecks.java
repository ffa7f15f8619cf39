package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.LogFormat;
import dev.outcrop.rocksdb.engine.Manifest;
import dev.outcrop.rocksdb.engine.batch.LoggedBatches;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses records that RocksDB would read again and again, see {@link LogFormat}. */
final class LogChecks {
    private LogChecks() {
    }

    /** Checks the manifest that a database uses. */
    static void requireManifest(Path database) {
        // No manifest uses the file of an older one.
        LogFormat.manifest(database).forEach(manifest -> require(new LogFormat(manifest, false, true)));
    }

    /**
     * Checks the logs that a database reads when it is opened.
     *
     * @return the sequence number that it has reached at least when all logs that it needs have been read, up to the first damage; -1 if not
     *         known
     */
    static long requireLogs(Path database, Options options) {
        boolean passesDamage = options.walRecoveryMode() == WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS;
        Manifest manifest = Manifest.of(database);
        long needed = Long.MAX_VALUE;
        if (manifest != null) {
            boolean _ = readOn(manifest);
            needed = manifest.firstNeededLog();
        }
        long last = -1;
        boolean isUnknown = false;
        for (Path file : logs(database, options)) {
            LoggedBatches batches = new LoggedBatches();
            LogFormat log = new LogFormat(file, passesDamage, false, batches);
            require(log);
            if (LogFormat.number(file) >= needed) {
                last = isUnknown ? last : Math.max(last, batches.reached());
                isUnknown |= log.mayHaveMore();
            }
        }
        return last;
    }

    /** Checks the logs that repairing reads, which passes what is damaged. */
    static void requireLogsToRepair(Path database, Options options) {
        logs(database, options).forEach(log -> require(new LogFormat(log, true, false)));
    }

    /** The files of a database's log, the oldest first. */
    static List<Path> logs(Path database, Options options) {
        return LogFormat.logs(WriteAheadLog.logDirectory(database, options));
    }

    /** Reads a manifest on; returns whether there was more of it. */
    static boolean readOn(Manifest manifest) {
        boolean hasGrown = manifest.readOn();
        require(manifest.problem());
        return hasGrown;
    }

    /** Checks what has not been checked yet. */
    static void require(LogFormat file) {
        require(file.check());
    }

    /** Refuses a problem that was found, if any. */
    static void require(@Nullable String problem) {
        if (problem != null) {
            throw RocksDBException.of(Status.Code.CORRUPTION, Status.SubCode.NONE, problem);
        }
    }
}
