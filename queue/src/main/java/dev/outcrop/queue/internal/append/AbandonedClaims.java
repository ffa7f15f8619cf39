package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;

/**
 * Claims that will never be committed, because their threads failed. A thread adds one by writing the fields, with the monitor of
 * this object held, and without a call: it may have neither stack nor memory left.
 */
final class AbandonedClaims {
    /** The first one poisons the queue, so there are hardly more than threads that appended at that moment. */
    static final int MOST = 1024;

    /** The first offset of each claim. */
    final long[] offsets = new long[MOST];
    /** The offset behind each. */
    final long[] ends = new long[MOST];
    /** The position behind each in its segment. */
    final int[] positions = new int[MOST];
    int count;

    /**
     * Whether all claimed records from a cursor on are committed, except those that never will be. Only when nothing more is claimed, and the
     * caller keeps the cursor's segment and those behind it mapped.
     */
    boolean isAllCommitted(Cursor from) {
        SegmentFile segment = from.segment();
        long offset = from.offset();
        int position = from.positionInSegment();
        while (true) {
            long end = segment.baseOffset + SegmentTail.records(segment.tail.get());
            while (offset < end) {
                long word = segment.commitWord(position);
                if (segment.isCommitted(word, offset)) {
                    position += (int) QueueLayout.recordBytes(QueueLayout.length(word));
                    offset++;
                    continue;
                }
                synchronized (this) {
                    int i = indexOf(offset);
                    if (i < 0) {
                        return false;
                    }
                    offset = ends[i];
                    position = positions[i];
                }
            }
            SegmentFile next = segment.next;
            if (next == null) {
                return true;
            }
            segment = next;
            offset = next.baseOffset;
            position = QueueLayout.HEADER;
        }
    }

    /** Returns the index of the claim with an offset, or -1. */
    private int indexOf(long offset) {
        for (int i = 0; i < count; i++) {
            if (offsets[i] <= offset && offset < ends[i]) {
                return i;
            }
        }
        return -1;
    }
}
