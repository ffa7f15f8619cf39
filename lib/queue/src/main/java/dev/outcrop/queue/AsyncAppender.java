package dev.outcrop.queue;

import dev.outcrop.queue.internal.append.AppendBatch;
import dev.outcrop.queue.internal.append.Committer;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.PayloadWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Appends to a queue without waiting for the disk; see {@link Queue#async()}. It owns nothing, and ends with the queue. Thread-safe.
 *
 * <p>Its methods throw the same exceptions as the methods of {@link Queue}. Each method returns when its record is appended, which may take
 * as long as the queue is full. The future completes when the record is on the disk, or with a {@link QueuePoisonedException}. Dependents
 * of a future run in the thread that writes records to the disk: they may close the queue, but must not wait for another such future.
 */
public final class AsyncAppender {
    private final Log log;
    private final Committer committer;
    private final PayloadWriter<RecordWriter> byWriter;
    private final long fullTimeout;

    AsyncAppender(Log log, Committer committer, PayloadWriter<RecordWriter> byWriter, long fullTimeout) {
        this.log = log;
        this.committer = committer;
        this.byWriter = byWriter;
        this.fullTimeout = fullTimeout;
    }

    /**
     * Appends a record; see {@link Queue#append(MemorySegment)}.
     *
     * @param payload copied before this returns; may be empty
     * @return completed with the record's offset when it is on the disk
     */
    public CompletableFuture<Long> append(MemorySegment payload) {
        return append(Objects.requireNonNull(payload, "payload").byteSize(), PayloadWriter.SEGMENT, payload, null);
    }

    /**
     * Appends a record; see {@link Queue#append(MemorySegment)}.
     *
     * @param payload copied before this returns; may be empty
     * @return completed with the record's offset when it is on the disk
     */
    public CompletableFuture<Long> append(byte[] payload) {
        return append(Objects.requireNonNull(payload, "payload").length, PayloadWriter.BYTES, payload, null);
    }

    /**
     * Appends a record; see {@link Queue#append(ByteBuffer)}.
     *
     * @param payload its remaining bytes are copied before this returns; its position does not change
     * @return completed with the record's offset when it is on the disk
     */
    public CompletableFuture<Long> append(ByteBuffer payload) {
        return append(Objects.requireNonNull(payload, "payload").remaining(), PayloadWriter.BUFFER, payload, null);
    }

    /**
     * Appends a record of two parts; see {@link Queue#append(MemorySegment, MemorySegment)}.
     *
     * @param first  copied before this returns; may be empty
     * @param second copied before this returns; may be empty
     * @return completed with the record's offset when it is on the disk
     */
    public CompletableFuture<Long> append(MemorySegment first, MemorySegment second) {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
        return append(first.byteSize() + second.byteSize(), PayloadWriter.PARTS, first, second);
    }

    /**
     * Appends a record that is written in place; see {@link Queue#append(long, RecordWriter)}.
     *
     * @param size   bytes of the payload
     * @param writer writes all of it, in this thread, before this returns
     * @return completed with the record's offset when it is on the disk
     */
    public CompletableFuture<Long> append(long size, RecordWriter writer) {
        return append(size, byWriter, Objects.requireNonNull(writer, "writer"), null);
    }

    private <T> CompletableFuture<Long> append(long size, PayloadWriter<T> writer, T source,
            @Nullable MemorySegment second) {
        // First: there may be no memory for its thread.
        committer.start();
        return committer.await(log.append(size, writer, source, second, fullTimeout), 1);
    }

    /**
     * Appends several records at once, with offsets that follow each other; see {@link Queue#append(List)}.
     *
     * @param payloads at least one; copied before this returns
     * @return completed with the offset of the first one when all of them are on the disk
     */
    public CompletableFuture<Long> append(List<MemorySegment> payloads) {
        committer.start();
        AppendBatch batch = log.batch(payloads);
        return committer.await(log.append(batch, fullTimeout), batch.size());
    }

    @Override
    public String toString() {
        return "appends without waiting for the disk";
    }
}
