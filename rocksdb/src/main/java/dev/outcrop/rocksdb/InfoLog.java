package dev.outcrop.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The log that RocksDB keeps about itself. Opening a database begins with moving it aside and starting a new one, even if the
 * database then turns out to be damaged; this puts it back. Nothing else is touched, because only these files are certain not to
 * be somebody else's.
 */
final class InfoLog {
    private static final String NAME = "LOG";

    private final Path directory;
    private final boolean isNewDirectory;
    private final List<Path> before;

    private InfoLog(Path directory, boolean isNewDirectory, List<Path> before) {
        this.directory = directory;
        this.isNewDirectory = isNewDirectory;
        this.before = before;
    }

    /** Remembers which logs are there. */
    static InfoLog of(Path directory) {
        boolean isNew = !Files.exists(directory);
        return new InfoLog(directory, isNew, isNew ? List.of() : logs(directory));
    }

    /** Puts back what was there, after opening failed. */
    void restore() {
        try {
            Path log = directory.resolve(NAME);
            List<Path> added = logs(directory).stream().filter(file -> !before.contains(file)).toList();
            if (before.contains(log) && added.size() == 1) {
                Files.move(added.getFirst(), log, StandardCopyOption.ATOMIC_MOVE);
            } else if (added.contains(log)) {
                Files.delete(log);
            }
            if (isNewDirectory) {
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            // What remains is a log of the failure, which the caller learns of anyway.
        }
    }

    private static List<Path> logs(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches(NAME + "(\\.old\\.\\d+)?")).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
