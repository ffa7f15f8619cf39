package dev.outcrop.pipeline;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes full batches in a thread of its own, in their order, while the next one is filled. Behind one that has failed, none is written.
 * Handing one over leaves nothing for the collector. Used by one thread.
 */
final class WriteBehind {
    /** How many are handed over at most: one is written, and the next one is there when that is done. */
    static final int DEPTH = 2;

    private final String name;
    private final Consumer<Batch> write;
    /** The thread that hands over, and waits. */
    private @Nullable Thread filler;
    /** Made with the first batch: many a pipeline never has a full one. */
    private @Nullable Thread writer;
    /** What was handed over, each batch at its number. */
    private final @Nullable Batch[] batches = new Batch[DEPTH];
    /** How many were taken back. Of the filler. */
    private long takenBack;
    /** How many were handed over. Volatile: whoever sees it sees what is in them. */
    private volatile long handedOver;
    /** How many the writer is done with, likewise. */
    private volatile long done;
    private volatile boolean isOver;
    /** Why the first batch was not written that was not; set before that counts as done. */
    private @Nullable Throwable failure;

    /**
     * Makes one that has not begun.
     *
     * @param name  of the thread
     * @param write writes a batch
     */
    WriteBehind(String name, Consumer<Batch> write) {
        this.name = name;
        this.write = write;
    }

    /** Whether one more may be handed over; otherwise one is to be taken back before. */
    boolean hasRoom() {
        return handedOver - takenBack < DEPTH;
    }

    /** Has a batch written behind those before. */
    void handOver(Batch full) {
        Thread thread = writer;
        if (thread == null) {
            filler = Thread.currentThread();
            thread = Thread.ofPlatform().daemon().name(name).start(this::run);
            writer = thread;
        }
        long number = handedOver;
        batches[(int) (number % DEPTH)] = full;
        handedOver = number + 1;
        LockSupport.unpark(thread);
    }

    /** Whether {@link #takeBack} would not wait. */
    boolean isAnyDone() {
        return done > takenBack;
    }

    /**
     * Waits until the batch that was handed over longest ago is written, and takes it back.
     *
     * @return null if there is none
     * @throws RuntimeException what writing it, or one before, has thrown, as do errors; then it was taken back, too
     */
    @Nullable
    Batch takeBack() {
        long number = takenBack;
        if (number == handedOver) {
            return null;
        }
        boolean isInterrupted = false;
        while (done <= number) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                isInterrupted = true;
                interrupt();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        takenBack = number + 1;
        Batch batch = Objects.requireNonNull(batches[(int) (number % DEPTH)]);
        if (!batch.isWritten) {
            Throwable reason = Objects.requireNonNull(failure);
            if (reason instanceof Error e) {
                throw e;
            }
            throw (RuntimeException) reason;
        }
        return batch;
    }

    /** What is written is not to be tried again. */
    void interrupt() {
        Thread thread = writer;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Ends the thread, which has nothing to do any more. */
    void end() {
        isOver = true;
        LockSupport.unpark(writer);
    }

    private void run() {
        while (true) {
            long number = done;
            if (number < handedOver) {
                write(Objects.requireNonNull(batches[(int) (number % DEPTH)]));
                done = number + 1;
                LockSupport.unpark(filler);
            } else if (isOver) {
                return;
            } else {
                if (Thread.interrupted() && number < handedOver) {
                    // It is for the batch that has come since.
                    Thread.currentThread().interrupt();
                }
                LockSupport.park(this);
            }
        }
    }

    private void write(Batch full) {
        full.isWritten = false;
        if (failure != null) {
            return;
        }
        try {
            write.accept(full);
            full.isWritten = true;
        } catch (Throwable e) {
            failure = e;
        }
    }
}
