package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.files.GroupLayout;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records that are taken from a group at once, because its lock costs more than a record. They follow each other in one segment, and are so
 * few that they are still in the nearest cache when they are shown. Reused; a poll shows several batches, one after the other.
 */
public final class Batch {
    public static final int RECORDS = 256;
    /** The record that reaches this many bytes fills the batch. About as much as processors load ahead. */
    private static final int BYTES = 4 << 10;
    /** The length of a run, if its records are like the first one. */
    private static final int RUN_BYTES = 64 << 10;
    /** The smallest payload that begins a run: a batch has so many smaller payloads that its lock costs little. */
    private static final int SMALLEST = 512;
    /** The largest payload that begins a run: larger ones are batches of their own. */
    private static final int LARGEST = 4 << 10;
    /** How many bytes of a run are read at once: less than the processor loads ahead, and several small records. */
    private static final int STEP_BYTES = 512;

    private final int[] positions = new int[RECORDS];
    private final int[] lengths = new int[RECORDS];
    /**
     * How many records of the run were found, in the upper half, and where the next one begins. Written without the group's lock by the
     * consumer's thread only.
     */
    private final AtomicLong found = new AtomicLong();
    /** The offset of the first one. */
    public long first;
    public int size;
    /** How often each of them was delivered, this time included. */
    public int deliveries;
    /** How often the group had been moved when they were taken. */
    public int moves;
    /** When they are delivered again; see {@link InFlight#deadline()}. */
    public long deadline;
    /** So many of them were shown. */
    public int shown;
    /**
     * Whether they are found while they are shown. Only the consumer's thread writes it, so it does not change if the run ends meanwhile.
     */
    public boolean isRun;
    /** The length of the run, which the group shortens if it ends early; 0 if there is none. */
    public int run;

    /** How many of the run's records are delivered. Guarded by the group's lock. */
    int delivered;
    /** There was no record behind them when they were taken. */
    public boolean isLast;

    /**
     * The offsets that earlier batches of the same poll have shown: for each range, its first offset and the offset behind its last one.
     */
    private long[] shownBefore = new long[16];
    private int runsBefore;

    /** Their segment, leased. */
    private @Nullable SegmentFile segment;
    /** The lifetime of a segment that a visitor has asked for. */
    private @Nullable Arena arena;
    /** All of the segment, if a visitor has asked for it. */
    private @Nullable MemorySegment memory;
    /** The segment of the records before, if that is another one. */
    private @Nullable SegmentFile before;
    private @Nullable Arena arenaBefore;

    // --- Records that a poll has shown ---

    /** A poll begins. */
    public void begin() {
        runsBefore = 0;
    }

    /** Another batch of the same poll follows. */
    public void remember() {
        if (runsBefore > 0 && shownBefore[2 * runsBefore - 1] == first) {
            shownBefore[2 * runsBefore - 1] += shown;
            return;
        }
        if (shownBefore.length == 2 * runsBefore) {
            shownBefore = Arrays.copyOf(shownBefore, 2 * shownBefore.length);
        }
        shownBefore[2 * runsBefore] = first;
        shownBefore[2 * runsBefore + 1] = first + shown;
        runsBefore++;
    }

    /** Gives back all that the poll has taken and its member still holds. With the group's lock held. */
    void giveBack(Member member, InFlight window) {
        for (int i = 0; i < runsBefore; i++) {
            member.giveBack(window, shownBefore[2 * i], shownBefore[2 * i + 1]);
        }
        member.giveBack(window, first, first + size);
    }

    // --- Taking, with the group's lock held ---

    /**
     * Takes new records that follow each other, as far as they are sound and there is room for them.
     *
     * @param in cannot be given back at this moment
     * @return how many there are
     */
    int takeRun(SegmentFile in, int position, long offset, int most) {
        int count = in.wholeRecords(position, offset, Math.min(most, RECORDS), BYTES, positions, lengths, 0);
        if (count > 0) {
            taken(in, offset, count, 1);
        }
        return count;
    }

    /** How long a run of records with one length may be; 0 if it is not worth while. */
    static int runOf(int length, long there) {
        boolean isWorthWhile = length >= SMALLEST && length <= LARGEST && there > 1;
        return isWorthWhile ? (int) Math.min(there, RUN_BYTES / QueueLayout.recordBytes(length)) : 0;
    }

    /** Takes new records, which are found while they are shown. */
    void beginRun(SegmentFile in, int position, long offset, int count) {
        taken(in, offset, count, 1);
        isRun = true;
        run = count;
        delivered = 0;
        // Plain is enough: readers have the group's lock, as this thread has, or are this thread.
        found.setPlain(position);
    }

    /** Takes a single record of a segment that cannot be given back at this moment. */
    public void take(SegmentFile in, int position, int length, long offset, int delivered) {
        positions[0] = position;
        lengths[0] = length;
        taken(in, offset, 1, delivered);
    }

