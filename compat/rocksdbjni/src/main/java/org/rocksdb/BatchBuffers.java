package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A pool of buffers for batches. Buffers of closed batches are reused, because a new one costs as much as many puts. */
final class BatchBuffers {

    private static final int PLACES = 16;
    /** Keeps neighbouring buffers on different cache lines. */
    private static final int STRIDE = 16;
    /** The pool keeps 4 MiB at most. */
    private static final long LONGEST_KEPT = 256 << 10;
    private static final AtomicReferenceArray<BatchBuffer> SPARE = new AtomicReferenceArray<>(PLACES * STRIDE);

    private BatchBuffers() {
    }

    static BatchBuffer take(int reservedBytes) {
        BatchBuffer spare = SPARE.getAndSet(place(), null);
        return spare == null
                ? new BatchBuffer(Math.min(Math.max(0, reservedBytes), LONGEST_KEPT), BatchBuffer.LONGEST_BATCH)
                : spare;
    }

    static void giveBack(BatchBuffer buffer) {
        if (buffer.memory().byteSize() <= LONGEST_KEPT) {
            buffer.clear();
            SPARE.set(place(), buffer);
        }
    }

    private static int place() {
        return (int) (Thread.currentThread().threadId() % PLACES) * STRIDE;
    }

    /** Makes a buffer of the bytes of a batch, after checking them. */
    static BatchBuffer of(MemorySegment bytes) {
        BatchBuffer buffer = new BatchBuffer(bytes);
        check(buffer.set(bytes));
        return buffer;
    }

    /** Throws if there is a problem with the data of a program. */
    static void check(NativeStatus problem) {
        if (problem != null) {
            throw new IllegalArgumentException(problem.message());
        }
    }

    /** Moves to the next record of a batch; throws if it is damaged. */
    static boolean next(BatchReader records) {
        boolean isThere = records.next();
        if (!isThere) {
            check(records.problem());
        }
        return isThere;
    }

    /** Copies a native batch. */
    static BatchBuffer of(long nativeBatch) {
        try (Scratch scratch = Scratch.open()) {
            long data = NativeWriteBatch.data(nativeBatch, scratch.wordAddress(0));
            return of(NativeCalls.view(data, scratch.word(0)));
        }
    }
}
