package dev.outcrop.memory;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Uses file channels, and waits, in threads that may be interrupted: an interrupt would close the channel or end the wait. If the thread
 * was interrupted, its interrupt status is set again afterwards.
 */
public final class Uninterrupted {
    private Uninterrupted() {
    }

    /**
     * Work that opens a channel, and can be repeated from the start.
     *
     * @param <T> of its result
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /**
         * Does the work.
         *
         * @return the result
         * @throws IOException if it fails
         */
        T run() throws IOException;
    }

    /**
     * Does the work, and starts it again each time an interrupt has closed its channel.
     *
     * @param <T>  of its result
     * @param work to be done
     * @return the result
     * @throws IOException if it fails for another reason
     */
    public static <T extends @Nullable Object> T get(Work<T> work) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException | FileLockInterruptionException e) {
                    // Clears the interrupt for the next attempt.
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            interruptAgain(isInterrupted);
        }
    }

    /** Work without a result that opens a channel, and can be repeated from the start. */
    @FunctionalInterface
    public interface Action {
        /**
         * Does the work.
         *
         * @throws IOException if it fails
         */
        void run() throws IOException;
    }

    /**
     * Does the same as {@link #get}, without a result.
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

    /** A wait that can be repeated if an interrupt has ended it. */
    @FunctionalInterface
    public interface Waiting {
        /**
         * Waits.
         *
         * @throws InterruptedException if the thread is interrupted
         */
        void run() throws InterruptedException;
    }

    /**
     * Waits, and starts again each time an interrupt has ended the wait.
     *
     * @param waiting such as {@link Thread#join()}
     */
    public static void await(Waiting waiting) {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    waiting.run();
                    return;
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            interruptAgain(isInterrupted);
        }
    }

    /**
     * Parks once, for a loop that checks its condition again. Clears an interrupt, which would turn the loop into spinning.
     *
     * @param blocker the object that waits
     * @param nanos   how long at most; {@link Long#MAX_VALUE} for no limit
     * @return whether the thread was interrupted, for {@link #interruptAgain} after the loop
     */
    public static boolean park(Object blocker, long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, nanos);
        }
        return Thread.interrupted();
    }

    /**
     * Restores an interrupt that was cleared.
     *
     * @param wasInterrupted whether there was one
     */
    public static void interruptAgain(boolean wasInterrupted) {
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
