package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeFiles;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that belongs to a copy of a database, and how to copy it.
 *
 * @param path                 where it is now
 * @param fileNumber           the number in its name, 0 if there is none
 * @param fileType             its type
 * @param size                 how many bytes of it belong to the copy
 * @param temperature          how warm RocksDB considers its content
 * @param checksum             of the whole file, as its raw bytes, if asked for and known; empty otherwise
 * @param checksumFunction     the name of the function that made the checksum; empty if none is known
 * @param replacementContents  the content of the copy, if it differs from the file's; null if not
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

    static LiveFileStorageInfo of(NativeFiles.StorageInfo file) {
        return new LiveFileStorageInfo(LiveFile.path(file.directory(), file.name()), file.number(),
                FileType.of(file.type()), file.size(), Temperature.of(file.temperature()), file.checksum(),
                file.checksumFunction(), file.replacement(), file.isTrimmed());
    }
}
