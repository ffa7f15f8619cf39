package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;
import java.util.Arrays;

/**
 * Claims that will never be committed, because their threads failed. A thread notes its claim by writing the fields, without a call and
 * without a monitor: it may have neither stack nor memory left, and entering a monitor may need stack. The slot of a claim follows from its
 * first offset, so claims at the same time have different slots.
 */
final class AbandonedClaims {
    /** A power of two. */
    static final int SLOTS = 1024;

    /**
     * The first offset of the last claim in each slot; behind all offsets if there is none. Written last, so that a slot matches when it is
     * complete.
     */
    final long[] offsets = new long[SLOTS];
    /** The offset behind it. */
    final long[] ends = new long[SLOTS];
    /** The position behind it in its segment. */
    final int[] positions = new int[SLOTS];
    /** How many claims each slot had. If there were several, only the last one is known. */
    final int[] counts = new int[SLOTS];
    /** Written behind the slot, so that a thread that reads it sees the slot. */
    volatile boolean isAny;

    AbandonedClaims() {
        Arrays.fill(offsets, Long.MAX_VALUE);
    }

    /**
     * Returns whether all claimed records from a cursor on are committed, except records that are known never to be. Call it only when
     * nothing more is claimed, and keep the cursor's segment and the segments behind it mapped. Behind damage, it is not known which
     * records are committed.
     */
    boolean isAllCommitted(Cursor from) {
        SegmentFile segment = from.segment();
        long offset = from.offset();
        int position = from.positionInSegment();
        while (true) {
            // First, because then the segment is sealed.
            SegmentFile next = segment.next;
            boolean isSettled = next != null && segment.isSettled(next.baseOffset - 1);
            long end = segment.baseOffset + SegmentTail.records(segment.tail.get());
            while (!isSettled && offset < end) {
                boolean wasSeen = segment.isSettled(offset);
                long word = segment.commitWord(position);
                if (segment.isCommitted(word, offset)) {
                    if (segment.kind(position) == QueueLayout.KIND_END
                            && segment.isWhole(position, offset, QueueLayout.length(word))) {
                        return true;
                    }
                    position += (int) QueueLayout.recordBytes(QueueLayout.length(word));
                    offset++;
                    continue;
                }
                if (wasSeen) {
                    return true;
                }
                int slot = isAny ? slotOf(offset) : -1;
                if (slot < 0) {
                    return isAny && isAnyUnknown();
                }
                offset = ends[slot];
                position = positions[slot];
            }
            next = segment.next;
            if (next == null) {
                return true;
            }
            segment = next;
            offset = next.baseOffset;
            position = QueueLayout.HEADER;
        }
    }

    private int slotOf(long offset) {
        for (int i = 0; i < SLOTS; i++) {
            if (offsets[i] <= offset && offset < ends[i]) {
                return i;
            }
        }
        return -1;
    }

    private boolean isAnyUnknown() {
        return Arrays.stream(counts).anyMatch(count -> count > 1);
    }
}
