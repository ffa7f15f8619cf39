package dev.outcrop.memory;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import org.jspecify.annotations.Nullable;

/**
 * Works with file channels although this thread is, or becomes, interrupted, which closes them. The thread is interrupted afterwards if it was.
 */
public final class Uninterrupted {
    private Uninterrupted() {
    }

    /**
     * What opens a channel itself, and can be done again from the start.
     *
     * @param <T> of its result
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /**
         * Does it.
         *
         * @return what it results in
         * @throws IOException if it fails
         */
        T run() throws IOException;
    }

    /**
     * Does something, from the start again each time when an interrupt has closed its channel.
     *
     * @param <T>  of its result
     * @param work to be done
     * @return what it results in
     * @throws IOException if it fails for another reason
     */
    public static <T extends @Nullable Object> T get(Work<T> work) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException | FileLockInterruptionException e) {
                    // Which leaves the thread interrupted: not the next attempt.
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What opens a channel itself, can be done again from the start, and has no result. */
    @FunctionalInterface
    public interface Action {
        /**
         * Does it.
         *
         * @throws IOException if it fails
         */
        void run() throws IOException;
    }

    /**
     * As {@link #get}, without a result.
     *
     * @param action to be done
     * @throws IOException if it fails for another reason
     */
    public static void run(Action action) throws IOException {
        boolean _ = get(() -> {
            action.run();
            return true;
        });
    }
}
