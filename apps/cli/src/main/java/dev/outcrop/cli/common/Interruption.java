package dev.outcrop.cli.common;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C during a command: the command ends its work cleanly and says how far it came, and only then the program
 * ends, with 130.
 */
public final class Interruption implements AutoCloseable {
    /** The exit code of a program that was interrupted, which is the JVM's own. */
    public static final int EXIT_CODE = 130;
    /** The time in which abandonable work may still end, in milliseconds. */
    private static final long PATIENCE = 500;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "interruption");
    private @Nullable Runnable stop;
    /** True if an interrupted command may leave slow work unfinished. */
    private volatile boolean mayAbandon;
    private volatile boolean isRequested;

    private Interruption() {
    }

    /** Begins to listen; a command does so once, and closes it when its work has ended. */
    public static Interruption listen() {
        Interruption interruption = new Interruption();
        try {
            // The JVM answers the signal with its shutdown, and waits for hooks.
            Runtime.getRuntime().addShutdownHook(interruption.hook);
        } catch (IllegalStateException e) {
            // The signal came before.
            interruption.isRequested = true;
        }
        return interruption;
    }

    /** Tells whether the command is to end its work. */
    public boolean isRequested() {
        return isRequested;
    }

    /**
     * Sets the action by which an interruption makes a long call end early, in the place of the one before; runs it at once if it has come
     * already.
     */
    public synchronized void stopBy(Runnable action) {
        stop = action;
        if (isRequested) {
            action.run();
        }
    }

    /** Begins work that may be abandoned at any time, since it changes nothing. It may be waiting, and unable to end by itself. */
    public void mayAbandon() {
        mayAbandon = true;
    }

    /** Begins work that must end before the program does; the state at the start. */
    public void mustWait() {
        mayAbandon = false;
    }

    private void interrupt() {
        try {
            request();
        } finally {
            awaitEnd();
        }
    }

    private synchronized void request() {
        isRequested = true;
        if (stop != null) {
            stop.run();
        }
    }

    private void awaitEnd() {
        try {
            while (!ended.await(PATIENCE, TimeUnit.MILLISECONDS) && !mayAbandon) {
                // The command ends at its next check.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the interruption's wait for the command. */
    @Override
    public void close() {
        ended.countDown();
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and runs the hook.
            isRequested = true;
        }
    }
}
