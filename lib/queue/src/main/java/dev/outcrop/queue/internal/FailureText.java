package dev.outcrop.queue.internal;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Objects;

/** The reason of a failure, without a full stop at its end, because the message continues behind it. */
public final class FailureText {
    private FailureText() {
    }

    /** The reason of a failure of the file system. */
    public static String of(IOException e) {
        String message = e.getMessage();
        if (message != null && (!(e instanceof FileSystemException failed) || failed.getReason() != null)) {
            return withoutStop(message);
        }
        // The message only names the file, and the class what is wrong with it.
        return withoutStop(e.getClass().getSimpleName() + ": " + message);
    }

    /** The reason of a failure of other code. */
    public static String of(Exception e) {
        return e instanceof IOException failed
                ? of(failed)
                : withoutStop(Objects.requireNonNullElseGet(e.getMessage(), e::toString));
    }

    private static String withoutStop(String text) {
        return text.endsWith(".") && !text.endsWith("..") ? text.substring(0, text.length() - 1) : text;
    }
}
