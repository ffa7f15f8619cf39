package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.capi.CConstants;
import java.util.Objects;

/**
 * A file of the write-ahead log.
 *
 * @param pathName      where it is, relative to the directory of the log, with a slash in front: {@code /000004.log}
 * @param number        its number; a higher one is newer
 * @param isArchived    whether it is archived: RocksDB itself no longer needs it, and keeps it because of {@code WAL_ttl_seconds} or {@code
 *                      WAL_size_limit_MB}
 * @param startSequence the sequence number of the first change in it; 0 if there is none, or if it was not looked up
 * @param sizeBytes     its length
 */
public record WalFile(String pathName, long number, boolean isArchived, long startSequence, long sizeBytes) {
    /** Refuses null. */
    public WalFile {
        Objects.requireNonNull(pathName, "pathName");
    }

    static WalFile of(NativeLog.File file) {
        return new WalFile(file.name(), file.number(),
                file.type() == CConstants.rocksdb_wal_file_type_archived_log, file.startSequence(), file.size());
    }
}
