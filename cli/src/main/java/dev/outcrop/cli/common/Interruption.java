package dev.outcrop.cli.common;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C while a command works: the command ends its work cleanly and says how far it came, and only then the program
 * ends, with 130.
 */
public final class Interruption implements AutoCloseable {
    /** How a program ends that was interrupted, as the JVM itself does. */
    public static final int EXIT_CODE = 130;
    /** How long work may take to end that may be given up, in milliseconds. */
    private static final long PATIENCE = 500;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "interruption");
    private @Nullable Runnable stop;
    /** Whether what runs may be given up when the command does not end it soon. */
    private volatile boolean mayAbandon;
    private volatile boolean isRequested;

    private Interruption() {
    }

    /**
     * Begins to listen; a command does so once, and closes it when its work has ended.
     *
     * @return knows whether the command is to end its work
     */
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

    /**
     * Whether the command is to end its work.
     *
     * @return false until somebody has interrupted it
     */
    public boolean isRequested() {
        return isRequested;
    }

    /**
     * Has an interruption call something that makes a long call end early; at once if it has come already.
     *
     * @param action takes the place of the one before
     */
    public synchronized void stopBy(Runnable action) {
        stop = action;
        if (isRequested) {
            action.run();
        }
    }

    /** Work begins that may be given up at any time, since it changes nothing: it may not get to where it can end by itself. */
    public void mayAbandon() {
        mayAbandon = true;
    }

    /** From here on the program ends only when the command has ended its work, as it does from the start. */
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
                // It ends when it comes to it.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command has ended its work. */
    @Override
    public void close() {
        ended.countDown();
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down: that is what the hook was for.
            isRequested = true;
        }
    }
}
