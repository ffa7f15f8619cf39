package dev.outcrop.queue;

/** Another process, or another object of this one, has the queue open for writing. */
public final class QueueLockedException extends QueueException {
    private static final long serialVersionUID = 1L;

    QueueLockedException(String message) {
        super(message);
    }
}
