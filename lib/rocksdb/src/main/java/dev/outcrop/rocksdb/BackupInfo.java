package dev.outcrop.rocksdb;

import java.time.Instant;
import java.util.Objects;

/**
 * A backup.
 *
 * @param id        its number, from 1 on
 * @param time      when it was made, to the second
 * @param size      how many bytes a copy of the database takes
 * @param fileCount how many files it consists of
 * @param metadata  the text given to {@link BackupEngine#create(RocksDB, CreateBackupOptions, String)}, empty if nothing
 */
public record BackupInfo(int id, Instant time, long size, int fileCount, String metadata) {
    /** Refuses null. */
    public BackupInfo {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(metadata, "metadata");
    }

}
