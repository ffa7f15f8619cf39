package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A table file of a level.
 *
 * @param path        where it is
 * @param size        in bytes
 * @param smallestKey its first key; on the heap, read-only
 * @param largestKey  its last key; on the heap, read-only
 */
public record SstFileMetadata(Path path, long size, MemorySegment smallestKey, MemorySegment largestKey) {
    /** Refuses null. */
    public SstFileMetadata {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(smallestKey, "smallestKey");
        Objects.requireNonNull(largestKey, "largestKey");
    }

}
