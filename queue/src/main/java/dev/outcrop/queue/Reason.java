package dev.outcrop.queue;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Why the file system has failed, for messages. */
final class Reason {
    private Reason() {
    }

    static String of(IOException e) {
        String message = e.getMessage();
        if (message != null && (!(e instanceof FileSystemException failed) || failed.getReason() != null)) {
            return message;
        }
        // It says at most which file it is about, and only by its class what is wrong with that: that it must not be read, say.
        return e.getClass().getSimpleName() + ": " + message;
    }
}
