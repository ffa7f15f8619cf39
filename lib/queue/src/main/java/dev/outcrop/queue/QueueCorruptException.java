package dev.outcrop.queue;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of the queue is not as it was written. No damaged record was returned. Close the queue and run {@link QueueFiles#verify}
 * to see all of the damage, and {@link QueueFiles#repair} to go on without the damaged records.
 */
public final class QueueCorruptException extends QueueException {
    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long position;
    private final long offset;

    QueueCorruptException(Path file, long position, long offset, String what, @Nullable Throwable cause) {
        super(file + " is damaged at byte " + position + ": " + what
                + ". Close the queue, and see all of the damage with QueueFiles.verify", cause);
        this.file = file;
        this.position = position;
        this.offset = offset;
    }

    /**
     * Returns the damaged file.
     *
     * @return the damaged file
     */
    public Path file() {
        return file;
    }

    /**
     * Returns the position of the damage in the file.
     *
     * @return bytes from the file's start
     */
    public long position() {
        return position;
    }

    /**
     * Returns the offset of the damaged record.
     *
     * @return its offset, or the offset of the first one if there are several; -1 if it is not known which, for example because the file
     *         {@code queue} is damaged
     */
    public long offset() {
        return offset;
    }
}
