package dev.outcrop.queue;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Takes all steps of closing a queue, also after one that has failed, and remembers the first failure. For one thread. */
final class ClosingSteps {
    private @Nullable Throwable failure;

    /** What may fail. */
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
                failure.addSuppressed(e);
            }
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
