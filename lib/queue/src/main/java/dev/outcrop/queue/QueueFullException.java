package dev.outcrop.queue;

/** The queue holds as much as it may, and the append was not to wait, or not longer. Nothing was written. */
public final class QueueFullException extends QueueException {
    private static final long serialVersionUID = 1L;

    QueueFullException(String message) {
        super(message);
    }
}
