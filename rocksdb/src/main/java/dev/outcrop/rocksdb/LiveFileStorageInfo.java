package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that belongs to a copy of a database, and how to copy it.
 *
 * @param path                 where it is now
 * @param fileNumber           the number in its name, 0 if there is none
 * @param fileType             what it is
 * @param size                 how many bytes of it belong to the copy
 * @param temperature          how warm RocksDB takes its content to be
 * @param checksum             of the whole file, as its raw bytes, if asked for and known; empty otherwise
 * @param checksumFunction     the name of the function that made the checksum; empty if none is known
 * @param replacementContents  what is to be the content of the copy, instead of what the file has; null if that is it
 * @param isTrimmed            whether the file may be longer than {@code size}, and the copy must not be
 */
public record LiveFileStorageInfo(Path path, long fileNumber, FileType fileType, long size, Temperature temperature,
        String checksum, String checksumFunction, @Nullable String replacementContents, boolean isTrimmed) {
    /** Refuses null. */
    public LiveFileStorageInfo {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(fileType, "fileType");
        Objects.requireNonNull(temperature, "temperature");
        Objects.requireNonNull(checksum, "checksum");
        Objects.requireNonNull(checksumFunction, "checksumFunction");
    }

}
