package dev.outcrop.queue;

/** The queue is full, and the append must not wait, or not longer. Nothing was written. */
public final class QueueFullException extends QueueException {
    private static final long serialVersionUID = 1L;

    QueueFullException(String message) {
        super(message);
    }
}
