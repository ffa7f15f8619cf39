package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls about the write-ahead log of an open database. */
public final class NativeLog extends LogCalls {
    private NativeLog() {
    }

    /**
     * A log file.
     *
     * @param name          relative to the directory of the log, with a slash in front
     * @param type          RocksDB's number
     * @param startSequence 0 if it is empty, or if that is unknown
     */
    public record File(String name, long number, int type, long startSequence, long size) {
    }

    /** Lists the files, the oldest first. */
    public static List<File> files(Scratch scratch, long db) {
        long list = CApi.rocksdb_get_sorted_wal_files(db, NativeCall.error(scratch));
        if (list == 0) {
            return List.of();
        }
        try {
            long count = CApi.rocksdb_wal_files_count(list);
            List<File> files = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                files.add(file(CApi.rocksdb_wal_files_get_wal_file(list, i)));
            }
            return files;
        } finally {
            CApi.rocksdb_wal_files_destroy(list);
        }
    }

    /** Returns the current file; null if there is an error. */
    public static @Nullable File currentFile(Scratch scratch, long db) {
        long file = CApi.rocksdb_get_current_wal_file(db, NativeCall.error(scratch));
        if (file == 0) {
            return null;
        }
        try {
            return file(file);
        } finally {
            CApi.rocksdb_wal_file_destroy(file);
        }
    }

    private static File file(long file) {
        return new File(NativeText.string(CApi.rocksdb_wal_file_path_name(file)),
                CApi.rocksdb_wal_file_log_number(file), CApi.rocksdb_wal_file_type(file),
                CApi.rocksdb_wal_file_start_sequence(file), CApi.rocksdb_wal_file_size_file_bytes(file));
    }

    /**
     * Finds a record that RocksDB would read again and again, see {@link LogFormat}.
     *
     * @param directory of the log
     * @param files     of the log, the oldest first, with archived ones
     * @param sequence  the first change to be read
     * @return the problem, or null
     */
    public static @Nullable String problem(Path directory, List<File> files, long sequence) {
        // The change is in the last file that begins at or before it.
        int first = files.size() - 1;
        while (first > 0
                && (files.get(first).startSequence == 0 || files.get(first).startSequence > sequence)) {
            first--;
        }
        for (File file : files.subList(Math.max(0, first), files.size())) {
            String problem = new LogFormat(directory.resolve(file.name.substring(1)), true, false).check();
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }
}
