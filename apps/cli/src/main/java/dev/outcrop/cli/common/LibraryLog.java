package dev.outcrop.cli.common;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The log of the libraries. It has stack traces and is for programmers. */
public final class LibraryLog {
    /** The silenced loggers. They are held here, because the JDK forgets the level of a logger without references. */
    private static final List<Logger> SILENT = new CopyOnWriteArrayList<>();

    private LibraryLog() {
    }

    /**
     * Silences a logger, and the loggers below it. Use it only for events that matter to no user, or that also come as an exception, which
     * the command reports in one line. Some losses are only logged.
     */
    public static void silence(String name) {
        Logger logger = Logger.getLogger(name);
        logger.setLevel(Level.OFF);
        SILENT.add(logger);
    }
}
