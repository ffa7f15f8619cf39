package dev.outcrop.queue;

import org.jspecify.annotations.Nullable;

/**
 * The queue accepts nothing more, because something was left half done. Close it, and open it again: all records whose append has returned
 * are in it, and those that were not finished are withdrawn.
 *
 * <p>Either writing to the disk has failed: the kernel may have dropped the pages that it could not write. Records that were called durable
 * are so, the others can still be read. See to the disk before the queue is opened again; then what the kernel has kept is written once
 * more. Or a thread has run out of stack or memory in the middle of a change: of the queue, or of one consumer group, which alone throws
 * this then.
 */
public final class QueuePoisonedException extends QueueException {
    private static final long serialVersionUID = 1L;

    QueuePoisonedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
