package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How what is appended gets to where it was claimed. Constants, with the source beside them: so an append makes no object, and the JIT
 * compiler one piece of it.
 *
 * @param <T> of the source
 */
@FunctionalInterface
public interface Filler<T> {
    Filler<MemorySegment> SEGMENT = (segment, position, length, source, second) -> segment.copyPayload(source, position,
            length);
    Filler<byte[]> BYTES = (segment, position, length, source, second) -> segment.copyPayload(source, position, length);
    Filler<ByteBuffer> BUFFER = (segment, position, length, source, second) -> segment
            .copyPayload(MemorySegment.ofBuffer(source), position, length);
    Filler<MemorySegment> PARTS = (segment, position, length, source, second) -> {
        int first = (int) source.byteSize();
        segment.copyPayload(source, position, first);
        segment.copyPayload(Objects.requireNonNull(second), position + first, length - first);
    };
    Filler<AppendBatch> BATCH = new Filler<>() {
        @Override
        public void fill(SegmentFile segment, int position, int length, AppendBatch source,
                @Nullable MemorySegment second) {
            // All of them before the first is committed: if one cannot be read, none is there.
            source.copyTo(segment, position);
        }

        @Override
        public void commit(SegmentFile segment, int position, long offset, int length, int kind, long time,
                AppendBatch source, SegmentFile.Window window) {
            source.commit(segment, position, offset, kind, time, window);
        }
    };

    /**
     * Copies what is appended.
     *
     * @param position of the first record
     * @param length   of its payload
     * @param second   the second of two parts, otherwise null; not in one object with the first, which would be garbage wherever the JIT
     *                 compiler does not make one piece of an append
     */
    void fill(SegmentFile segment, int position, int length, T source, @Nullable MemorySegment second);

    /** Makes what was claimed a record, or several, without making any object: there may be no memory. */
    default void commit(SegmentFile segment, int position, long offset, int length, int kind, long time, T source,
            SegmentFile.Window window) {
        segment.commit(position, offset, length, kind, time, window);
    }
}
