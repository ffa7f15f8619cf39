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

    /** Takes one line for the user: the failure, the value, and the remedy. */
    public Failure(String message) {
        super(message);
    }

    /** Also takes the exception that was caught. */
    public Failure(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Describes a failure of the file system. The message begins with the action that failed, such as {@code "cannot create the
     * directory"}.
     */
    public static Failure of(String what, IOException cause) {
        return new Failure(what + ": " + reason(cause), cause);
    }

    /** Describes a failure of the file system that comes from a call that must not throw IOException. */
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
