package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.Window;
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
    Filler<MemorySegment> SEGMENT = (segment, position, length, source, second, time, window) -> segment
            .copyPayload(source, position, 0, length, time, window);
    Filler<byte[]> BYTES = (segment, position, length, source, second, time, window) -> segment.copyPayload(source,
            position, length, time, window);
    Filler<ByteBuffer> BUFFER = (segment, position, length, source, second, time, window) -> segment
            .copyPayload(MemorySegment.ofBuffer(source), position, 0, length, time, window);
    Filler<MemorySegment> PARTS = (segment, position, length, source, second, time, window) -> {
        int first = (int) source.byteSize();
        segment.copyPayload(source, position, 0, first, time, window);
        segment.copyPayload(Objects.requireNonNull(second), position, first, length - first, time, window);
    };
    Filler<AppendBatch> BATCH = new Filler<>() {
        @Override
        public void fill(SegmentFile segment, int position, int length, AppendBatch source,
                @Nullable MemorySegment second, long time, Window window) {
            // All of them before the first is committed: if one cannot be read, none is there.
            source.copyTo(segment, position);
        }

        @Override
        public void commit(SegmentFile segment, int position, long offset, int length, int kind, long time,
                AppendBatch source, Window window) {
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
     * @param time     of the record
     * @param window   the calling thread's
     */
    void fill(SegmentFile segment, int position, int length, T source, @Nullable MemorySegment second, long time,
            Window window);

    /** Makes what was claimed a record, or several, without making any object: there may be no memory. */
    default void commit(SegmentFile segment, int position, long offset, int length, int kind, long time, T source,
            Window window) {
        segment.commit(position, offset, length, kind, time, window);
    }
}
