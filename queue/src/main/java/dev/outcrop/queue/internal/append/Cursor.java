package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;
import org.jspecify.annotations.Nullable;

/**
 * A place between two records, from which the queue is read on. It leases the segment that it is in, so that nothing can be taken away
 * under it. For one thread at a time.
 */
public final class Cursor implements AutoCloseable {
    private SegmentFile segment;
    private long offset;
    private int position;
    /** Of the record that {@link #next()} has found. */
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
     * Goes on to the next record that is there, which is then the found one.
     *
     * @return whether there is one
     * @throws QueueCorruptException if it is not as it was written; asking again throws again
     */
    public boolean next() {
        return next(Long.MAX_VALUE);
    }

    /**
     * As {@link #next()}, but does not go behind an offset.
     *
     * @return whether there is one before that offset
     */
    public boolean next(long before) {
        // Not around a method that reads: HotSpot would not compile all of a poll into one, and leave garbage for each record.
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
                // All reading is done before anything changes: it fails if the file was cut off.
                int kind = segment.kind(position);
                if (kind == QueueLayout.KIND_END) {
                    throw missing();
                }
                boolean isRecord = kind == QueueLayout.KIND_RECORD;
                int end = position + (int) QueueLayout.recordBytes(length);
                // Without a call from here on: for one there may be no stack, and then all of this must change or nothing.
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

    /** Goes on in the same segment, over records that are known to be whole. */
    public void passed(int records, int end) {
        offset += records;
        position = end;
    }

    /** Goes behind the last record of the segment if there is another one behind it and all of this one's are known to be committed. */
    void skipSettled() {
        // First: then the segment is sealed, and stays so.
        SegmentFile next = segment.next;
        if (next != null && segment.isSettled(next.baseOffset - 1)) {
            offset = next.baseOffset;
            position = SegmentTail.position(segment.tail.get());
        }
    }

    /**
     * Goes behind the next record, whatever it is, without looking at its content.
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

    /** Whether nothing more is claimed here: then a word that happens to fit is one of earlier times. */
    private boolean isAtEnd(long tail) {
        return offset - segment.baseOffset >= SegmentTail.records(tail);
    }

    /** What lies where the next record's committed word is or is going to be. */
    private long word() {
        if (position > segment.size - QueueLayout.PAYLOAD) {
            throw missing();
        }
        long word = segment.commitWord(position);
        if (!segment.isCommitted(word, offset) && segment.isSettled(offset)) {
            // Once more: between the two looks the record may have been committed, and found to be so by another thread.
            word = segment.commitWord(position);
            if (!segment.isCommitted(word, offset)) {
                throw Failures.corrupt(segment.path, position, offset,
                        "record " + offset + " is not there any more");
            }
        }
        return word;
    }

    /** Goes to the start of the segment behind, if there is one and this one is at its end. Returns whether to look again. */
    private boolean moveOn() {
        // Once for both questions: between two looks records may come, and the end.
        long tail = segment.tail.get();
        if (!isAtEnd(tail)) {
            return true;
        }
        SegmentFile next = segment.next;
        if (!SegmentTail.isSealed(tail) || next == null) {
            return false;
        }
        if (next.baseOffset < offset) {
            // Two files have the same offsets. Looking again would not end.
            throw Failures.corrupt(segment.path, position, offset,
                    "its records go on behind the first one of " + next.path);
        }
        if (next.baseOffset > offset) {
            // It was sealed, unsealed because there was no room for another file, appended to, and sealed again.
            return true;
        }
        // It cannot have been given back, because those before it are given back before.
        if (!next.lease()) {
            return false;
        }
        requireLength(next);
        // Who comes later need not look at each of its records.
        segment.settle(offset);
        SegmentFile left = segment;
        segment = next;
        offset = next.baseOffset;
        position = QueueLayout.HEADER;
        // Last: an error here keeps the segment leased, which does no harm. It must never be released twice.
        left.release();
        return true;
    }

    /** Before anything in a segment is read: the JVM would not survive that of a file which was cut off. */
    private static void requireLength(SegmentFile leased) {
        try {
            leased.requireLength();
        } catch (RuntimeException e) {
            leased.release();
            throw e;
        }
    }

    private RuntimeException damaged() {
        return Failures.corrupt(segment.path, position, offset,
                "the checksum of record " + offset + " does not fit its content");
    }

    /**
     * Here the segment ends, and not where the next one that is there begins. Opening a queue does not look, because it would have to read
     * all.
     */
    private RuntimeException missing() {
        return Failures.corrupt(segment.path, position, offset,
                "its records end here, and the segment that begins with record " + offset + " is missing");
    }

    /** The pages of a file that was cut off are not there any more. */
    private RuntimeException cutOff(InternalError e) {
        return Failures.corrupt(segment.path, position, offset,
                "record " + offset + " cannot be read: the file is shorter than it was, or the disk has failed", e);
    }

    /** The offset from which {@link #next()} goes on. */
    public long offset() {
        return offset;
    }

    /** Where that is among the records of all segments; see {@link SegmentFile#start}. */
    public long position() {
        return segment.start + position;
    }

    /** The same in its segment. */
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

    /** The segment of the found record; leased by this cursor only as long as it is also {@link #segment()}. */
    public SegmentFile foundIn() {
        return java.util.Objects.requireNonNull(foundIn);
    }

    public long foundTime() {
        return foundIn().time(foundPosition);
    }

    /** Goes back to before the found record. Only directly after {@link #next()} has returned true. */
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
