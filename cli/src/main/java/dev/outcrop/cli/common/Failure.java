package dev.outcrop.cli.common;

import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** A failure that a person can act on: the program prints its message as one line and exits with code 1. */
public final class Failure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * A failure with a message for the user.
     *
     * @param message what failed, with which value, and what to do about it; one line
     */
    public Failure(String message) {
        super(message);
    }

    /**
     * A failure of the file system, in words.
     *
     * @param what what was being done, such as {@code "cannot create the database directory"}
     * @param cause why it failed
     * @return the failure to throw
     */
    public static Failure of(String what, IOException cause) {
        Failure failure = new Failure(what + ": " + reason(cause));
        failure.initCause(cause);
        return failure;
    }

    /**
     * As {@link #of(String, IOException)}, where one comes out of something that must not throw it.
     *
     * @param what  what was being done
     * @param cause why it failed
     * @return the failure to throw
     */
    public static Failure of(String what, UncheckedIOException cause) {
        return of(what, Objects.requireNonNull(cause.getCause()));
    }

    private static String reason(IOException cause) {
        return switch (cause) {
            case AccessDeniedException e -> e.getFile() + ": permission denied";
            case NoSuchFileException e -> e.getFile() + ": no such file or directory";
            case FileAlreadyExistsException e -> e.getFile() + " exists and is not a directory";
            case FileSystemException e when e.getReason() != null -> e.getFile() + ": " + e.getReason();
            default -> {
                String message = cause.getMessage();
                yield message == null ? cause.getClass().getSimpleName() : message;
            }
        };
    }
}
