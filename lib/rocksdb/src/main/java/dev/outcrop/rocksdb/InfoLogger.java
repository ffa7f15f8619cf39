package dev.outcrop.rocksdb;

import java.util.Objects;

/**
 * Takes the messages that RocksDB otherwise writes to the file LOG in the database's directory. Set it with {@link
 * Options#infoLog(InfoLogger, InfoLogLevel)}. RocksDB calls it from any thread, from several at the same time, and while it holds locks: a
 * logger must return soon. If a logger throws, the message is lost and the exception is logged; the method that led to the message throws
 * it, if there is one.
 *
 * <p>A logger must not use the databases that it logs for, not even to read, nor their objects: that throws {@link IllegalStateException}.
 * It can read and write other databases, but cannot wait for their flushes and compactions. A logger that waits for another thread that
 * does any of this may deadlock.
 */
@FunctionalInterface
public interface InfoLogger {
    /**
     * Takes a message.
     *
     * @param level   how important it is
     * @param message its text, without a time
     */
    void log(InfoLogLevel level, String message);

    /**
     * Makes a logger that passes messages to one of Java's. Warnings and errors keep their level; headers, which have the configuration of
     * the database, become {@link System.Logger.Level#INFO}.
     *
     * @param logger where messages go
     * @return a logger for {@link Options#infoLog(InfoLogger, InfoLogLevel)}
     */
    static InfoLogger to(System.Logger logger) {
        Objects.requireNonNull(logger, "logger");
        return (level, message) -> logger.log(switch (level) {
            case DEBUG -> System.Logger.Level.DEBUG;
            case INFO, HEADER -> System.Logger.Level.INFO;
            case WARN -> System.Logger.Level.WARNING;
            case ERROR, FATAL -> System.Logger.Level.ERROR;
        }, message);
    }
}
