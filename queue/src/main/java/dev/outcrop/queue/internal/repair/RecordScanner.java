package dev.outcrop.queue.internal.repair;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whole records behind a hole, in runs that follow each other without a gap, and which run to go on with.
 *
 * <p>That is not always the first one: where a disk has written a block to a wrong place of the same segment, whole records lie before
 * others of lower offsets. Going on with them would take those away, of which readers have perhaps been given some. So the chain of runs
 * counts that keeps the most records in the order of their offsets.
 */
public final class RecordScanner {
    /**
     * How many runs are looked at. A block in a wrong place adds one or two; and so a segment with very many holes is read at most so many
     * times as often as one with none.
     */
    private static final int MOST = 8;

    private final SegmentFile segment;
    private final long endOffset;
    private final List<Run> runs = new ArrayList<>();

    /** Records that follow each other from a position on, and from an offset on. */
    private record Run(int position, long offset, int end, int count) {
        long next() {
            return offset + count;
        }
    }

    /** With which run to go on, from which of its records on, and how many records are kept so. */
    private record Choice(Run run, int skipped, long kept) {
        private boolean isBetter(@Nullable Choice other) {
            return other == null || kept > other.kept
                    || (kept == other.kept && run.offset + skipped < other.run.offset + other.skipped);
        }
    }

    /**
     * Looks.
     *
     * @param position  where the hole begins
     * @param offset    of the first record that is missing
     * @param endOffset that of the next segment; -1 if there is none
     */
    RecordScanner(SegmentFile segment, int position, long offset, long endOffset) {
        this.segment = segment;
        this.endOffset = endOffset;
        for (int at = segment.skipZeros(position); at <= segment.size - QueueLayout.PAYLOAD
                && runs.size() < MOST; at = segment.skipZeros(at)) {
            long word = segment.foundWord(at);
            at = (word & QueueLayout.COMMITTED) != 0 && isRun(at, word, position, offset)
                    ? add(at, offset + segment.swallowed(word, offset))
                    : at + Long.BYTES;
        }
    }

    /** Whether a whole record stands at a place that can be one of those behind a hole. */
    private boolean isRun(int at, long word, int position, long offset) {
        long swallowed = segment.swallowed(word, offset);
        return GapFiller.isPossible(swallowed, at - position) && (swallowed == 0 || isBeforeEnd(offset + swallowed))
                && segment.isWhole(at, offset + swallowed, QueueLayout.length(word));
    }

    private boolean isBeforeEnd(long offset) {
        return endOffset < 0 || offset <= endOffset;
    }

    /** Follows a run that begins with a whole record. Returns where it ends. */
    private int add(int position, long offset) {
        int at = position;
        int count = 0;
        boolean isEnd = false;
        while (!isEnd && at <= segment.size - QueueLayout.PAYLOAD && (count == 0 || isBeforeEnd(offset + count))) {
            long word = segment.foundWord(at);
            int length = QueueLayout.length(word);
            if (!segment.isCommitted(word, offset + count) || !segment.isWhole(at, offset + count, length)) {
                break;
            }
            isEnd = segment.kind(at) == QueueLayout.KIND_END;
            at += (int) QueueLayout.recordBytes(length);
            count++;
        }
        runs.add(new Run(position, offset, at, count));
        return at;
    }

    /** Where to go on; null if there is no whole record. */
    public GapFiller.@Nullable Found best(int position, long offset) {
        long[] kept = new long[runs.size()];
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run run = runs.get(i);
            Choice behind = choose(run.end, run.next(), i + 1, kept);
            kept[i] = run.count + (behind == null ? 0 : behind.kept);
        }
        Choice best = choose(position, offset, 0, kept);
        return best == null
                ? null
                : new GapFiller.Found(position(best.run, best.skipped), best.run.offset + best.skipped);
    }

    /** The best of the runs from one on, behind a place where the record of an offset should be. */
    private @Nullable Choice choose(int position, long offset, int first, long[] kept) {
        Choice best = null;
        for (int i = first; i < runs.size(); i++) {
            Run run = runs.get(i);
            boolean isAdjacent = run.position == position && run.offset == offset;
            // One that is not adjacent has room before it, which a withdrawn record has to fill.
            long skipped = isAdjacent ? 0 : Math.max(0, offset + 1 - run.offset);
            if (skipped < run.count) {
                Choice choice = new Choice(run, (int) skipped, kept[i] - skipped);
                if (GapFiller.isPossible(run.offset + skipped - offset, position(run, (int) skipped) - position)
                        && choice.isBetter(best)) {
                    best = choice;
                }
            }
        }
        return best;
    }

    /** Where a record of a run begins. */
    private int position(Run run, int index) {
        int at = run.position;
        for (int i = 0; i < index; i++) {
            at += (int) QueueLayout.recordBytes(QueueLayout.length(segment.commitWord(at)));
        }
        return at;
    }
}
