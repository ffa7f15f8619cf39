package dev.outcrop.queue;

import org.jspecify.annotations.Nullable;

/**
 * The queue accepts nothing more, because something was left half done. Close it, and open it again: it then has all records whose append
 * has returned, and unfinished records are withdrawn.
 *
 * <p>There are two causes. Either writing to the disk has failed: the kernel may have dropped the pages that it could not write. Records
 * that were called durable are durable, and the others can still be read. Repair the disk before you open the queue again; opening it
 * writes once more what the kernel has kept. Or a thread has run out of stack or memory in the middle of a change, of the queue or of one
 * consumer group. In the latter case, only that group throws this exception.
 */
public final class QueuePoisonedException extends QueueException {
    private static final long serialVersionUID = 1L;

    QueuePoisonedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
