package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CConstants;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** What a database can tell about its write-ahead log. */
final class WriteAheadLog {
    private WriteAheadLog() {
    }

    static long latestSequenceNumber(Store store) {
        try (Scratch _ = store.enterToLook()) {
            return NativeLog.latestSequenceNumber(store.db);
        }
    }

    static WalIterator updatesSince(Store store, long sequenceNumber, WalReadOptions options) {
        Objects.requireNonNull(options, "options");
        long latest = latestSequenceNumber(store);
        if (sequenceNumber < 0 || sequenceNumber > latest + 1) {
            throw new IllegalArgumentException("Sequence number " + sequenceNumber + " is not from 0 to "
                    + (latest + 1) + ", the number of the next change of the " + store);
        }
        return new WalIterator(store, sequenceNumber, options);
    }

    /** Looks at what an iterator from this change on will read of the files that are there now. */
    static void requireReadable(Store store, long sequenceNumber) {
        Path directory = logDirectory(store.path, store.options);
        try (Scratch scratch = store.enterToLook()) {
            LogChecks.require(NativeLog.problem(directory, nativeFiles(scratch, store), sequenceNumber));
        }
    }

    /** Where a database's log is. */
    static Path logDirectory(Path database, Options options) {
        return OsPath.directory(options.walDir(), database);
    }

    static List<WalFile> files(Store store) {
        try (Scratch scratch = store.enterToLook()) {
            return nativeFiles(scratch, store).stream().map(WriteAheadLog::file).toList();
        }
    }
    private static List<NativeLog.File> nativeFiles(Scratch scratch, Store store) {
        List<NativeLog.File> files = NativeLog.files(scratch, store.db);
        Native.check(scratch, "Cannot list the log of the " + store);
        return files;
    }

    static WalFile currentFile(Store store) {
        try (Scratch scratch = store.enterToLook()) {
            NativeLog.File file = NativeLog.currentFile(scratch, store.db);
            Native.check(scratch, "Cannot look at the log of the " + store);
            return file(Objects.requireNonNull(file));
        }
    }

    private static WalFile file(NativeLog.File file) {
        return new WalFile(file.name(), file.number(),
                file.type() == CConstants.rocksdb_wal_file_type_archived_log, file.startSequence(), file.size());
    }
}
