package dev.outcrop.cli.common;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the libraries log: with stack traces, and for programs. */
public final class LibraryLog {
    /** Held here, because the JDK forgets the level of a logger that nobody holds. */
    private static final List<Logger> SILENT = new CopyOnWriteArrayList<>();

    private LibraryLog() {
    }

    /**
     * Has a logger, and those below it, log nothing from here on. Only for what matters to nobody, or comes as an exception too, which the
     * command says in one line: some of what is lost is only logged.
     *
     * @param name of the logger
     */
    public static void silence(String name) {
        Logger logger = Logger.getLogger(name);
        logger.setLevel(Level.OFF);
        SILENT.add(logger);
    }
}
