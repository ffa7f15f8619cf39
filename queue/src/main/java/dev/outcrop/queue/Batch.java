package dev.outcrop.queue;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records that are taken from a group at once, because taking the group's lock for each would cost more than the record, and few enough
 * to be still in the processor's cache when they are shown: taking a record has read all of it. Used again and again.
 */
final class Batch {
    private static final int RECORDS = 256;
    private static final long BYTES = 256 << 10;

    final long[] offsets = new long[RECORDS];
    final int[] positions = new int[RECORDS];
    final int[] lengths = new int[RECORDS];
    final int[] counts = new int[RECORDS];
    /** A record's segment is leased once for all records of it that follow each other. */
    private final @Nullable SegmentFile[] segments = new SegmentFile[RECORDS];
    private long bytes;
    int size;
    /** How often the group had been moved when they were taken. */
    int moves;
    /** So many of them were shown. */
    int shown;

    boolean isFull() {
        return size == RECORDS || bytes >= BYTES;
    }

    /** Adds a record of a segment that cannot be given back at this moment. */
    void add(SegmentFile segment, long offset, int position, int length, int count) {
        if (size == 0 || segments[size - 1] != segment) {
            lease(segment);
        }
        offsets[size] = offset;
        positions[size] = position;
        lengths[size] = length;
        counts[size] = count;
        segments[size] = segment;
        bytes += length;
        size++;
    }

    /** How many records it has room for, at most. */
    int room() {
        return RECORDS - size;
    }

    /** Whether a record may be put behind others that were not added yet, and take so many bytes. */
    boolean hasRoom(long bytesBefore) {
        return bytes + bytesBefore < BYTES;
    }

    /** Puts a record there that is going to be {@linkplain #added}. */
    void put(int count, int position, int length) {
        positions[size + count] = position;
        lengths[size + count] = length;
    }

    /** Adds what was put, all of it delivered for the first time, from one segment that cannot be given back at this moment. */
    void added(SegmentFile segment, long first, int count, long payloadBytes) {
        bytes += payloadBytes;
        if (size == 0 || segments[size - 1] != segment) {
            lease(segment);
        }
        for (int i = 0; i < count; i++) {
            offsets[size + i] = first + i;
            segments[size + i] = segment;
        }
        Arrays.fill(counts, size, size + count, 1);
        size += count;
    }

    static void lease(SegmentFile segment) {
        if (!segment.lease()) {
            throw new IllegalStateException(segment + " was given back while a consumer group needed it");
        }
    }

    SegmentFile segment(int i) {
        return Objects.requireNonNull(segments[i]);
    }

    /** Lets go of the segments; again does nothing. Which records these were stays in it. */
    void release(ConsumerGroup group) {
        boolean isNeedless = false;
        SegmentFile previous = null;
        for (int i = 0; i < size; i++) {
            SegmentFile segment = segments[i];
            segments[i] = null;
            if (segment != null && segment != previous) {
                isNeedless |= group.release(segment);
            }
            previous = segment;
        }
        if (isNeedless) {
            group.retire();
        }
    }

    /** Forgets the records. */
    void clear() {
        size = 0;
        shown = 0;
        bytes = 0;
    }
}
