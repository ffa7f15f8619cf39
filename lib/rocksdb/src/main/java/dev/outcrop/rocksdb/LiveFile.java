package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.OsPath;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A table file that a database consists of.
 *
 * @param columnFamily           the name of the column family that it belongs to
 * @param path                   where it is
 * @param level                  its level, 0 for the youngest files
 * @param size                   in bytes
 * @param smallestKey            its first key; on the heap, read-only
 * @param largestKey             its last key; on the heap, read-only
 * @param smallestSequenceNumber of all its entries
 * @param largestSequenceNumber  of all its entries
 * @param entries                how many it has, deletions included
 * @param deletions              how many of these are deletions
 */
public record LiveFile(String columnFamily, Path path, int level, long size, MemorySegment smallestKey,
        MemorySegment largestKey, long smallestSequenceNumber, long largestSequenceNumber, long entries,
        long deletions) {
    /** Refuses null. */
    public LiveFile {
        Objects.requireNonNull(columnFamily, "columnFamily");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(smallestKey, "smallestKey");
        Objects.requireNonNull(largestKey, "largestKey");
    }

    static List<LiveFile> of(List<NativeFiles.Table> tables) {
        return tables.stream().map(table -> new LiveFile(table.family(), path(table.directory(), table.name()),
                table.level(), table.size(), table.smallestKey(), table.largestKey(), table.smallestSequence(),
                table.largestSequence(), table.entries(), table.deletions())).toList();
    }

    /** Joins a directory and a file name. Some of RocksDB's names begin with a slash, others do not. */
    static Path path(String directory, String name) {
        return OsPath.of(name.startsWith("/") || directory.isEmpty() ? directory + name : directory + "/" + name);
    }

    NativeFiles.Table table() {
        String text = OsPath.text(OsPath.require(path));
        int name = text.lastIndexOf('/');
        return new NativeFiles.Table(columnFamily, text.substring(0, name), text.substring(name), level, size,
                smallestKey, largestKey, smallestSequenceNumber, largestSequenceNumber, entries, deletions);
    }
}
