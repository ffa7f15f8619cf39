package dev.outcrop.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What the libraries log: with stack traces, and for programs. */
public final class LibraryLog {
    /** Held here, because the JDK forgets the level of a logger that nobody holds. */
    private static final Logger LOG = Logger.getLogger("dev.outcrop");

    private LibraryLog() {
    }

    /** Logs nothing from here on: what matters of it comes as an exception too, which the command says in one line. */
    public static void silence() {
        LOG.setLevel(Level.OFF);
    }
}
