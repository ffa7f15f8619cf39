package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.ChecksumCursor;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a payload to its claimed place. Writers are constants, and get the source with each call: so an append makes no object, and the JIT compiler inlines it.
 *
 * @param <T> of the source
 */
@FunctionalInterface
public interface PayloadWriter<T> {
    PayloadWriter<MemorySegment> SEGMENT = (segment, position, length, source, second, time, checksums) -> segment
            .copyPayload(source, position, 0, length, time, checksums);
    PayloadWriter<byte[]> BYTES = (segment, position, length, source, second, time, checksums) -> segment.copyPayload(
            source,
            position, length, time, checksums);
    PayloadWriter<ByteBuffer> BUFFER = (segment, position, length, source, second, time, checksums) -> segment
            .copyPayload(MemorySegment.ofBuffer(source), position, 0, length, time, checksums);
    PayloadWriter<MemorySegment> PARTS = (segment, position, length, source, second, time, checksums) -> {
        int first = (int) source.byteSize();
        segment.copyPayload(source, position, 0, first, time, checksums);
        segment.copyPayload(Objects.requireNonNull(second), position, first, length - first, time, checksums);
    };
    PayloadWriter<AppendBatch> BATCH = new PayloadWriter<>() {
        @Override
        public void fill(SegmentFile segment, int position, int length, AppendBatch source,
                @Nullable MemorySegment second, long time, ChecksumCursor checksums) {
            // All of them before the first is committed: if one cannot be read, none is there.
            source.copyTo(segment, position);
        }

        @Override
        public void commit(SegmentFile segment, int position, long offset, int length, int kind, long time,
                AppendBatch source, ChecksumCursor checksums) {
            source.commit(segment, position, offset, kind, time, checksums);
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
     * @param checksums   the calling thread's
     */
    void fill(SegmentFile segment, int position, int length, T source, @Nullable MemorySegment second, long time,
            ChecksumCursor checksums);

    /** Makes what was claimed a record, or several, without making any object: there may be no memory. */
    default void commit(SegmentFile segment, int position, long offset, int length, int kind, long time, T source,
            ChecksumCursor checksums) {
        segment.commit(position, offset, length, kind, time, checksums);
    }
}
