package dev.outcrop.jruby;

/** Something was used after it was closed: Ruby's {@code IOError}. */
final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClosedException(String what) {
        super(what + " is closed");
    }

    ClosedException(String what, String why) {
        super(what + " is closed: " + why);
    }
}
