package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.ChecksumCursor;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies a payload to its claimed place. Writers are constants and get the source with each call, so that an append makes no object and the
 * JIT compiler inlines them.
 *
 * @param <T> type of the source
 */
@FunctionalInterface
public interface PayloadWriter<T> {
    PayloadWriter<MemorySegment> SEGMENT = (segment, position, length, source, second) -> segment.copyPayload(source,
            position, length);
    PayloadWriter<byte[]> BYTES = (segment, position, length, source, second) -> segment.copyPayload(source, position,
            length);
    PayloadWriter<ByteBuffer> BUFFER = (segment, position, length, source, second) -> segment
            .copyPayload(MemorySegment.ofBuffer(source), position, length);
    PayloadWriter<MemorySegment> PARTS = (segment, position, length, source, second) -> {
        int first = (int) source.byteSize();
        segment.copyPayload(source, position, first);
        segment.copyPayload(Objects.requireNonNull(second), position + first, length - first);
    };
    PayloadWriter<AppendBatch> BATCH = new PayloadWriter<>() {
        @Override
        public void fill(SegmentFile segment, int position, int length, AppendBatch source,
                @Nullable MemorySegment second) {
            // All of them before the first is committed: if one cannot be read, none is appended.
            source.copyTo(segment, position);
        }

        @Override
        public void commit(SegmentFile segment, int position, long offset, int length, int kind, long time,
                AppendBatch source, ChecksumCursor checksums) {
            source.commit(segment, position, offset, kind, time, checksums);
        }
    };

    /**
     * Copies the payload.
     *
     * @param position  of the first record
     * @param length    of its payload
     * @param second    the second of two parts, or null; an object for both parts would be garbage
     */
    void fill(SegmentFile segment, int position, int length, T source, @Nullable MemorySegment second);

    /** Commits the claimed records, without making an object, because there may be no memory. */
    default void commit(SegmentFile segment, int position, long offset, int length, int kind, long time, T source,
            ChecksumCursor checksums) {
        segment.commit(position, offset, length, kind, time, checksums);
    }
}
