package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.ChecksumCursor;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** Records that are appended together, by one claim, so that their offsets follow each other. */
public final class AppendBatch {
    private final List<MemorySegment> payloads;
    private final long bytes;

    /**
     * Checks the payloads.
     *
     * @param room bytes for records in an empty segment
     */
    public AppendBatch(List<MemorySegment> payloads, int room) {
        this.payloads = copy(payloads);
        if (this.payloads.isEmpty()) {
            throw new IllegalArgumentException("A batch needs at least one record");
        }
        long sum = 0;
        for (MemorySegment payload : this.payloads) {
            // Checks each size before adding it, because the sum of impossible sizes may look small.
            if (payload.byteSize() > room || sum > room - QueueLayout.recordBytes(payload.byteSize())) {
                throw new IllegalArgumentException("A batch of " + this.payloads.size()
                        + " records is larger than the " + room
                        + " bytes that fit into a file of this queue, with 24 bytes and up to 7 more for each record; append it in"
                        + " parts, or make the queue with a larger QueueOptions.segmentSize");
            }
            sum += QueueLayout.recordBytes(payload.byteSize());
        }
        this.bytes = sum;
    }

    private static List<MemorySegment> copy(List<MemorySegment> payloads) {
        Objects.requireNonNull(payloads, "payloads");
        try {
            return List.copyOf(payloads);
        } catch (NullPointerException e) {
            // It does not say which one is null.
            int i = 0;
            for (MemorySegment payload : payloads) {
                Objects.requireNonNull(payload, "payloads[" + i++ + "]");
            }
            throw e;
        }
    }

    public int size() {
        return payloads.size();
    }

    /** The bytes of all records with their heads. */
    public int bytes() {
        return (int) bytes;
    }

    /** Copies the payloads to their claimed places, from a position on. */
    void copyTo(SegmentFile segment, int position) {
        int at = position;
        for (MemorySegment payload : payloads) {
            int length = (int) payload.byteSize();
            segment.copyPayload(payload, at, length);
            at += (int) QueueLayout.recordBytes(length);
        }
    }

    /** Commits the records in their order. */
    public void commit(SegmentFile segment, int position, long offset, int kind, long time, ChecksumCursor checksums) {
        int at = position;
        // Without an iterator, for which there may be no memory.
        for (int i = 0; i < payloads.size(); i++) {
            int length = (int) payloads.get(i).byteSize();
            segment.commit(at, offset + i, length, kind, time, checksums);
            at += (int) QueueLayout.recordBytes(length);
        }
    }
}
