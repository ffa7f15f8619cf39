package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
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

}
