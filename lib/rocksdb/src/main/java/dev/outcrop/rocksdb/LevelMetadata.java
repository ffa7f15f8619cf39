package dev.outcrop.rocksdb;

import java.util.List;
import java.util.Objects;

/**
 * A level of a column family.
 *
 * @param level its number
 * @param size  of all its files, in bytes
 * @param files its files
 */
public record LevelMetadata(int level, long size, List<SstFileMetadata> files) {
    /** Copies the list. */
    public LevelMetadata {
        Objects.requireNonNull(files, "files");
        files = List.copyOf(files);
    }
}
