package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.LogFormat;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CConstants;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What a database can tell about its write-ahead log. */
final class WriteAheadLog {
    private WriteAheadLog() {
    }

    static long latestSequenceNumber(Store store) {
        try (Scratch _ = store.enterToLook()) {
            return CApi.rocksdb_get_latest_sequence_number(store.db);
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
        List<WalFile> files = files(store);
        // The last file that begins at or before the change has it.
        int first = files.size() - 1;
        while (first > 0 && (files.get(first).startSequence() == 0
                || files.get(first).startSequence() > sequenceNumber)) {
            first--;
        }
        for (WalFile file : files.subList(Math.max(0, first), files.size())) {
            LogChecks.require(new LogFormat(directory.resolve(file.pathName().substring(1)), true, false));
        }
    }

    /** Where a database's log is. */
    static Path logDirectory(Path database, Options options) {
        return options.walDir().isEmpty() ? database : OsPath.of(options.walDir()).toAbsolutePath().normalize();
    }

    static List<WalFile> files(Store store) {
        try (Scratch scratch = store.enterToLook()) {
            long files = CApi.rocksdb_get_sorted_wal_files(store.db, Native.error(scratch));
            Native.check(scratch, "Cannot list the log of the " + store, files, CApi::rocksdb_wal_files_destroy);
            try {
                long count = CApi.rocksdb_wal_files_count(files);
                List<WalFile> list = new ArrayList<>();
                for (long i = 0; i < count; i++) {
                    list.add(file(CApi.rocksdb_wal_files_get_wal_file(files, i)));
                }
                return List.copyOf(list);
            } finally {
                CApi.rocksdb_wal_files_destroy(files);
            }
        }
    }

    static WalFile currentFile(Store store) {
        try (Scratch scratch = store.enterToLook()) {
            long file = CApi.rocksdb_get_current_wal_file(store.db, Native.error(scratch));
            Native.check(scratch, "Cannot look at the log of the " + store, file, CApi::rocksdb_wal_file_destroy);
            try {
                return file(file);
            } finally {
                CApi.rocksdb_wal_file_destroy(file);
            }
        }
    }

    private static WalFile file(long file) {
        String pathName = NativeText.string(CApi.rocksdb_wal_file_path_name(file));
        return new WalFile(pathName, CApi.rocksdb_wal_file_log_number(file),
                CApi.rocksdb_wal_file_type(file) == CConstants.rocksdb_wal_file_type_archived_log,
                CApi.rocksdb_wal_file_start_sequence(file), CApi.rocksdb_wal_file_size_file_bytes(file));
    }
}
