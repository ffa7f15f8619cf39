package dev.outcrop.rocksdb;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Catches the log records of exceptions that callbacks threw, instead of printing them. */
final class CallbackLog extends Handler implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(CallbackLog.class.getPackageName());

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    CallbackLog() {
        LOGGER.addHandler(this);
        LOGGER.setUseParentHandlers(false);
    }

    List<LogRecord> records() {
        return records;
    }

    @Override
    public void publish(LogRecord logged) {
        records.add(logged);
    }

    @Override
    public void flush() {
    }

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setUseParentHandlers(true);
    }
}
