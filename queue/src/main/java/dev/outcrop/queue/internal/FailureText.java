package dev.outcrop.queue.internal;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Objects;

/** Why something has failed, as a part of a message that may go on behind it: without the full stop that it may end with. */
public final class FailureText {
    private FailureText() {
    }

    /** Why the file system has failed. */
    public static String of(IOException e) {
        String message = e.getMessage();
        if (message != null && (!(e instanceof FileSystemException failed) || failed.getReason() != null)) {
            return withoutStop(message);
        }
        // It says at most which file it is about, and only by its class what is wrong with that: that it must not be read, say.
        return withoutStop(e.getClass().getSimpleName() + ": " + message);
    }

    /** What code has thrown that is not ours. */
    public static String of(Exception e) {
        return e instanceof IOException failed
                ? of(failed)
                : withoutStop(Objects.requireNonNullElseGet(e.getMessage(), e::toString));
    }

    private static String withoutStop(String text) {
        // Not of dots that are no full stop.
        return text.endsWith(".") && !text.endsWith("..") ? text.substring(0, text.length() - 1) : text;
    }
}
