package dev.outcrop.queue.internal.repair;

import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.util.ArrayList;
import java.util.List;

/** Reads one segment and reports its records and gaps. Changes nothing. */
public final class SegmentCheck {
    /**
     * A gap: a range in which records should be, but are not.
     *
     * @param position where it begins
     * @param end      where it ends
     * @param offset   of the first record that should be there
     * @param next     offset behind the last one
     * @param isDamage whether the first one was committed or cannot be read, or they are known to have been on the disk
     * @param what     what is there instead
     */
    public record Hole(int position, int end, long offset, long next, boolean isDamage, String what) {
    }

    private final SegmentFile segment;
    private final long endOffset;
    private final int size;
    private final long synced;
    private final long cleanPosition;
    private final List<Hole> holes = new ArrayList<>();
    private long records;
    private long withdrawn;
    private long earliest = Long.MAX_VALUE;
    private boolean isTorn;
    private long offset;
    private int position = QueueLayout.HEADER;

    /**
     * Reads a segment.
     *
     * @param baseOffset    in the file's name
     * @param endOffset     of the first record of the next segment; -1 if there is none
     * @param size          that the segment should have
     * @param synced        offset before which all records were on the disk
     * @param cleanPosition where the last segment ended when the queue was closed; 0 if that is not known
     */
    SegmentCheck(SegmentFile segment, long baseOffset, long endOffset, int size, long synced, long cleanPosition) {
        this.segment = segment;
        this.offset = baseOffset;
        this.endOffset = endOffset;
        this.size = size;
        this.synced = synced;
        this.cleanPosition = cleanPosition;
        if (read()) {
            findMissing();
        }
    }

    /** Reads a segment up to the end that the rest of the queue requires. */
    public static SegmentCheck of(SegmentFile segment, FoundSegment found, long next, QueueFile.Slot slot) {
        segment.findUnreadable();
        return new SegmentCheck(segment, found.offset(), next, (int) slot.segmentSize(), slot.promised(),
                slot.cleanPosition());
    }

    /** Reads the records. Returns false if they end with an end record. */
    private boolean read() {
        int last = Math.min(size, segment.size) - QueueLayout.PAYLOAD;
        while (offset != endOffset && position <= last) {
            long word = segment.foundWord(position);
            int length = QueueLayout.length(word);
            if (!segment.isCommitted(word, offset) || !segment.isWhole(position, offset, length)) {
                GapFiller.Found next = GapFiller.find(segment, position, offset, endOffset);
                if (next == null) {
                    isTorn = endOffset < 0 && offset >= synced && segment.isCommitted(word, offset);
                    return true;
                }
                addHole(next.position(), next.offset(), "; the next whole record is " + next.offset());
                continue;
            }
            int kind = segment.kind(position);
            if (kind == QueueLayout.KIND_END) {
                return false;
            }
            earliest = Math.min(earliest, segment.time(position));
            if (kind == QueueLayout.KIND_RECORD) {
                records++;
            } else {
                withdrawn++;
            }
            offset++;
            position += (int) QueueLayout.recordBytes(length);
        }
        return true;
    }

    /** Adds the gap up to the end, with as many records as there is room for. */
    private void findMissing() {
        long room = ((long) size - position) / QueueLayout.PAYLOAD;
        if (endOffset >= 0) {
            long missing = Math.min(endOffset - offset, room);
            if (missing > 0) {
                addHole(size, offset + missing, "");
            }
        } else {
            long missing = Math.min(synced - offset, room);
            if (missing > 0) {
                // More may follow in this segment, so they take as little room as they can.
                int least = position + (int) missing * QueueLayout.PAYLOAD;
                addHole(cleanPosition >= least && cleanPosition <= size ? (int) cleanPosition : least,
                        offset + missing,
                        "; no whole one is behind it, and all before " + synced + " were on the disk");
            }
        }
    }

    private void addHole(int end, long next, String behind) {
        boolean isCommitted = position <= segment.size - QueueLayout.PAYLOAD
                && segment.isCommitted(segment.foundWord(position), offset);
        boolean isUnreadable = segment.firstUnreadable(position, end) >= 0;
        String which = next == offset + 1
                ? "record " + offset + " is"
                : "records " + offset + " to " + (next - 1) + " are";
        String what = isUnreadable
                ? which + " not there, where the file cannot be read" + behind
                : isCommitted
                        ? "the checksum of record " + offset + " does not fit its content" + behind
                        : which + " not there";
        holes.add(new Hole(position, end, offset, next, isUnreadable || isCommitted || offset < synced, what));
        position = end;
        offset = next;
    }

    /** Whether the last segment ends with a committed record that is not whole, and not known to have been on the disk. */
    public boolean isTorn() {
        return isTorn;
    }

    public List<Hole> holes() {
        return holes;
    }

    /** The offset behind the last record or gap. */
    public long offset() {
        return offset;
    }

    public int position() {
        return position;
    }

    /** The earliest time of a record; {@link Long#MAX_VALUE} if there is none. */
    public long earliest() {
        return earliest;
    }

    public long records() {
        return records;
    }

    public long withdrawn() {
        return withdrawn;
    }
}