    private void taken(SegmentFile in, long offset, int count, int delivered) {
        if (in != segment) {
            lease(in);
            before = segment;
            arenaBefore = arena;
            segment = in;
            arena = null;
            memory = null;
        }
        isRun = false;
        run = 0;
        first = offset;
        deliveries = delivered;
        size = count;
    }

    /** The offsets of a block that were taken and not shown yet, if the group was not moved since: they cannot be acknowledged. */
    int unshownBits(long block, int currentMoves) {
        long base = block * GroupLayout.WORD_OFFSETS;
        long from = Math.max(firstUnshown(currentMoves), base);
        long count = Math.min(first + size, base + GroupLayout.WORD_OFFSETS) - from;
        return count <= 0 ? 0 : -1 >>> (GroupLayout.WORD_OFFSETS - (int) count) << (int) (from - base);
    }

    /** The first offset that was taken and not shown yet; {@link Long#MAX_VALUE} if there is none. */
    long firstUnshown(int currentMoves) {
        return moves == currentMoves && shown < size ? first + shown : Long.MAX_VALUE;
    }

    /** The position of the record behind them. */
    public int end() {
        return positions[size - 1] + (int) QueueLayout.recordBytes(lengths[size - 1]);
    }

    /** Whether there was no room for more. */
    boolean isFull() {
        return size == RECORDS || (size > 0 && end() - positions[0] >= BYTES);
    }

    public static void lease(SegmentFile segment) {
        if (!segment.lease()) {
            throw new IllegalStateException(segment + " was given back while a consumer group needed it");
        }
    }

    /** The position of the first record. */
    public int[] positions() {
        return positions;
    }

    /** How long their payloads are. */
    public int[] lengths() {
        return lengths;
    }

    /** Forgets the records, but not the segment: the next ones are probably in it, too. */
    public void clear() {

        size = 0;
        shown = 0;
        isRun = false;
        isLast = false;
    }

    // --- Showing ---

    /**
     * Finds the next records of the run.
     *
     * @return how many are found; the same number as before if the next record is not there yet, or must not be shown
     */
    public int find() {
        long before = found.getPlain();
        int count = count(before);
        if (count >= run) {
            // Does not look behind the run: perhaps that cannot be read.
            return count;
        }
        try {
            int from = end(before);
            int length = segment().lengthOnPage(from, first + count);
            return length < STEP_BYTES ? findSome(count, from) : add(count, from, length);
        } catch (InternalError e) {
            // A page cannot be read. Taking single records finds what is wrong with it.
            return count;
        }
    }

    /** Adds a record. Returns how many are found. */
    private int add(int count, int from, int length) {
        positions[count] = from;
        lengths[count] = length;
        // Release: a thread with the group's lock, which acquires this, sees where they begin.
        found.setRelease((long) (count + 1) << 32 | (from + (int) QueueLayout.recordBytes(length)));
        return count + 1;
    }

    /** Finds several small records, or one that has to be verified. */
    private int findSome(int count, int from) {
        int more = segment().wholeRecords(from, first + count, run - count, STEP_BYTES, positions, lengths, count);
        if (more > 0) {
            int last = count + more - 1;
            int end = positions[last] + (int) QueueLayout.recordBytes(lengths[last]);
            // Release: as above.
            found.setRelease((long) (count + more) << 32 | end);
        }
        return count + more;
    }

    /** The found part of the run, for {@link #count} and {@link #end(long)}. */
    long found() {
        // Acquire: pairs with the release of find.
        return found.getAcquire();
    }

    static int count(long found) {
        return (int) (found >>> 32);
    }

    static int end(long found) {
        return (int) found;
    }

    public Arena arena() {
        Arena there = arena;
        if (there == null) {
            there = Arena.ofConfined();
            arena = there;
        }
        return there;
    }

    /** The segment with the records, as long as records of this segment are shown. */
    public MemorySegment memory() {
        MemorySegment there = memory;
        if (there == null) {
            there = segment().lendAll(arena());
            memory = there;
        }
        return there;
    }

    public SegmentFile segment() {
        return Objects.requireNonNull(segment);
    }

    /** Releases the segment of the records before, if that is another one. */
    void releaseBefore(Group group) {
        SegmentFile left = before;
        if (left != null) {
            before = null;
            release(group, left, arenaBefore);
            arenaBefore = null;
        }
    }

    /** Releases everything; again does nothing. */
    public void release(Group group) {
        releaseBefore(group);
        SegmentFile left = segment;
        if (left != null) {
            segment = null;
            memory = null;
            release(group, left, arena);
            arena = null;
        }
    }

    private static void release(Group group, SegmentFile left, @Nullable Arena lifetime) {
        // First: shown records must not be readable when their file can be unmapped.
        if (lifetime != null) {
            lifetime.close();
        }
        if (group.release(left)) {
            group.retire();
        }
    }
}
