package dev.outcrop.queue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The warnings that a class of the queue logs until this is closed. */
final class LoggedWarnings extends Handler implements AutoCloseable {
    final List<String> messages = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Runnable also;

    LoggedWarnings(String name) {
        this(name, () -> {
        });
    }

    LoggedWarnings(String name, Runnable also) {
        this.also = also;
        logger = Logger.getLogger("dev.outcrop.queue." + name);
        logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord logged) {
        if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
            messages.add(logged.getMessage());
            also.run();
        }
    }

    @Override
    public void flush() {
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
