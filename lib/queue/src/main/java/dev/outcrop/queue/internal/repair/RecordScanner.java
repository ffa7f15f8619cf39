package dev.outcrop.queue.internal.repair;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the whole records behind a gap, in runs without a gap, and chooses the run to go on with.
 *
 * <p>That is not always the first one: where a disk has written a block to a wrong place, whole records lie before others of lower offsets.
 * So this chooses the chain of runs that keeps the most records in order.
 */
public final class RecordScanner {
    /** The most runs. A misplaced block adds one or two; a segment with very many gaps is read at most so many times. */
    private static final int MOST = 8;

    private final SegmentFile segment;
    private final long endOffset;
    private final List<Run> runs = new ArrayList<>();

    /** Records that follow each other from a position and an offset on. */
    private record Run(int position, long offset, int end, int count) {
        long next() {
            return offset + count;
        }
    }

    /** The run to go on with, how many of its records are skipped, and how many records are kept in all. */
    private record Choice(Run run, int skipped, long kept) {
        private boolean isBetter(@Nullable Choice other) {
            return other == null || kept > other.kept
                    || (kept == other.kept && run.offset + skipped < other.run.offset + other.skipped);
        }
    }

    /**
     * Finds the runs.
     *
     * @param position  where the gap begins
     * @param offset    of the first record that is missing
     * @param endOffset offset of the next segment; -1 if there is none
     */
    RecordScanner(SegmentFile segment, int position, long offset, long endOffset) {
        this.segment = segment;
        this.endOffset = endOffset;
        for (int at = segment.skipZeros(position); at <= segment.size - QueueLayout.PAYLOAD
                && runs.size() < MOST; at = segment.skipZeros(at)) {
            long word = segment.foundWord(at);
            at = (word & QueueLayout.COMMITTED) != 0 && isRun(at, word, position, offset)
                    ? add(at, offset + segment.missingBefore(word, offset))
                    : at + Long.BYTES;
        }
    }

    /** Whether a whole record that can be behind the gap stands at a place. */
    private boolean isRun(int at, long word, int position, long offset) {
        long missingBefore = segment.missingBefore(word, offset);
        return GapFiller.isPossible(missingBefore, at - position)
                && (missingBefore == 0 || isBeforeEnd(offset + missingBefore))
                && segment.isWhole(at, offset + missingBefore, QueueLayout.length(word));
    }

    private boolean isBeforeEnd(long offset) {
        return endOffset < 0 || offset <= endOffset;
    }

    /** Adds the run that begins with a whole record. Returns its end. */
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

    /** Returns where to go on; null if there is no whole record. */
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

    /** Chooses from the runs from an index on, behind a place where the record of an offset should be. */
    private @Nullable Choice choose(int position, long offset, int first, long[] kept) {
        Choice best = null;
        for (int i = first; i < runs.size(); i++) {
            Run run = runs.get(i);
            boolean isAdjacent = run.position == position && run.offset == offset;
            // Room before a run has to be filled by a withdrawn record.
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

    /** The position of a record in a run. */
    private int position(Run run, int index) {
        int at = run.position;
        for (int i = 0; i < index; i++) {
            at += (int) QueueLayout.recordBytes(QueueLayout.length(segment.commitWord(at)));
        }
        return at;
    }
}
