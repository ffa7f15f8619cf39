package dev.outcrop.queue.internal;

import org.jspecify.annotations.Nullable;

/** Tells the JDK's log what nobody is waiting to be told. */
public final class Notice {
    /** Loggers have names of their own: in which package a class is, is nobody's business. */
    private static final String LOGGERS = "dev.outcrop.queue.";

    private Notice() {
    }

    /**
     * Logs; does nothing if that fails: the JDK's logging is unusable if it was first used without memory or stack, and the queue need not
     * be.
     */
    public static void log(Class<?> source, System.Logger.Level level, String text, @Nullable Throwable cause) {
        try {
            System.getLogger(LOGGERS + source.getSimpleName()).log(level, text, cause);
        } catch (LinkageError | OutOfMemoryError | StackOverflowError e) {
            // Nobody is left who could be told.
            return;
        }
    }

    /** Logs a warning. */
    public static void warn(Class<?> source, String text, @Nullable Throwable cause) {
        log(source, System.Logger.Level.WARNING, text, cause);
    }
}
