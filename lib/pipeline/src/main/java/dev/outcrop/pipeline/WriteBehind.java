package dev.outcrop.pipeline;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes full batches in its own thread, in their order, while the caller fills the next batch. After a failure it writes no more batches.
 * Handing a batch over allocates nothing. Used by one thread.
 */
final class WriteBehind {
    /** The most batches that may be handed over: one is written while the next one waits. */
    static final int DEPTH = 2;

    private final String name;
    private final Consumer<Batch> write;
    /** The thread that hands batches over, and waits for them. */
    private @Nullable Thread filler;
    /** Started with the first batch: many pipelines never have a full one. */
    private @Nullable Thread writer;
    /** The batches that were handed over, each at the index of its number modulo the length. */
    private final @Nullable Batch[] batches = new Batch[DEPTH];
    /** How many were taken back. Used by the filler. */
    private long takenBack;
    /** How many were handed over. Volatile, so that the writer sees their contents. */
    private volatile long handedOver;
    /** How many the writer is done with. Volatile for the same reason. */
    private volatile long done;
    private volatile boolean isOver;
    /** The failure of the first batch that was not written; set before that batch counts as done. */
    private @Nullable Throwable failure;

    /**
     * Creates it without a thread.
     *
     * @param name  of the thread
     * @param write writes a batch
     */
    WriteBehind(String name, Consumer<Batch> write) {
        this.name = name;
        this.write = write;
    }

    /** Returns whether another batch may be handed over. Otherwise the caller must first take a batch back. */
    boolean hasRoom() {
        return handedOver - takenBack < DEPTH;
    }

    /** Hands over a batch, which is written after all earlier batches. */
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

    /** Returns whether {@link #takeBack} would return without waiting. */
    boolean isAnyDone() {
        return done > takenBack;
    }

    /**
     * Waits until the oldest batch is written, and takes it back.
     *
     * @return null if there is none
     * @throws RuntimeException the failure of this batch or an earlier one, which may also be an {@code Error}; this batch was taken back,
     *                          too
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

    /** Ends the attempts to write a batch again. */
    void interrupt() {
        Thread thread = writer;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Ends the thread. All batches must have been taken back. */
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
                    // The interrupt is for the batch that has arrived since then.
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
