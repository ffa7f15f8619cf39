package dev.outcrop.queue.internal.repair;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import org.jspecify.annotations.Nullable;

/**
 * Fills gaps in a segment: records that were claimed and never committed, kept from the disk by a power cut, or damaged. Records behind a
 * gap are found again by their seeded checksums and tags.
 */
public final class GapFiller {
    private GapFiller() {
    }

    /**
     * The place where reading goes on behind a gap.
     *
     * @param position bytes from the segment's start
     * @param offset   of the record, or of the segment's end, that is there
     */
    public record Found(int position, long offset) {
    }

    /**
     * Looks for the next whole record to go on with, which may be the end record; see {@link RecordScanner}.
     *
     * @param position  where to begin, and where the record of the offset should be
     * @param endOffset offset of the next segment; -1 if there is none
     * @return where it is; null if there is none up to the end of the file
     */
    public static @Nullable Found find(SegmentFile segment, int position, long offset, long endOffset) {
        return new RecordScanner(segment, position, offset, endOffset).best(position, offset);
    }

    /** Whether the first whole record of a file fits a segment that begins with an offset. */
    static boolean canBegin(SegmentFile segment, long baseOffset) {
        for (int at = QueueLayout.HEADER; at <= segment.size - QueueLayout.PAYLOAD; at += 8) {
            long word = segment.foundWord(at);
            // Earlier offsets count, too: they show that the file has a wrong name.
            int distance = (int) segment.missingBefore(word, baseOffset);
            if ((word & QueueLayout.COMMITTED) != 0
                    && segment.isWhole(at, baseOffset + distance, QueueLayout.length(word))) {
                return distance >= 0 && isPossible(distance, at - QueueLayout.HEADER);
            }
        }
        return false;
    }

    /** Whether this many records can be missing in this many bytes: each record needs room for its head, and all room needs a record. */
    public static boolean isPossible(long missingBefore, int bytes) {
        return missingBefore == 0 ? bytes == 0 : missingBefore <= bytes / QueueLayout.PAYLOAD;
    }

    /**
     * Clears words behind the last record of the last segment that could be taken for the committed word of a later record: of such a
     * record, a power cut may have left only the word. Between claim and commit, other threads see what was there before.
     *
     * @param position where the next record is going to be
     * @param offset   of that record
     */
    public static void forget(SegmentFile segment, int position, long offset) {
        for (int at = segment.skipZeros(position); at <= segment.size - QueueLayout.PAYLOAD; at = segment
                .skipZeros(at + Long.BYTES)) {
            long word = segment.commitWord(at);
            if ((word & QueueLayout.COMMITTED) != 0 && isPossible(segment.missingBefore(word, offset), at - position)) {
                segment.clearCommitWord(at);
            }
        }
    }

    /**
     * Finds the end of a gap that can be filled with withdrawn records.
     *
     * @param position  where it begins
     * @param offset    of the first record that is missing
     * @param endOffset offset of the next segment; -1 if there is none
     * @return where reading goes on: at the next whole record, or at the end of the file if there is another segment. Null if neither
     *         exists, or if there is no room for as many records as are missing
     */
    public static @Nullable Found end(SegmentFile segment, int position, long offset, long endOffset) {
        Found next = find(segment, position, offset, endOffset);
        if (next == null && endOffset >= offset
                && endOffset - offset <= (segment.size - position) / QueueLayout.PAYLOAD) {
            return new Found(segment.size, endOffset);
        }
        return next;
    }

    /**
     * Writes withdrawn records up to where reading goes on: empty ones, except the last, which takes the rest.
     *
     * @param millis their time; no record of an earlier segment has a later one
     */
    public static void withdraw(SegmentFile segment, int position, long offset, Found end, long millis) {
        int at = position;
        // In order, so that a kill leaves a gap that can be filled.
        for (long missing = offset; missing < end.offset(); missing++) {
            int length = missing == end.offset() - 1 ? end.position() - at - QueueLayout.PAYLOAD : 0;
            segment.commit(at, missing, length, QueueLayout.KIND_WITHDRAWN, millis);
            at += (int) QueueLayout.recordBytes(length);
        }
    }
}
