package dev.outcrop.cli.pipe;

import java.io.Serial;

/** A record of an input that becomes no entry. */
final class BadRecordException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the exception; the message follows the place of the record. */
    BadRecordException(String problem) {
        // There may be many of them, and their stacks say nothing.
        super(problem, null, false, false);
    }

    String problem() {
        return String.valueOf(getMessage());
    }
}
