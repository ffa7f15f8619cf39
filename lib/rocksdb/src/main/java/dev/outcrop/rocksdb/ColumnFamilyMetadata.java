package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFiles;
import java.util.List;
import java.util.Objects;

/**
 * The table files of a column family.
 *
 * @param name      its name
 * @param size      of all its files, in bytes
 * @param fileCount how many files it has
 * @param levels    its levels, starting with the level of the youngest files
 */
public record ColumnFamilyMetadata(String name, long size, long fileCount, List<LevelMetadata> levels) {
    /** Copies the list. */
    public ColumnFamilyMetadata {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(levels, "levels");
        levels = List.copyOf(levels);
    }

    static ColumnFamilyMetadata of(NativeFiles.FamilyFiles files) {
        return new ColumnFamilyMetadata(files.name(), files.size(), files.fileCount(),
                files.levels().stream().map(ColumnFamilyMetadata::level).toList());
    }

    private static LevelMetadata level(NativeFiles.LevelFiles level) {
        return new LevelMetadata(level.level(), level.size(),
                level.files().stream()
                        .map(file -> new SstFileMetadata(LiveFile.path(file.directory(), file.name()), file.size(),
                                file.smallestKey(), file.largestKey()))
                        .toList());
    }
}
