package dev.outcrop.queue.internal;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that users know, made for the floors below, which must not know the package that they are in: the one thing that is handed
 * down to all of them. {@link #are} is called before anything else.
 */
public abstract class Failures {
    private static volatile @Nullable Failures known;

    /** For the public package. */
    protected Failures() {
    }

    /** Says how exceptions are made, in this JVM. */
    public static void are(Failures makers) {
        known = makers;
    }

    private static Failures makers() {
        return Objects.requireNonNull(known, "Failures.are");
    }

    // --- What the public package implements ---

    /** A file is not as it was written. */
    protected abstract RuntimeException makeCorrupt(Path file, long position, long offset, String what,
            @Nullable Throwable cause);

    /** Writing has failed. */
    protected abstract RuntimeException makePoisoned(String message, @Nullable Throwable cause);

    /** Somebody else has the queue open: a process, or -1 if it is not known which one. */
    protected abstract RuntimeException makeLocked(String message, long pid);

    /** There is no room. */
    protected abstract RuntimeException makeFull(String message);

    /** Anything else. */
    protected abstract RuntimeException makeRefused(String message, @Nullable Throwable cause);

    /** Whether it is one of {@link #makeCorrupt}. */
    protected abstract boolean isOfCorruption(RuntimeException e);

    /** Whether it is one of {@link #makePoisoned}. */
    protected abstract boolean isOfPoison(RuntimeException e);

    // --- What the floors call ---

    public static RuntimeException corrupt(Path file, long position, String what) {
        return makers().makeCorrupt(file, position, -1, what, null);
    }

    /** Of a record, or of several from one on. */
    public static RuntimeException corrupt(Path file, long position, long offset, String what) {
        return makers().makeCorrupt(file, position, offset, what, null);
    }

    public static RuntimeException corrupt(Path file, long position, long offset, String what, Throwable cause) {
        return makers().makeCorrupt(file, position, offset, what, cause);
    }

    public static boolean isCorruption(RuntimeException e) {
        return makers().isOfCorruption(e);
    }

    public static RuntimeException poisoned(String message, @Nullable Throwable cause) {
        return makers().makePoisoned(message, cause);
    }

    public static boolean isPoison(RuntimeException e) {
        return makers().isOfPoison(e);
    }

    public static RuntimeException locked(String message, long pid) {
        return makers().makeLocked(message, pid);
    }

    public static RuntimeException full(String message) {
        return makers().makeFull(message);
    }

    public static RuntimeException refused(String message) {
        return makers().makeRefused(message, null);
    }

    public static RuntimeException refused(String message, Throwable cause) {
        return makers().makeRefused(message, cause);
    }
}
