package dev.outcrop.cli.pipe;

import java.io.Serial;

/** A record that cannot become an entry. */
final class BadRecordException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    /** With the reason, which follows the place of the record in a message. */
    BadRecordException(String problem) {
        // There may be many of them, and their stacks are never shown.
        super(problem, null, false, false);
    }

    String problem() {
        return String.valueOf(getMessage());
    }
}
