package dev.outcrop.queue;

import org.jspecify.annotations.Nullable;

/** A queue refused or failed an operation. The message says what failed, with which value, and what to do about it. */
public class QueueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    QueueException(String message) {
        super(message);
    }

    QueueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
