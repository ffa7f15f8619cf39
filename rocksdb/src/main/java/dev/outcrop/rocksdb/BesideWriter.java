package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.FileLocks;
import dev.outcrop.rocksdb.engine.Manifest;
import dev.outcrop.rocksdb.engine.WritersLogs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Opening for reading what another process, or this one, is writing. The writer deletes files: tables that RocksDB has just read of in the
 * manifest, which it then calls corrupted, and logs that it has not read yet, the content of which it would leave out.
 */
final class BesideWriter {
    private static final int MOST_ATTEMPTS = 20;
    private static final Pattern DATA_FILE = Pattern.compile("\\d+\\.(sst|ldb|blob|log)");

    /** What RocksDB says in such a case. The manifest is as it should be. */
    private static final Pattern BLAME = Pattern.compile("\\s*The file \\S*MANIFEST-\\d+ may be corrupted\\.");

    private final Path database;
    private final Options options;
    private @Nullable Manifest manifest;
    private List<Path> logs = List.of();
    private int attempts;

    BesideWriter(Path database, Options options) {
        this.database = database;
        this.options = options;
    }

    /** An attempt begins. */
    void begin() {
        attempts++;
        manifest = Manifest.of(database);
        if (manifest != null) {
            boolean _ = LogChecks.readOn(manifest);
        }
        logs = LogChecks.logs(database, options);
    }

    /** Whether a log has gone since the attempt began, so that its content may be missing in what was opened. */
    boolean hasTakenAway() {
        if (logs.stream().allMatch(Files::exists)) {
            requireLogs();
            return false;
        }
        if (attempts == MOST_ATTEMPTS) {
            throw busy("a log was deleted");
        }
        return true;
    }

    private void requireLogs() {
        Manifest read = manifest;
        if (read != null && read.isKnown()) {
            LogChecks.require(new WritersLogs(database, WriteAheadLog.logDirectory(database, options), false)
                    .missing(read, () -> LogChecks.readOn(read)));
        }
    }

    private void requireLogs(RocksDBException failure) {
        try {
            requireLogs();
        } catch (RocksDBException e) {
            e.addSuppressed(failure);
            throw e;
        }
    }

    /** Throws why opening failed, unless it may have been for what the writer did meanwhile. */
    void requireChange(RocksDBException failure) {
        Long holder = FileLocks.ofDatabase(database);
        if (holder == null) {
            throw failure;
        }
        Matcher file = DATA_FILE.matcher(failure.status().message());
        if (!file.find()) {
            requireLogs(failure);
            throw failure;
        }
        Manifest read = manifest;
        Manifest now = Manifest.of(database);
        boolean hasChanged = read == null || now == null || !now.isSame(read) || LogChecks.readOn(read)
                || !logs.stream().allMatch(Files::exists);
        if (!hasChanged) {
            Path directory = file.group().endsWith(".log") ? WriteAheadLog.logDirectory(database, options) : database;
            RocksDBException unreadable = DatabaseOpener.fail(database, failure.status().code(),
                    failure.status().subCode(), FileLocks.writer(holder) + " has it open, and its file " + file.group()
                            + (Files.exists(directory.resolve(file.group()))
                                    ? " is not as it was written"
                                    : " is missing")
                            + " (" + BLAME.matcher(failure.status().toString()).replaceFirst("")
                            + "). If its tables are in other directories, name them with Options.dbPaths or cfPaths; otherwise"
                            + " restore the database from a backup");
            unreadable.initCause(failure);
            throw unreadable;
        }
        if (attempts == MOST_ATTEMPTS) {
            RocksDBException busy = busy("its file " + file.group() + " was deleted");
            busy.initCause(failure);
            throw busy;
        }
    }

    private RocksDBException busy(String change) {
        Long holder = FileLocks.ofDatabase(database);
        return DatabaseOpener.fail(database, Status.Code.TRY_AGAIN, Status.SubCode.NONE,
                (holder == null ? "another process" : FileLocks.writer(holder)) + " is writing it, and " + change
                        + " each time it was being opened. Try again, or use openSecondary, which follows the writer");
    }
}
