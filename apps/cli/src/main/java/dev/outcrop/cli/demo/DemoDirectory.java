package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;

/**
 * The directory that the demo writes into, and the only directory in which it deletes files.
 *
 * <pre>
 * DIR/.outcrop-demo     says that the directory is the demo's; locked while a demo runs
 * DIR/last/             what a run works on; deleted at its end, or by the next run if it was killed
 * DIR/kept-TIME/        those of a run with --keep: never deleted
 * </pre>
 *
 * The demo refuses a directory that holds other files but no such marker. At the end it deletes everything except kept runs, including the
 * directory if the demo has created it.
 */
final class DemoDirectory implements AutoCloseable {
    private static final String MARKER = ".outcrop-demo";
    private static final String LAST = "last";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS");

    private final Path directory;
    private final FileChannel marker;
    private final boolean isNew;
    private boolean keepsLast;

    private DemoDirectory(Path directory, FileChannel marker, boolean isNew) {
        this.directory = directory;
        this.marker = marker;
        this.isNew = isNew;
    }

    /** Takes a directory for one run and creates it if needed. Until {@link #close}, other runs cannot use it. */
    static DemoDirectory claim(Path directory) {
        Path file = directory.resolve(MARKER);
        try {
            boolean isNew = !Files.exists(directory);
            Files.createDirectories(directory);
            if (!Files.exists(file) && !Directories.isEmpty(directory)) {
                throw new Failure(
                        "will not write into " + directory + ": it is not empty and was not made by this demo; "
                                + "give another directory with --dir");
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!lock(channel)) {
                channel.close();
                throw new Failure("another demo is running in " + directory + "; wait for it or give another --dir");
            }
            return new DemoDirectory(directory, channel, isNew);
        } catch (IOException e) {
            throw Failure.of("cannot use " + directory + " for the demo", e);
        }
    }

    /** Keeps the directory of this run until the next run. */
    void keepLast() {
        keepsLast = true;
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // held by this JVM itself
        }
    }

    /** Makes the empty directory of a new run. Without {@code keep}, first deletes the directory of the last such run. */
    Path newRun(boolean keep) {
        Path run = directory.resolve(keep ? "kept-" + TIME.format(LocalDateTime.now(ZoneId.systemDefault())) : LAST);
        try {
            Directories.delete(run);
            return Files.createDirectory(run);
        } catch (IOException e) {
            throw Failure.of("cannot make the directory of this run", e);
        }
    }

    /** Fails unless the file system has room for this many more bytes. */
    void requireSpace(long bytes) {
        try {
            long free = Files.getFileStore(directory).getUsableSpace();
            if (free < bytes) {
                throw new Failure(
                        String.format("%s has %,d MB free and the demo needs %,d MB; free some, or give another --dir,"
                                + " or fewer classes with --limit", directory, free / 1_000_000, bytes / 1_000_000));
            }
        } catch (IOException e) {
            throw Failure.of("cannot ask how much space is free", e);
        }
    }

    /** Deletes everything except kept runs, and lets the next run use the directory. */
    @Override
    public void close() {
        try (marker) {
            if (!keepsLast) {
                Directories.delete(directory.resolve(LAST));
            }
            Path file = directory.resolve(MARKER);
            if (holdsOnly(file)) {
                Files.delete(file);
                if (isNew) {
                    Files.delete(directory);
                }
            }
        } catch (IOException e) {
            throw Failure.of("cannot clean up " + directory, e);
        }
    }

    private boolean holdsOnly(Path file) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.allMatch(file::equals);
        }
    }
}
