package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Removes the directories and files that a failed attempt to open a database has made: directories, and the files of an empty database if
 * there was none before. Files that may hold data stay.
 */
public final class OpeningCleanup {
    /** The files of an empty database. */
    private static final Pattern OWN = Pattern
            .compile("CURRENT|LOCK|IDENTITY|MANIFEST-\\d+|OPTIONS-\\d+(\\.dbtmp)?|\\d+\\.dbtmp");
    private static final Pattern WRITE_AHEAD_LOG = Pattern.compile("\\d+\\.log");

    private final Path database;
    private final Path writeAheadLogs;
    private final boolean isCreating;
    /** The directories that opening may make, the inner ones first. */
    private final List<Path> directories;
    private final Set<Path> before = new HashSet<>();

    /** Remembers the existing files, also in the directories of the database's options. */
    public OpeningCleanup(Path database, boolean isCreating, String walDir, String dbLogDir) {
        this.database = database;
        this.writeAheadLogs = OsPath.directory(walDir, database);
        this.isCreating = isCreating;
        Stream<Path> above = Stream.iterate(database.toAbsolutePath().getParent(), Objects::nonNull, Path::getParent)
                .takeWhile(Files::notExists);
        this.directories = Stream
                .concat(above, Stream.of(writeAheadLogs.resolve("archive"), writeAheadLogs,
                        OsPath.directory(dbLogDir, database), database))
                .distinct().sorted(Comparator.comparingInt(Path::getNameCount).reversed()).toList();
        directories.stream().filter(Files::exists).forEach(before::add);
        if (isCreating) {
            before.addAll(databaseFiles());
        }
    }

    /** Makes the directories above a new database, because RocksDB makes only the database's own. */
    public void makeParents() {
        Path parent = database.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        try {
            Files.createDirectories(parent);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the new files and directories after opening failed. */
    public void remove() {
        if (isCreating) {
            removeDatabase();
        }
        for (Path directory : directories) {
            if (!before.contains(directory)) {
                delete(directory);
            }
        }
    }

    private void removeDatabase() {
        List<Path> added = databaseFiles().stream().filter(file -> !before.contains(file))
                // CURRENT first: without it this is no longer a database. The lock last: it protects the other files.
                .sorted(Comparator.comparing((Path file) -> !file.endsWith("CURRENT"))
                        .thenComparing(file -> file.endsWith("LOCK")))
                .toList();
        // Another process may have created the database at the same time, which made opening fail, or just after that.
        if (FileLocks.ofDatabase(database) == null && added.stream().allMatch(OpeningCleanup::isEmpty)) {
            added.forEach(OpeningCleanup::delete);
        }
    }

    /** Returns whether it is a file of a database without data. */
    private static boolean isEmpty(Path file) {
        return is(OWN, file) || (is(WRITE_AHEAD_LOG, file) && file.toFile().length() == 0);
    }

    private static boolean is(Pattern pattern, Path file) {
        return pattern.matcher(file.getFileName().toString()).matches();
    }

    /** Returns all files in the database's directory, and the write-ahead logs in their own. */
    private Set<Path> databaseFiles() {
        Set<Path> files = new HashSet<>(files(database));
        files(writeAheadLogs).stream().filter(file -> is(WRITE_AHEAD_LOG, file)).forEach(files::add);
        return files;
    }

    private static List<Path> files(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !Files.isDirectory(file)).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** Deletes a file, or a directory if it is empty. */
    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // Not empty, or not writable: the caller learns of the failure to open.
        }
    }
}
