package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.LogFormat;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Refuses damaged manifests and logs in which RocksDB would read one record without end. */
final class LogChecks {

    private LogChecks() {
    }

    /**
     * Checks the files that a database reads when it is opened.
     *
     * @param options the native options
     */
    static void require(String database, long options) throws RocksDBException {
        requireManifest(database);
        requireLogs(directory(database, options), CApi.rocksdb_options_get_wal_recovery_mode(
                options) == WALRecoveryMode.SkipAnyCorruptedRecords.getValue(), false);
    }

    /** Checks the files that a secondary instance reads when it is opened. A secondary instance does not skip records of an older log. */
    static void requireToFollow(String database, String logs) throws RocksDBException {
        requireManifest(database);
        requireLogs(logs, true, true);
    }

    /** Checks the records that a secondary instance has not read yet. */
    static void requireToCatchUp(RocksDB database) throws RocksDBException {
        requireManifest(database.state_.path);
        Path directory = path(database.state_.logDirectory);
        if (directory != null) {
            refuse(database.state_.checkFollowedLogs(directory));
        }
    }

    private static void requireLogs(String directory, boolean passesDamage, boolean isFollowed)
            throws RocksDBException {
        Path path = path(directory);
        if (path != null) {
            for (Path log : LogFormat.logs(path)) {
                require(new LogFormat(log, passesDamage, isFollowed));
            }
        }
    }

    /** Checks only the manifest. */
    static void requireManifest(String database) throws RocksDBException {
        Path path = path(database);
        if (path != null) {
            for (Path manifest : LogFormat.manifest(path)) {
                require(new LogFormat(manifest, false, true));
            }
        }
    }

    /** Checks the logs of an open database, including archived ones. */
    static void requireFrom(RocksDB database, long fromSequence) throws RocksDBException {
        Path directory = path(database.state_.logDirectory);
        if (directory != null) {
            try (Scratch scratch = database.use()) {
                List<NativeLog.File> files = NativeLog.files(scratch, database.nativeHandle_);
                Errors.check(scratch);
                refuse(NativeLog.problem(directory, files, fromSequence));
            }
        }
    }

    static void require(LogFormat file) throws RocksDBException {
        refuse(file.check());
    }

    private static void refuse(String problem) throws RocksDBException {
        if (problem != null) {
            throw new RocksDBException(problem, new Status(Status.Code.Corruption, Status.SubCode.None, problem));
        }
    }

    /** Returns the directory of the logs of a database. */
    static String directory(String database, long options) {
        try (Scratch scratch = Scratch.open()) {
            long text = CApi.rocksdb_options_get_wal_dir(options, scratch.wordAddress(1));
            byte[] bytes = NativeCalls.view(text, scratch.word(1)).toArray(ValueLayout.JAVA_BYTE);
            return bytes.length == 0 ? database : new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Converts a path. Returns null for a text that Java does not accept as a path; only RocksDB can use it. */
    private static Path path(String path) {
        try {
            return path == null || path.isEmpty() ? null : Path.of(path);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
