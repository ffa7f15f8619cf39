package dev.outcrop.queue;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLock;
import dev.outcrop.queue.internal.repair.Repair;
import dev.outcrop.queue.internal.tailers.TailerPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Verifies, repairs and deletes the files of a queue that is not open for writing. {@code docs/queue-format.md} describes the files, and
 * its section "Repair" says what happens to damaged files.
 *
 * <p>Thread-safe. Verifying and repairing take as long as reading the queue from the disk.
 */
public final class QueueFiles {
    static {
        QueueFailures.install();
    }

    /** The files and directories of a queue, without its lock. */
    private static final Pattern OWN = Pattern
            .compile("queue|queue\\.new|repair\\.(new|moved)|groups|tailers|quarantine|\\d+\\.(segment|spare)");

    private QueueFiles() {
    }

    /**
     * Reads all of a queue. Changes nothing.
     *
     * @param directory the queue's
     * @return what is there, and all damage
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if a file cannot be read
     * @throws QueueLockedException     if the queue is open for writing
     * @throws QueueException           if there is no queue in the directory
     */
    public static QueueCheck verify(Path directory) {
        return verify(directory, _ -> {
            // No progress is reported.
        });
    }

    /**
     * Does the same as {@link #verify(Path)}, and reports the progress.
     *
     * @param directory the queue's
     * @param progress  gets the number of bytes of segments that were read, at the start of each segment
     * @return what is there, and all damage
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if a file cannot be read
     * @throws QueueLockedException     if the queue is open for writing
     * @throws QueueException           if there is no queue in the directory
     */
    public static QueueCheck verify(Path directory, LongConsumer progress) {
        Objects.requireNonNull(progress, "progress");
        return read("The queue " + directory + " cannot be verified", directory, queue -> {
            try (QueueLock _ = QueueLock.acquire(queue)) {
                return new Verification(queue, progress).run();
            }
        });
    }

    private interface Reading<T> {
        T run(Path queue) throws IOException;
    }

