package dev.outcrop.queue;

import org.jspecify.annotations.Nullable;

/**
 * Writing to the disk has failed once, so nobody knows any more what is on it; the kernel may have dropped the pages that it could not
 * write. Nothing more is appended or called durable. What was called durable before is so; the rest can still be read. Close the queue, see
 * to the disk, and open it again: then what the kernel has kept is written once more. Or there was no stack or memory left to finish a
 * record, which is withdrawn when the queue is opened again.
 */
public final class QueuePoisonedException extends QueueException {
    private static final long serialVersionUID = 1L;

    QueuePoisonedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
