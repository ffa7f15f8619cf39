package dev.outcrop.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks after the files of a queue that nobody has open for writing. {@code docs/queue-format.md} says what is in them, and in its section
 * "Repair" what becomes of what is damaged.
 *
 * <p>Thread-safe. All of it takes as long as reading the queue from the disk.
 */
public final class QueueFiles {
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
        try {
            Path queue = existing(directory);
            try (QueueLock _ = QueueLock.acquire(queue)) {
                return new Verification(queue).run();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + directory + " cannot be verified: " + e.getMessage(), e);
        }
    }

    /**
     * Makes a damaged queue whole again, without its damaged records. Nothing is deleted: what is taken out lies in the directory {@code
     * quarantine} beside the segments, and is on the disk before it is replaced. The offset of a damaged record stays, but it counts as withdrawn
     * and no reader is given it. A consumer group whose file is damaged is given all records again.
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
        try {
            Path queue = existing(directory);
            try (QueueLock _ = QueueLock.acquire(queue)) {
                QueueCheck found = new Verification(queue).run();
                if (found.isSound()) {
                    return found;
                }
                return new QueueCheck(found.directory(), found.slots(), found.segments(), found.groups(),
                        found.damages(), found.notes(), new Repair(queue).run());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + directory + " cannot be repaired: " + e.getMessage(), e);
        }
    }

    private static Path existing(Path directory) throws IOException {
        if (!Files.isDirectory(directory)
                || (!Files.isRegularFile(directory.resolve(QueueFile.NAME))
                        && QueueDirectory.segments(directory).isEmpty())) {
            throw new QueueException("There is no queue in " + directory + ": it has neither a file '" + QueueFile.NAME
                    + "' nor a segment");
        }
        return directory.toRealPath();
    }
}
