package dev.outcrop.cli.pipe;

import java.io.Serial;

/** A record of an input that becomes no entry. */
final class BadRecordException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    /** With what is wrong, in words that follow the place of the record. */
    BadRecordException(String problem) {
        // There may be many of them, and nobody looks at their stacks.
        super(problem, null, false, false);
    }

    String problem() {
        return String.valueOf(getMessage());
    }
}
