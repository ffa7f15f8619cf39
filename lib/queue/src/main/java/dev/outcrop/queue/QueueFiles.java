package dev.outcrop.queue;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLock;
import dev.outcrop.queue.internal.repair.Repair;
import dev.outcrop.queue.internal.tailers.TailerPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * Verifies, repairs and deletes the files of a queue that is not open for writing. {@code docs/queue-format.md} describes them, and in its section "Repair" what happens to damaged ones.
 *
 * <p>Thread-safe. All of it takes as long as reading the queue from the disk.
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
     * @throws UncheckedIOException if a file cannot be read
     * @throws QueueLockedException if the queue is open for writing
     * @throws QueueException       if there is no queue in the directory
     */
    public static QueueCheck verify(Path directory) {
        return verify(directory, _ -> {
            // No progress is reported.
        });
    }

    /**
     * As {@link #verify(Path)}, with a report of the progress.
     *
     * @param directory the queue's
     * @param progress  is told how many bytes of segments were read, each time when it comes to the next one
     * @return what is there, and all damage
     * @throws UncheckedIOException if a file cannot be read
     * @throws QueueLockedException if the queue is open for writing
     * @throws QueueException       if there is no queue in the directory
     */
    public static QueueCheck verify(Path directory, LongConsumer progress) {
        return read("The queue " + directory + " cannot be verified", directory, queue -> {
            try (QueueLock _ = QueueLock.acquire(queue)) {
                return new Verification(queue, progress).run();
            }
        });
    }

    private interface Reading<T> {
        T run(Path queue) throws IOException;
    }

    /** Reads an existing queue. The beginning of a message says what has failed. */
    private static <T> T read(String failed, Path directory, Reading<T> reading) {
        try {
            return reading.run(existing(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(failed + ": " + FailureText.of(e), e);
        }
    }

    /**
     * Reads all of a queue that another process may have open, as a {@link Tailer} does: the writer goes on undisturbed, and keeps the
     * files that are being read. What it appends and acknowledges meanwhile is not counted.
     *
     * @param directory the queue's
     * @return what is there at this moment
     * @throws UncheckedIOException  if a file cannot be read, or there is no writing to the queue's directory {@code tailers}
     * @throws QueueException        if there is no queue in the directory
     * @throws QueueCorruptException if it is damaged
     */
    public static QueueSurvey survey(Path directory) {
        return read("The queue " + directory + " cannot be read", directory, SurveyReader::read);
    }

    /**
     * Makes a damaged queue whole again, without its damaged records. Nothing is deleted: removed parts lie in the directory {@code
     * quarantine} beside the segments, and is on the disk before it is replaced. The offset of a damaged record stays, but it counts as
     * withdrawn and no reader is given it. A consumer group whose file is damaged is given all records again.
     *
     * <p>A sound queue is not changed. If this is interrupted, or fails because the disk is full, say, it can be done again.
     *
     * @param directory the queue's
     * @return what was found, as {@link #verify} would have, and what was done
     * @throws UncheckedIOException if a file cannot be read or written
     * @throws QueueLockedException if the queue is open for writing
     * @throws QueueException       if there is no queue in the directory, or not enough is left to tell what belongs to it
     */
    public static QueueCheck repair(Path directory) {
        return repair(directory, _ -> {
            // No progress is reported.
        });
    }

    /**
     * As {@link #repair(Path)}, with a report of the progress of looking for damage, as {@link #verify(Path, LongConsumer)} gives it.
     *
     * @param directory the queue's
     * @param progress  is told how many bytes of segments were read, each time when it comes to the next one
     * @return what was found, as {@link #verify} would have, and what was done
     * @throws UncheckedIOException if a file cannot be read or written
     * @throws QueueLockedException if the queue is open for writing
     * @throws QueueException       if there is no queue in the directory, or not enough is left to tell what belongs to it
     */
    public static QueueCheck repair(Path directory, LongConsumer progress) {
        return read("The queue " + directory + " cannot be repaired", directory, queue -> {
            try (QueueLock _ = QueueLock.acquire(queue)) {
                QueueCheck found = new Verification(queue, Objects.requireNonNull(progress, "progress")).run();
                return found.isSound() ? found : found.repaired(new Repair(queue).run());
            } catch (InternalError e) {
                throw new QueueException("The queue " + directory
                        + " cannot be repaired: a file became shorter meanwhile, or its disk has failed. Try again", e);
            }
        });
    }

    /**
     * Deletes the files of a queue, also of one that is damaged. Other files in the directory stay, and so does the directory then, or if
     * the path is a symbolic link. Does nothing if there is no such directory, or no queue in it. A {@link
     * Tailer} that reads the queue throws {@link QueueException} when it has come to the end.
     *
     * @param directory the queue's
     * @throws UncheckedIOException if a file cannot be deleted
     * @throws QueueLockedException if the queue is open for writing; nothing is deleted then
     */
    public static void delete(Path directory) {
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
            // Not the target of a symbolic link, behind which no queue could be opened then.
            if (isEmpty(queue) && !Files.isSymbolicLink(directory)) {
                Files.deleteIfExists(queue);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + directory + " cannot be deleted: " + FailureText.of(e), e);
        }
    }

    /**
     * Returns the names of tailers for which records are kept, see {@link Tailer#open(Path, String)}. The queue may be open.
     *
     * @param directory the queue's
     * @return in order
     * @throws UncheckedIOException if the directory cannot be read
     * @throws QueueException       if there is no queue in the directory
     */
    public static Set<String> tailers(Path directory) {
        return read("The tailers of queue " + directory + " cannot be listed", directory, TailerPosition::names);
    }

    /**
     * Forgets a tailer's name, so that nothing is kept for it any longer. The queue may be open.
     *
     * @param directory the queue's
     * @param name      of the tailer
     * @return whether there was one
     * @throws UncheckedIOException if its file cannot be deleted
     * @throws QueueLockedException if it is open
     * @throws QueueException       if there is no queue in the directory
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
        if (!Files.isDirectory(directory) || !isQueue(directory)) {
            throw missing(directory, "it has neither a file '" + QueueFile.NAME + "' nor a segment");
        }
        return directory.toRealPath();
    }

    /** The exception for a place without a queue; {@code why} is said if there is a directory. */
    static QueueException missing(Path directory, String why) {
        String found = Files.exists(directory) ? "that is not a directory" : "there is no such directory";
        return new QueueException(
                "There is no queue in " + directory + ": " + (Files.isDirectory(directory) ? why : found)
                        + "; give the directory that a queue was opened in");
    }
}
