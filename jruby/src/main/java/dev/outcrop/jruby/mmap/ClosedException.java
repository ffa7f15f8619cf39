package dev.outcrop.jruby.mmap;

/** A queue was used after it was closed, or after an error that ended a call half-way: Ruby's {@code IOError}. */
final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClosedException(String message) {
        super(message);
    }
}
