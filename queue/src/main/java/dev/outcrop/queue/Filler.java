package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * How what is appended gets to where it was claimed. Constants, with the source beside them: so an append makes no object, and the JIT compiler one
 * piece of it.
 *
 * @param <T> of the source
 */
@FunctionalInterface
interface Filler<T> {
    Filler<MemorySegment> SEGMENT = (segment, position, length, source) -> segment.copyPayload(source, position,
            length);
    Filler<byte[]> BYTES = (segment, position, length, source) -> segment.copyPayload(source, position, length);
    Filler<ByteBuffer> BUFFER = (segment, position, length, source) -> segment
            .copyPayload(MemorySegment.ofBuffer(source), position, length);
    Filler<MemorySegment[]> PARTS = (segment, position, length, source) -> {
        int first = (int) source[0].byteSize();
        segment.copyPayload(source[0], position, first);
        segment.copyPayload(source[1], position + first, length - first);
    };
    Filler<AppendBatch> BATCH = new Filler<>() {
        @Override
        public void fill(SegmentFile segment, int position, int length, AppendBatch source) {
            // All of them before the first is committed: if one cannot be read, none is there.
            source.copyTo(segment, position);
        }

        @Override
        public void commit(SegmentFile segment, int position, long offset, int length, int kind, long time,
                AppendBatch source) {
            source.commit(segment, position, offset, kind, time);
        }
    };

    /**
     * Copies what is appended.
     *
     * @param position of the first record
     * @param length   of its payload
     */
    void fill(SegmentFile segment, int position, int length, T source);

    /** Makes what was claimed a record, or several. */
    default void commit(SegmentFile segment, int position, long offset, int length, int kind, long time, T source) {
        segment.commit(position, offset, length, kind, time);
    }
}
