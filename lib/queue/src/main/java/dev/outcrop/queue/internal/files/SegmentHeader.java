package dev.outcrop.queue.internal.files;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The header of a segment.
 *
 * @param previous base offset of the segment before it, plus one; 0 if it is not known
 */
public record SegmentHeader(long queueId, long generation, long baseOffset, long segmentSize, long created,
        long previous) {
    /** The header of a segment without a known segment before it. */
    public SegmentHeader(long queueId, long generation, long baseOffset, long segmentSize, long created) {
        this(queueId, generation, baseOffset, segmentSize, created, 0);
    }

    public SegmentHeader ofGeneration(long other) {
        return new SegmentHeader(queueId, other, baseOffset, segmentSize, created, previous);
    }

    /** Reads a header, whatever the size of its file; null if there is none that is whole. */
    public static @Nullable SegmentHeader readAlone(MemorySegment memory) {
        if (memory.byteSize() < QueueLayout.HEADER
                || memory.get(QueueLayout.LONG, QueueLayout.MAGIC) != QueueLayout.SEGMENT_MAGIC
                || memory.get(QueueLayout.INT, QueueLayout.HEADER_VERSION) != QueueLayout.VERSION
                || memory.get(QueueLayout.INT, QueueLayout.HEADER_CRC) != QueueLayout.crc(memory, 0,
                        QueueLayout.HEADER_CRC)) {
            return null;
        }
        return new SegmentHeader(memory.get(QueueLayout.LONG, QueueLayout.QUEUE_ID),
                memory.get(QueueLayout.LONG, QueueLayout.GENERATION),
                memory.get(QueueLayout.LONG, QueueLayout.BASE_OFFSET),
                memory.get(QueueLayout.LONG, QueueLayout.SEGMENT_SIZE),
                memory.get(QueueLayout.LONG, QueueLayout.CREATED),
                memory.get(QueueLayout.LONG, QueueLayout.PREVIOUS));
    }

    public void write(MemorySegment memory) {
        memory.set(QueueLayout.LONG, QueueLayout.MAGIC, QueueLayout.SEGMENT_MAGIC);
        memory.set(QueueLayout.LONG, QueueLayout.QUEUE_ID, queueId);
        memory.set(QueueLayout.LONG, QueueLayout.GENERATION, generation);
        memory.set(QueueLayout.LONG, QueueLayout.BASE_OFFSET, baseOffset);
        memory.set(QueueLayout.LONG, QueueLayout.SEGMENT_SIZE, segmentSize);
        memory.set(QueueLayout.LONG, QueueLayout.CREATED, created);
        memory.set(QueueLayout.LONG, QueueLayout.PREVIOUS, previous);
        memory.set(QueueLayout.INT, QueueLayout.HEADER_VERSION, QueueLayout.VERSION);
        QueueLayout.writeCrc(memory, 0, QueueLayout.HEADER_CRC);
    }

    /** Reads the header of a segment; null if there is none that is whole, or the file has another size. */
    public static @Nullable SegmentHeader read(MemorySegment memory) {
        SegmentHeader header = readAlone(memory);
        return header != null && header.segmentSize == memory.byteSize() ? header : null;
    }
}
