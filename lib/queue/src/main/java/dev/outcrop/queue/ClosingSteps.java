package dev.outcrop.queue;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Takes all steps of closing a queue, also after a failure, and remembers the first failure. For one thread. */
final class ClosingSteps {
    private @Nullable Throwable failure;

    /** A step that may fail. */
    interface Step {
        void run() throws IOException;
    }

    void take(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            if (failure == null) {
                failure = e;
            } else {
                add(failure, e);
            }
        }
    }

    private static void add(Throwable first, Throwable other) {
        try {
            first.addSuppressed(other);
        } catch (OutOfMemoryError | IllegalArgumentException e) {
            // There is no memory for it, or it is the same exception. The next steps matter more: one of them releases the lock.
            return;
        }
    }

    boolean haveFailed() {
        return failure != null;
    }

    /** Throws the first failure, if there is any. */
    void throwFailure(String what) {
        switch (failure) {
            case null -> {
                return;
            }
            case Error error -> throw error;
            case RuntimeException unchecked -> throw unchecked;
            default -> throw new QueueException(what + ": " + failure.getMessage(), failure);
        }
    }
}