    /** Reads an existing queue. The message of a failure begins with {@code failed}. */
    private static <T> T read(String failed, Path directory, Reading<T> reading) {
        try {
            return reading.run(existing(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(failed + ": " + FailureText.of(e), e);
        }
    }

    /**
     * Reads all of a queue that another process may have open, as a {@link Tailer} does. The writer continues undisturbed, and keeps the
     * files that are being read. Records that are appended or acknowledged meanwhile do not count.
     *
     * @param directory the queue's
     * @return what is there at this moment
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if a file cannot be read, or the queue's directory {@code tailers} cannot be written
     * @throws QueueException           if there is no queue in the directory
     * @throws QueueCorruptException    if it is damaged
     */
    public static QueueSurvey survey(Path directory) {
        return read("The queue " + directory + " cannot be read", directory, SurveyReader::read);
    }

    /**
     * Makes a damaged queue whole again, without its damaged records. Nothing is deleted: a removed part goes to the directory
     * {@code quarantine} beside the segments, and is on the disk there before it is replaced. A damaged record keeps its offset, but counts
     * as withdrawn, and no reader gets it. A consumer group with a damaged file gets all records again.
     *
     * <p>A sound queue is not changed. If a repair is interrupted, or fails because the disk is full, for example, it can be run again.
     *
     * @param directory the queue's
     * @return what was found, as {@link #verify} returns it, and what was done
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if a file cannot be read or written
     * @throws QueueLockedException     if the queue is open for writing
     * @throws QueueException           if there is no queue in the directory, or not enough is left to tell what belongs to it
     */
    public static QueueCheck repair(Path directory) {
        return repair(directory, _ -> {
            // No progress is reported.
        });
    }

    /**
     * Does the same as {@link #repair(Path)}, and reports the progress of looking for damage, as {@link #verify(Path, LongConsumer)} does.
     *
     * @param directory the queue's
     * @param progress  gets the number of bytes of segments that were read, at the start of each segment
     * @return what was found, as {@link #verify} returns it, and what was done
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if a file cannot be read or written
     * @throws QueueLockedException     if the queue is open for writing
     * @throws QueueException           if there is no queue in the directory, or not enough is left to tell what belongs to it
     */
    public static QueueCheck repair(Path directory, LongConsumer progress) {
        Objects.requireNonNull(progress, "progress");
        return read("The queue " + directory + " cannot be repaired", directory, queue -> {
            try (QueueLock _ = QueueLock.acquire(queue)) {
                QueueCheck found = new Verification(queue, progress).run();
                return found.isSound() ? found : found.repaired(new Repair(queue).run());
            } catch (InternalError e) {
                throw new QueueException("The queue " + directory
                        + " cannot be repaired: a file became shorter meanwhile, or its disk has failed. Try again", e);
            }
        });
    }

    /**
     * Deletes the files of a queue, even if it is damaged. Other files in the directory stay. The directory stays too if it has other
     * files, or if the path is a symbolic link. Does nothing if there is no such directory, or if it has files but no queue. A {@link Tailer} that reads
     * the queue throws {@link QueueException} when it has come to the end.
     *
     * @param directory the queue's
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if a file cannot be deleted
     * @throws QueueLockedException     if the queue is open for writing; nothing is deleted then
     */
    public static void delete(Path directory) {
        requireOfSystem(directory);
        if (!Files.isDirectory(directory)) {
            return;
        }
        try {
            Path queue = directory.toRealPath();
            if (!isQueue(queue) && !isEmpty(queue)) {
                // A foreign directory may have files with the same names.
                return;
            }
            try (QueueLock lock = QueueLock.acquire(queue)) {
                for (Path file : files(queue)) {
                    deleteAll(file);
                }
                // Last, and while it is held, so that no other process begins before.
                lock.delete();
            }
            // Not the target of a symbolic link: no queue could be opened through the link then.
            if (isEmpty(queue) && !Files.isSymbolicLink(directory)) {
                Files.deleteIfExists(queue);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + directory + " cannot be deleted: " + FailureText.of(e), e);
        }
    }

    /**
     * Returns the names of the tailers for which records are kept; see {@link Tailer#open(Path, String)}. The queue may be open.
     *
     * @param directory the queue's
     * @return the names, in order
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if the directory cannot be read
     * @throws QueueException           if there is no queue in the directory
     */
    public static Set<String> tailers(Path directory) {
        return read("The tailers of queue " + directory + " cannot be listed", directory, TailerPosition::names);
    }

    /**
     * Forgets a tailer's name, so that the queue no longer keeps records for it. The queue may be open.
     *
     * @param directory the queue's
     * @param name      of the tailer
     * @return whether there was one
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if its file cannot be deleted
     * @throws QueueLockedException     if the tailer is open
     * @throws QueueException           if there is no queue in the directory
     */
    public static boolean deleteTailer(Path directory, String name) {
        Objects.requireNonNull(name, "name");
        return read("Tailer " + name + " of queue " + directory + " cannot be deleted", directory,
                queue -> TailerPosition.delete(queue, name));
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            // The files that identify a queue last, so that this can be done again if it fails.
            return files.filter(file -> OWN.matcher(file.getFileName().toString()).matches())
                    .sorted(Comparator.comparing(QueueFiles::isTelling)).toList();
        }
    }

    private static boolean isTelling(Path file) {
        return file.endsWith(QueueFile.NAME) || QueueDirectory.offset(file) >= 0;
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    private static void deleteAll(Path file) throws IOException {
        try (Stream<Path> files = Files.walk(file)) {
            // The content of a directory before the directory.
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static boolean isQueue(Path directory) throws IOException {
        return Files.isRegularFile(directory.resolve(QueueFile.NAME))
                || !QueueDirectory.segments(directory).isEmpty();
    }

    private static Path existing(Path directory) throws IOException {
        requireOfSystem(directory);
        if (!Files.isDirectory(directory) || !isQueue(directory)) {
            throw missing(directory, "it has neither a file '" + QueueFile.NAME + "' nor a segment");
        }
        return directory.toRealPath();
    }

    /** Refuses paths inside of a zip file and the like: their files cannot be mapped into memory. */
    static void requireOfSystem(Path directory) {
        FileSystem system = Objects.requireNonNull(directory, "directory").getFileSystem();
        if (!system.equals(FileSystems.getDefault())) {
            throw new IllegalArgumentException("A queue needs files of the operating system, but the path " + directory
                    + " belongs to a file system of the kind '" + system.provider().getScheme()
                    + "'. Give a path of the default file system, as Path.of(String) makes it");
        }
    }

    /** The exception for a place without a queue. Its message contains {@code why} if there is a directory. */
    static QueueException missing(Path directory, String why) {
        String found = Files.exists(directory) ? "that is not a directory" : "there is no such directory";
        return new QueueException(
                "There is no queue in " + directory + ": " + (Files.isDirectory(directory) ? why : found)
                        + "; give the directory that a queue was opened in");
    }
}
