package dev.outcrop.queue.internal.repair;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import org.jspecify.annotations.Nullable;

/**
 * Places in a segment where a record should be and none is: claimed and never committed, kept from the disk by a power cut, or damaged.
 * What stands behind them is found again, because a record proves by its seeded checksum that it belongs to this use of the file, and tells
 * by its tag which one it is.
 */
public final class GapFiller {
    private GapFiller() {
    }

    /**
     * Where reading goes on behind a hole.
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
     * @param endOffset that of the next segment; -1 if there is none
     * @return where it is; null if there is none up to the end of the file
     */
    public static @Nullable Found find(SegmentFile segment, int position, long offset, long endOffset) {
        return new RecordScanner(segment, position, offset, endOffset).best(position, offset);
    }

    /** Whether the first whole record of a file, whatever its offset, can be where it is in a segment that begins with an offset. */
    static boolean canBegin(SegmentFile segment, long baseOffset) {
        for (int at = QueueLayout.HEADER; at <= segment.size - QueueLayout.PAYLOAD; at += 8) {
            long word = segment.foundWord(at);
            // Of earlier ones, too: they tell that the file has a wrong name.
            int distance = (int) segment.swallowed(word, baseOffset);
            if ((word & QueueLayout.COMMITTED) != 0
                    && segment.isWhole(at, baseOffset + distance, QueueLayout.length(word))) {
                return distance >= 0 && isPossible(distance, at - QueueLayout.HEADER);
            }
        }
        return false;
    }

    /**
     * Whether so many records can be missing in so many bytes: each has taken at least the room of its head, and there is no room without a
     * record.
     */
    public static boolean isPossible(long swallowed, int bytes) {
        return swallowed == 0 ? bytes == 0 : swallowed <= bytes / QueueLayout.PAYLOAD;
    }

    /**
     * Clears, behind the last record of the last segment, what could be taken for the committed word of one that is appended later: those
     * of records that a power cut took all but that word of. From when a record is claimed until it is committed, a thread that looks for
     * it sees what was there before, and only a reader checks more than that word.
     *
     * @param position where the next record is going to be
     * @param offset   of that record
     */
    public static void forget(SegmentFile segment, int position, long offset) {
        for (int at = segment.skipZeros(position); at <= segment.size - QueueLayout.PAYLOAD; at = segment
                .skipZeros(at + Long.BYTES)) {
            long word = segment.commitWord(at);
            if ((word & QueueLayout.COMMITTED) != 0 && isPossible(segment.swallowed(word, offset), at - position)) {
                segment.clearCommitWord(at);
            }
        }
    }

    /**
     * Where a hole ends that can be filled with withdrawn records, so that nothing of it is ever taken for a record, and what is behind it
     * can be read.
     *
     * @param position  where it begins
     * @param offset    of the first record that is missing
     * @param endOffset that of the next segment; -1 if there is none
     * @return where reading goes on: at the next whole record, or else at the end of the file if there is another segment behind it. Null
     *         if nothing is to be filled: nothing whole is behind the position, and there is no other segment, or there is no room for as
     *         many records as are missing before it
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
     * Writes withdrawn records up to where reading goes on: empty ones, but for the last, which takes the rest.
     *
     * @param millis the time that they get; no record of an earlier segment has a later one
     */
    public static void withdraw(SegmentFile segment, int position, long offset, Found end, long millis) {
        int at = position;
        // In order: if this process is killed in between, what is left is a hole that can be filled.
        for (long missing = offset; missing < end.offset(); missing++) {
            int length = missing == end.offset() - 1 ? end.position() - at - QueueLayout.PAYLOAD : 0;
            segment.commit(at, missing, length, QueueLayout.KIND_WITHDRAWN, millis);
            at += (int) QueueLayout.recordBytes(length);
        }
    }
}
