package dev.outcrop.rocksdb;

import java.util.Objects;

/**
 * Takes the messages that RocksDB otherwise writes to the file LOG in the database's directory. Set it with
 * {@link Options#infoLog(InfoLogger, InfoLogLevel)}. It is called from any thread, from several at the same time, and while RocksDB holds
 * locks: it must return soon. If it throws, the message is lost, the
 * exception is logged, and thrown to the caller of the method that led to the message, if there is one.
 *
 * <p>A logger must not use the databases that it logs for, not even read them, nor objects that belong to them: that throws {@link
 * IllegalStateException}. Other databases can be read and written, but their flushes and compactions cannot be waited for. A logger that
 * waits for another thread that does any of this may deadlock.
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
