package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import org.jspecify.annotations.Nullable;

/** The log of a database on its way to the disk, in a thread of its own: the pipeline goes on writing meanwhile. Used by one thread. */
final class LogSync {
    /** The records before this one had been written when it began. */
    final long end;
    /** What they have, of those that no earlier one was for. */
    final long bytes;
    private final Thread thread;
    /** Read when the thread has ended. */
    private @Nullable Throwable failure;

    /** Begins. */
    LogSync(Target target, long end, long bytes) {
        this.end = end;
        this.bytes = bytes;
        this.thread = Thread.ofPlatform().daemon().name("outcrop-pipeline-sync").start(() -> {
            try {
                target.flush();
            } catch (Throwable e) {
                failure = e;
            }
        });
    }

    boolean isDone() {
        return !thread.isAlive();
    }

    /** Waits until it is done; throws what has failed. */
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
