package dev.outcrop.queue;

import dev.outcrop.queue.internal.append.AppendBatch;
import dev.outcrop.queue.internal.append.Committer;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.PayloadWriter;
import dev.outcrop.queue.internal.append.Syncer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Appends to a queue with its own durability; see {@link Queue#with(Durability)}. It owns nothing, and ends with the queue. Thread-safe.
 *
 * <p>Its methods throw the same exceptions as the methods of {@link Queue}. With {@link Durability#SYNCED}, they return when the record and
 * all records before it are on the disk; if that fails, they throw {@link QueuePoisonedException}.
 */
public final class Appender {
    private final Log log;
    private final Syncer syncer;
    private final Committer committer;
    private final Durability durability;
    private final boolean isSynced;
    private final boolean isPageCache;
    private final long ownNanos;
    private final long ownBytes;
    private final PayloadWriter<RecordWriter> byWriter;
    private final long fullTimeout;

    Appender(Log log, Syncer syncer, Committer committer, Durability durability,
            PayloadWriter<RecordWriter> byWriter,
            long fullTimeout) {
        this.log = log;
        this.syncer = syncer;
        this.committer = committer;
        this.durability = durability;
        this.isSynced = durability.isSynced();
        this.isPageCache = durability.isPageCache();
        this.ownNanos = durability.groupNanos();
        this.ownBytes = durability.bytes();
        this.byWriter = byWriter;
        this.fullTimeout = fullTimeout;
    }

    boolean isWith(Durability other) {
        // Not with the record's own equals(): the JVM links that at its first call, for which there may be no stack.
        return durability.bytes() == other.bytes() && durability.interval().equals(other.interval());
    }

    /**
     * Appends a record; see {@link Queue#append(MemorySegment)}.
     *
     * @param payload copied before this returns; may be empty
     * @return the record's offset
     */
    public long append(MemorySegment payload) {
        return append(Objects.requireNonNull(payload, "payload").byteSize(), PayloadWriter.SEGMENT, payload, null);
    }

    /**
     * Appends a record; see {@link Queue#append(MemorySegment)}.
     *
     * @param payload copied before this returns; may be empty
     * @return the record's offset
     */
    public long append(byte[] payload) {
        return append(Objects.requireNonNull(payload, "payload").length, PayloadWriter.BYTES, payload, null);
    }

    /**
     * Appends a record; see {@link Queue#append(ByteBuffer)}.
     *
     * @param payload its remaining bytes are copied before this returns; its position does not change
     * @return the record's offset
     */
    public long append(ByteBuffer payload) {
        return append(Objects.requireNonNull(payload, "payload").remaining(), PayloadWriter.BUFFER, payload, null);
    }

    /**
     * Appends a record of two parts; see {@link Queue#append(MemorySegment, MemorySegment)}.
     *
     * @param first  copied before this returns; may be empty
     * @param second copied before this returns; may be empty
     * @return the record's offset
     */
    public long append(MemorySegment first, MemorySegment second) {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
        return append(first.byteSize() + second.byteSize(), PayloadWriter.PARTS, first, second);
    }

    /**
     * Appends a record that is written in place; see {@link Queue#append(long, RecordWriter)}.
     *
     * @param size   bytes of the payload
     * @param writer writes all of it, in this thread, before this returns
     * @return the record's offset
     */
    public long append(long size, RecordWriter writer) {
        return append(size, byWriter, Objects.requireNonNull(writer, "writer"), null);
    }

    <T> long append(long size, PayloadWriter<T> writer, T source, @Nullable MemorySegment second) {
        if (isSynced) {
            return appendSynced(size, writer, source, second);
        }
        if (isPageCache) {
            return log.append(size, writer, source, second, fullTimeout);
        }
        // First: there may be no memory for its thread.
        committer.start();
        long offset = log.append(size, writer, source, second, fullTimeout);
        committer.within(ownNanos, ownBytes);
        return offset;
    }

    private <T> long appendSynced(long size, PayloadWriter<T> writer, T source, @Nullable MemorySegment second) {
        // First: afterwards the record would be there, and the caller would append it again.
        log.requireNoWriter("append durably to");
        long offset = log.append(size, writer, source, second, fullTimeout);
        syncer.sync(offset + 1);
        return offset;
    }

    /**
     * Appends several records at once, with offsets that follow each other; see {@link Queue#append(List)}.
     *
     * @param payloads at least one; copied before this returns
     * @return the offset of the first one
     */
    public long append(List<MemorySegment> payloads) {
        if (isSynced) {
            return appendSynced(payloads);
        }
        AppendBatch batch = log.batch(payloads);
        if (isPageCache) {
            return log.append(batch, fullTimeout);
        }
        committer.start();
        long offset = log.append(batch, fullTimeout);
        committer.within(ownNanos, ownBytes);
        return offset;
    }

    private long appendSynced(List<MemorySegment> payloads) {
        log.requireNoWriter("append durably to");
        AppendBatch batch = log.batch(payloads);
        long offset = log.append(batch, fullTimeout);
        syncer.sync(offset + batch.size());
        return offset;
    }

    @Override
    public String toString() {
        return "appends with " + durability;
    }
}
