package dev.outcrop.rocksdb;

import java.util.List;
import java.util.Objects;

/**
 * What files a column family consists of.
 *
 * @param name      its name
 * @param size      of all its files, in bytes
 * @param fileCount how many files it has
 * @param levels    its levels, from the one with the youngest files on
 */
public record ColumnFamilyMetadata(String name, long size, long fileCount, List<LevelMetadata> levels) {
    /** Copies the list. */
    public ColumnFamilyMetadata {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(levels, "levels");
        levels = List.copyOf(levels);
    }
}
