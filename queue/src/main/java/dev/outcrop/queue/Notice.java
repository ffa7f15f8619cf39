package dev.outcrop.queue;

import org.jspecify.annotations.Nullable;

/** Tells the JDK's log what nobody is waiting to be told. */
final class Notice {
    private Notice() {
    }

    /** Logs; does nothing if that fails: the JDK's logging is unusable if it was first used without memory or stack, and the queue need not be. */
    static void log(Class<?> source, System.Logger.Level level, String text, @Nullable Throwable cause) {
        try {
            System.getLogger(source.getName()).log(level, text, cause);
        } catch (LinkageError | OutOfMemoryError | StackOverflowError e) {
            // Nobody is left who could be told.
            return;
        }
    }

    /** Logs a warning. */
    static void warn(Class<?> source, String text, @Nullable Throwable cause) {
        log(source, System.Logger.Level.WARNING, text, cause);
    }
}
