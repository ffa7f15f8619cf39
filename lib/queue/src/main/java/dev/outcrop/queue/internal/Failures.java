package dev.outcrop.queue.internal;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the public exceptions for the packages below, which must not refer to the public package. */
public abstract class Failures {
    private static volatile @Nullable Failures installed;

    /** For the public package. */
    protected Failures() {
    }

    /** Sets how exceptions are made in this JVM. Called before anything else. */
    public static void install(Failures failures) {
        installed = failures;
    }

    public static Failures make() {
        return Objects.requireNonNull(installed, "Failures.install");
    }

    /** The exception for a file that is damaged. */
    public RuntimeException corrupt(Path file, long position, String what) {
        return corrupt(file, position, -1, what, null);
    }

    /** The exception for a damaged record, or for several from one on. */
    public RuntimeException corrupt(Path file, long position, long offset, String what) {
        return corrupt(file, position, offset, what, null);
    }

    public abstract RuntimeException corrupt(Path file, long position, long offset, String what,
            @Nullable Throwable cause);

    public abstract RuntimeException poisoned(String message, @Nullable Throwable cause);

    /** The exception for a queue that is open already, in the process with a pid, or -1 if that is not known. */
    public abstract RuntimeException locked(String message, long pid);

    /** The exception for a full queue. */
    public abstract RuntimeException full(String message);

    /** The exception for everything else. */
    public abstract RuntimeException refused(String message, @Nullable Throwable cause);

    public RuntimeException refused(String message) {
        return refused(message, null);
    }

    public abstract boolean isCorruption(RuntimeException e);

    public abstract boolean isPoison(RuntimeException e);
}
