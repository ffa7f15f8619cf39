package dev.outcrop.queue;

import dev.outcrop.queue.internal.Failures;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes the public exceptions. Installed by the static initializers of the classes that open the files of a queue. */
final class QueueFailures extends Failures {
    private static final QueueFailures INSTANCE = new QueueFailures();

    private QueueFailures() {
    }

    static void install() {
        Failures.install(INSTANCE);
    }

    @Override
    public RuntimeException corrupt(Path file, long position, long offset, String what,
            @Nullable Throwable cause) {
        return new QueueCorruptException(file, position, offset, what, cause);
    }

    @Override
    public RuntimeException poisoned(String message, @Nullable Throwable cause) {
        return new QueuePoisonedException(message, cause);
    }

    @Override
    public RuntimeException locked(String message, long pid) {
        return new QueueLockedException(message, pid);
    }

    @Override
    public RuntimeException full(String message) {
        return new QueueFullException(message);
    }

    @Override
    public RuntimeException refused(String message, @Nullable Throwable cause) {
        return new QueueException(message, cause);
    }

    @Override
    public boolean isCorruption(RuntimeException e) {
        return e instanceof QueueCorruptException;
    }

    @Override
    public boolean isPoison(RuntimeException e) {
        return e instanceof QueuePoisonedException;
    }
}
