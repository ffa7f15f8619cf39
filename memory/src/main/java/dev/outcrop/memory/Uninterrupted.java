package dev.outcrop.memory;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Works with file channels although this thread is, or becomes, interrupted, which closes them, and waits for others meanwhile. The thread
 * is interrupted afterwards if it was.
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
            interruptAgain(isInterrupted);
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

    /** What waits, and can be done again if an interrupt has ended it. */
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
     * Waits, again each time when an interrupt has ended it.
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
     * Parks once, for those who look again in a loop. An interrupt is taken away, because it would turn the loop into spinning.
     *
     * @param blocker who waits
     * @param nanos   how long at most; {@link Long#MAX_VALUE} for as long as it takes
     * @return whether the thread was interrupted, which {@link #interruptAgain} is to be told after the loop
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
     * Gives an interrupt back that was taken away.
     *
     * @param wasInterrupted whether there was one
     */
    public static void interruptAgain(boolean wasInterrupted) {
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
