package dev.outcrop.queue.internal;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the public exceptions for the packages below, which must not refer to the public package. {@link #are} is called before anything else.
 */
public abstract class Failures {
    private static volatile @Nullable Failures known;

    /** For the public package. */
    protected Failures() {
    }

    /** Sets how exceptions are made in this JVM. */
    public static void are(Failures makers) {
        known = makers;
    }

    private static Failures makers() {
        return Objects.requireNonNull(known, "Failures.are");
    }

    // --- What the public package implements ---

    /** Makes the exception for a file that is damaged. */
    protected abstract RuntimeException makeCorrupt(Path file, long position, long offset, String what,
            @Nullable Throwable cause);

    /** Makes the exception for a queue that is poisoned. */
    protected abstract RuntimeException makePoisoned(String message, @Nullable Throwable cause);

    /** The queue is open already, in the process of that pid, or -1 if it is not known. */
    protected abstract RuntimeException makeLocked(String message, long pid);

    /** Makes the exception for a full queue. */
    protected abstract RuntimeException makeFull(String message);

    /** Makes the exception for everything else. */
    protected abstract RuntimeException makeRefused(String message, @Nullable Throwable cause);

    /** Whether it is one of {@link #makeCorrupt}. */
    protected abstract boolean isOfCorruption(RuntimeException e);

    /** Whether it is one of {@link #makePoisoned}. */
    protected abstract boolean isOfPoison(RuntimeException e);

    // --- What the floors call ---

    public static RuntimeException corrupt(Path file, long position, String what) {
        return makers().makeCorrupt(file, position, -1, what, null);
    }

    /** Makes the exception for a damaged record, or for several from one on. */
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
