package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import org.jspecify.annotations.Nullable;

/** Flushes the log of a database in a thread of its own, while the pipeline goes on writing. Used by one thread. */
final class LogSync {
    /** The effects of all records before this one were written when it began. */
    final long end;
    /** The payload bytes of those that no earlier flush covers. */
    final long bytes;
    private final Thread thread;
    /** Read when the thread has ended. */
    private @Nullable Throwable failure;

    /** Begins. */
    LogSync(PositionStore positions, long end, long bytes) {
        this.end = end;
        this.bytes = bytes;
        this.thread = Thread.ofPlatform().daemon().name("outcrop-pipeline-sync").start(() -> {
            try {
                positions.flush();
            } catch (Throwable e) {
                failure = e;
            }
        });
    }

    boolean isDone() {
        return !thread.isAlive();
    }

    /** Waits until it is done, and throws its failure. */
    void await() {
        Uninterrupted.await(thread::join);
        Throwable reason = failure;
        if (reason instanceof RuntimeException e) {
            throw e;
        }
        if (reason instanceof Error e) {
            throw e;
        }
    }
}
