package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;
import org.jspecify.annotations.Nullable;

/**
 * A position between two records of an open queue. It leases its segment, so that the segment is not given back. For one thread at a time.
 */
public final class Cursor implements AutoCloseable {
    private SegmentFile segment;
    private long offset;
    private int position;
    /** The record that {@link #next()} has found. */
    private long foundOffset = -1;
    private int foundPosition;
    private int foundLength;
    private @Nullable SegmentFile foundIn;
    private boolean isClosed;

    /** Starts at a record in a segment, for which the caller has taken a lease. */
    public Cursor(SegmentFile leased, long offset, int position) {
        this.segment = leased;
        this.offset = offset;
        this.position = position;
    }

    /**
     * Moves to the next record, which is then the found one.
     *
     * @return whether there is one
     * @throws QueueCorruptException if it is not as it was written; asking again throws again
     */
    public boolean next() {
        return next(Long.MAX_VALUE);
    }

    /**
     * As {@link #next()}, but stays before an offset.
     *
     * @return whether there is one before that offset
     */
    public boolean next(long before) {
        // Not around another method: HotSpot would not compile all of a poll into one, and leave garbage for each record.
        try {
            while (offset < before) {
                if (isAtEnd(segment.tail.get())) {
                    if (!moveOn()) {
                        return false;
                    }
                    continue;
                }
                long word = word();
                if (!segment.isCommitted(word, offset)) {
                    return false;
                }
                int length = QueueLayout.length(word);
                if (!segment.isSound(position, offset, length)) {
                    throw damaged();
                }
                // Read everything before anything changes: reading fails if the file was truncated.
                int kind = segment.kind(position);
                if (kind == QueueLayout.KIND_END) {
                    throw missing();
                }
                boolean isRecord = kind == QueueLayout.KIND_RECORD;
                int end = position + (int) QueueLayout.recordBytes(length);
                // No call from here on: there may be no stack for one, and then all of this must change or nothing.
                foundIn = segment;
                foundOffset = offset;
                foundPosition = position;
                foundLength = length;
                offset++;
                position = end;
                if (isRecord) {
                    return true;
                }
            }
            return false;
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    /** Moves over records of the same segment that are known to be sound. */
    public void passed(int records, int end) {
        offset += records;
        position = end;
    }

    /** Moves behind the last record of the segment, if there is another segment and all records of this one are known to be committed. */
    void skipSettled() {
        // First, because then the segment is sealed.
        SegmentFile next = segment.next;
        if (next != null && segment.isSettled(next.baseOffset - 1)) {
            offset = next.baseOffset;
            position = SegmentTail.position(segment.tail.get());
        }
    }

    /**
     * Moves over the next record of any kind, without reading its payload.
     *
     * @return whether there was one
     */
    public boolean skip() {
        try {
            while (isAtEnd(segment.tail.get())) {
                if (!moveOn()) {
                    return false;
                }
            }
            long word = word();
            if (!segment.isCommitted(word, offset)) {
                return false;
            }
            if (QueueLayout.recordBytes(QueueLayout.length(word)) > segment.size - position) {
                throw damaged();
            }
            if (segment.kind(position) == QueueLayout.KIND_END
                    && segment.isWhole(position, offset, QueueLayout.length(word))) {
                throw missing();
            }
            int end = position + (int) QueueLayout.recordBytes(QueueLayout.length(word));
            offset++;
            position = end;
            return true;
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    /** Whether no record is claimed here. If so, a word that happens to fit is from an earlier use of the file. */
    private boolean isAtEnd(long tail) {
        return offset - segment.baseOffset >= SegmentTail.records(tail);
    }

    /** Reads the committed word of the next record, or what lies in its place. */
    private long word() {
        if (position > segment.size - QueueLayout.PAYLOAD) {
            throw missing();
        }
        long word = segment.commitWord(position);
        if (!segment.isCommitted(word, offset) && segment.isSettled(offset)) {
            // Read again: between the two looks, the record may have been committed, and another thread may have found that.
            word = segment.commitWord(position);
            if (!segment.isCommitted(word, offset)) {
                throw Failures.make().corrupt(segment.path, position, offset,
                        "record " + offset + " is no longer there");
            }
        }
        return word;
    }

    /** Moves to the next segment if this one is at its end. Returns whether to look again. */
    private boolean moveOn() {
        // Read once for both questions, because records and the end may come between two reads.
        long tail = segment.tail.get();
        if (!isAtEnd(tail)) {
            return true;
        }
        SegmentFile next = segment.next;
        if (!SegmentTail.isSealed(tail) || next == null) {
            return false;
        }
        if (next.baseOffset < offset) {
            // Two files have the same offsets, so looking again would not end.
            throw Failures.make().corrupt(segment.path, position, offset,
                    "its records go on behind the first one of " + next.path);
        }
        if (next.baseOffset > offset) {
            // It was sealed, unsealed because there was no room for another file, appended to, and sealed again.
            return true;
        }
        // Segments are given back in order, so this one cannot have been.
        if (!next.lease()) {
            return false;
        }
        requireLength(next);
        // Later cursors need not look at each of its records.
        segment.settle(offset);
        SegmentFile left = segment;
        segment = next;
        offset = next.baseOffset;
        position = QueueLayout.HEADER;
        // Last: an error here keeps the segment leased, which is harmless. It must not be released twice.
        left.release();
        return true;
    }

    /** Checks a segment before it is read, because the JVM would not survive reading a truncated file. */
    private static void requireLength(SegmentFile leased) {
        try {
            leased.requireLength();
        } catch (RuntimeException e) {
            leased.release();
            throw e;
        }
    }

    private RuntimeException damaged() {
        return Failures.make().corrupt(segment.path, position, offset,
                "the checksum of record " + offset + " does not fit its content");
    }

    /**
     * The segment ends before the next existing segment begins. Opening a queue does not notice this, because it would have to read
     * everything.
     */
    private RuntimeException missing() {
        return Failures.make().corrupt(segment.path, position, offset,
                "its records end here, and the segment that begins with record " + offset + " is missing");
    }

    /** The pages of a truncated file are gone. */
    private RuntimeException cutOff(InternalError e) {
        return Failures.make().corrupt(segment.path, position, offset,
                "record " + offset + " cannot be read: the file is shorter than it was, or the disk has failed", e);
    }

    /** The offset of the next record. */
    public long offset() {
        return offset;
    }

    /** The position of the next record among all segments; see {@link SegmentFile#start}. */
    public long position() {
        return segment.start + position;
    }

    /** Its position in the segment. */
    public int positionInSegment() {
        return position;
    }

    public SegmentFile segment() {
        return segment;
    }

    public long foundOffset() {
        return foundOffset;
    }

    public int foundPosition() {
        return foundPosition;
    }

    public int foundLength() {
        return foundLength;
    }

    /** The segment of the found record, leased only while it is also {@link #segment()}. */
    public SegmentFile foundIn() {
        return java.util.Objects.requireNonNull(foundIn);
    }

    public long foundTime() {
        return foundIn().time(foundPosition);
    }

    /** Moves back before the found record. Only directly after {@link #next()} has returned true. */
    public void unread() {
        offset = foundOffset;
        position = foundPosition;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            segment.release();
        }
    }
}
