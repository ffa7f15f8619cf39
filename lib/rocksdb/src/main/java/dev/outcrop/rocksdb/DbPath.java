package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionValues;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A directory for table files, and how much of them should go there before the next one is used.
 *
 * @param path       the directory
 * @param targetSize in bytes
 */
public record DbPath(Path path, long targetSize) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code targetSize} is negative
     */
    public DbPath {
        Objects.requireNonNull(path, "path");
        OptionValues.notNegative("target_size", targetSize);
    }
}
