package dev.outcrop.cli.common;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Ctrl-C during a command. The command first ends its work cleanly and says how far it came. Then the program ends with 130. */
public final class Interruption implements AutoCloseable {
    /** The exit code of a program that was interrupted. The JVM itself uses the same code. */
    public static final int EXIT_CODE = 130;
    /** How long work that may be abandoned still has to end, in milliseconds. */
    private static final long PATIENCE = 500;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "interruption");
    private @Nullable Runnable stop;
    /** True if an interrupted command may leave slow work unfinished. */
    private volatile boolean mayAbandon;
    private volatile boolean isRequested;
    private volatile boolean isCutShort;

    private Interruption() {
    }

    /** Begins to listen. A command calls this method once, and closes the result when its work has ended. */
    public static Interruption listen() {
        Interruption interruption = new Interruption();
        try {
            // On the signal, the JVM shuts down and waits for hooks.
            Runtime.getRuntime().addShutdownHook(interruption.hook);
        } catch (IllegalStateException e) {
            // The signal came earlier.
            interruption.isRequested = true;
        }
        return interruption;
    }

    /** Tells whether the command should end its work. */
    public boolean isRequested() {
        return isRequested;
    }

    /** Tells whether the command should go on with its work. Call it only if work is left. */
    public boolean goesOn() {
        isCutShort |= isRequested;
        return !isCutShort;
    }

    /** Tells whether {@link #goesOn} has ended the work. Ctrl-C may also come when all is done. */
    public boolean isCutShort() {
        return isCutShort;
    }

    /**
     * Sets the action with which an interruption makes a long call end early. It replaces the previous action. If the interruption has
     * already come, runs the action at once.
     */
    public synchronized void stopBy(Runnable action) {
        stop = action;
        if (isRequested) {
            action.run();
        }
    }

    /** Begins work that may be abandoned at any time, because it changes nothing. Such work may be waiting and unable to end by itself. */
    public void mayAbandon() {
        mayAbandon = true;
    }

    /** Begins work that must end before the program ends. This is the initial state. */
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

    /** Lets the interruption stop waiting for the command. */
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
