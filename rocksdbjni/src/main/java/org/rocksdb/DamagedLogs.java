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

/** Refuses damaged manifests and logs: RocksDB would read one of their records again and again. */
final class DamagedLogs {

    private DamagedLogs() {
    }

    /**
     * Looks at what a database reads when it is opened.
     *
     * @param options the native options
     */
    static void require(String database, long options) throws RocksDBException {
        requireManifest(database);
        requireLogs(directory(database, options), CApi.rocksdb_options_get_wal_recovery_mode(
                options) == WALRecoveryMode.SkipAnyCorruptedRecords.getValue(), false);
    }

    /** Looks at what a secondary instance reads when it is opened. It cannot get past the records of an older log, either. */
    static void requireToFollow(String database, String logs) throws RocksDBException {
        requireManifest(database);
        requireLogs(logs, true, true);
    }

    /** Checks the records that the instance has not read yet. */
    static void requireToCatchUp(RocksDB database) throws RocksDBException {
        requireManifest(database.parts_.path);
        Path directory = path(database.parts_.logDirectory);
        if (directory != null) {
            refuse(database.parts_.checkFollowedLogs(directory));
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

    /** Looks at the manifest only. */
    static void requireManifest(String database) throws RocksDBException {
        Path path = path(database);
        if (path != null) {
            for (Path manifest : LogFormat.manifest(path)) {
                require(new LogFormat(manifest, false, true));
            }
        }
    }

    /** Looks at the logs that an open database has, also those that it keeps in its archive. */
    static void requireFrom(RocksDB database, long fromSequence) throws RocksDBException {
        Path directory = path(database.parts_.logDirectory);
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

    /** Where the logs of a database are. */
    static String directory(String database, long options) {
        try (Scratch scratch = Scratch.open()) {
            long text = CApi.rocksdb_options_get_wal_dir(options, scratch.wordAddress(1));
            byte[] bytes = NativeCalls.view(text, scratch.word(1)).toArray(ValueLayout.JAVA_BYTE);
            return bytes.length == 0 ? database : new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Null for one that is no path of Java's: only RocksDB knows what it is then. */
    private static Path path(String path) {
        try {
            return path == null || path.isEmpty() ? null : Path.of(path);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
