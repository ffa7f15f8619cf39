package dev.outcrop.queue;

import dev.outcrop.queue.internal.Failures;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes the public exceptions for the floors below. Installed when the class of anything is initialized that opens a queue's files. */
final class QueueFailures extends Failures {
    private static final QueueFailures MAKERS = new QueueFailures();

    private QueueFailures() {
    }

    static void install() {
        Failures.are(MAKERS);
    }

    @Override
    protected RuntimeException makeCorrupt(Path file, long position, long offset, String what,
            @Nullable Throwable cause) {
        return new QueueCorruptException(file, position, offset, what, cause);
    }

    @Override
    protected RuntimeException makePoisoned(String message, @Nullable Throwable cause) {
        return new QueuePoisonedException(message, cause);
    }

    @Override
    protected RuntimeException makeLocked(String message, long pid) {
        return new QueueLockedException(message, pid);
    }

    @Override
    protected RuntimeException makeFull(String message) {
        return new QueueFullException(message);
    }

    @Override
    protected RuntimeException makeRefused(String message, @Nullable Throwable cause) {
        return new QueueException(message, cause);
    }

    @Override
    protected boolean isOfCorruption(RuntimeException e) {
        return e instanceof QueueCorruptException;
    }

    @Override
    protected boolean isOfPoison(RuntimeException e) {
        return e instanceof QueuePoisonedException;
    }
}
