package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Records that are taken from a group at once, because taking the group's lock for each would cost more than the record. They follow each
 * other in one segment, and are so few that what taking them has read is still in the processor's nearest cache when they are shown: all of
 * a record, or the head of one that is larger than a batch and need not be checked. Used again and again; a poll shows several, one after
 * the other.
 */
public final class Batch {
    public static final int RECORDS = 256;
    /**
     * The batch is full with the record that reaches this, with what comes before it. About what processors load ahead of a reader
     * meanwhile.
     */
    private static final int BYTES = 4 << 10;
    /** A run is about so long, if its records are like the first one. */
    private static final int RUN_BYTES = 64 << 10;
    /** Runs begin with a payload of this size at least: of smaller ones a batch has so many that its lock costs little. */
    private static final int SMALLEST = 512;
    /** And of this size at most: larger ones are batches of their own, of which nothing is loaded ahead. */
    private static final int LARGEST = 4 << 10;
    /** Behind so many bytes, what is read at once of a run ends: less than the processor loads ahead, and several small records. */
    private static final int STEP_BYTES = 512;
    /** After so many bytes others are told that they were checked, which is an atomic write. Who follows closer checks them, too. */
    private static final int CHECKED_BYTES = 4 << 10;

    private final int[] positions = new int[RECORDS];
    private final int[] lengths = new int[RECORDS];
    /**
     * How many records of the run were found, in the upper half, and where the one behind them begins. Only its consumer's thread writes it
     * without the group's lock.
     */
    private final AtomicLong found = new AtomicLong();
    /** Of the first one. */
    public long first;
    public int size;
    /** How often each of them was delivered, with this time. */
    public int deliveries;
    /** How often the group had been moved when they were taken. */
    public int moves;
    /** When they come again, for others; see {@link InFlight#deadline()}. */
    public long deadline;
    /** So many of them were shown. */
    public int shown;
    /** They are found while they are shown. Only its consumer's thread writes it, so that is not misled if the run ends meanwhile. */
    public boolean isRun;
    /** The length of the run, which the group shortens if it ends before; 0 if there is none. */
    public int run;
    /** From here to {@link #checkedTo}, records of the run were checked, and other readers are not told yet. */
    private int checkedFrom;
    private int checkedTo;
    /** So many of the run's records are delivered. Guarded by the group's lock. */
    int delivered;
    /** Nothing came behind them when they were taken. */
    public boolean isLast;

    /** What earlier batches of the same poll have shown: runs of offsets, of each the first one, and that behind the last one. */
    private long[] shownBefore = new long[16];
    private int runsBefore;

    /** The segment that they are in, leased. */
    private @Nullable SegmentFile segment;
    /** How long that can be read by a visitor who has asked for a segment. */
    private @Nullable Arena arena;
    /** All of the segment, if a visitor has asked for it, for as long as the payloads. */
    private @Nullable MemorySegment memory;
    /** The same of the records before, if these were in another one. */
    private @Nullable SegmentFile before;
    private @Nullable Arena arenaBefore;

    // --- What a poll has shown ---

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
     * Takes records that follow each other, delivered for the first time, as far as they are whole and there is room for them.
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

    /** How long a run may be, if there are so many records like one of a length; 0 if it is not worth while. */
    static int runOf(int length, long there) {
        boolean isWorthWhile = length >= SMALLEST && length <= LARGEST && there > 1;
        return isWorthWhile ? (int) Math.min(there, RUN_BYTES / QueueLayout.recordBytes(length)) : 0;
    }

    /** Takes records that follow each other, delivered for the first time, which are to be found while they are shown. */
    void beginRun(SegmentFile in, int position, long offset, int count) {
        taken(in, offset, count, 1);
        isRun = true;
        run = count;
        delivered = 0;
        // Plain is enough: who reads it has the group's lock, as this thread has, or is this thread.
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

    /** Which offsets of a block were taken and not shown yet, if the group was not moved since: they cannot be acknowledged. */
    int unshownBits(long block, int currentMoves) {
        long base = block * GroupFile.WORD_OFFSETS;
        long from = Math.max(firstUnshown(currentMoves), base);
        long count = Math.min(first + size, base + GroupFile.WORD_OFFSETS) - from;
        return count <= 0 ? 0 : -1 >>> (GroupFile.WORD_OFFSETS - (int) count) << (int) (from - base);
    }

    /** The first of them; {@link Long#MAX_VALUE} if there are none. */
    long firstUnshown(int currentMoves) {
        return moves == currentMoves && shown < size ? first + shown : Long.MAX_VALUE;
    }

    /** Where the record behind them begins. */
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

    /** Where the records begin. */
    public int[] positions() {
        return positions;
    }

    /** How long their payloads are. */
    public int[] lengths() {
        return lengths;
    }

    /** Forgets the records, but not yet the segment: what comes next is probably in it, too. */
    public void clear() {
        // Before others are taken: what is checked with those is remembered only if it joins on.
        tellChecked();
        size = 0;
        shown = 0;
        isRun = false;
        isLast = false;
    }

    // --- Showing ---

    /**
     * Finds the next records of the run.
     *
     * @return how many were found in all; as many as before if the next one is not there yet, or is not to be shown
     */
    public int find() {
        long before = found.getPlain();
        int count = count(before);
        if (count >= run) {
            // What lies behind it is nothing to be looked at here: perhaps it cannot be read.
            return count;
        }
        try {
            int from = end(before);
            int length = segment().lengthOnPage(from, first + count);
            return length < STEP_BYTES ? findUnknown(count, from) : add(count, from, length);
        } catch (InternalError e) {
            // A page cannot be read. One by one, those before it are taken, and what is wrong with it is found.
            return count;
        }
    }

    /** One more is found. Returns how many in all. */
    private int add(int count, int from, int length) {
        positions[count] = from;
        lengths[count] = length;
        // Release: who has the group's lock, and acquires this, sees where they begin.
        found.setRelease((long) (count + 1) << 32 | (from + (int) QueueLayout.recordBytes(length)));
        return count + 1;
    }

    /** One that has to be checked, or looked at, or several small ones. */
    private int findUnknown(int count, int from) {
        SegmentFile in = segment();
        int length = in.isKnown(from) ? -1 : in.checkedLength(from, first + count, STEP_BYTES);
        if (length < 0) {
            return findSome(count, from);
        }
        if (checkedTo != from) {
            tellChecked();
            checkedFrom = from;
        }
        checkedTo = from + (int) QueueLayout.recordBytes(length);
        if (checkedTo - checkedFrom >= CHECKED_BYTES) {
            tellChecked();
        }
        return add(count, from, length);
    }

    /** Others need not check again what this has. While the segment is leased. */
    private void tellChecked() {
        if (checkedTo > checkedFrom) {
            segment().checked(checkedFrom, checkedTo);
        }
        checkedFrom = checkedTo;
    }

    /** Several small records, or one that has to be looked at. */
    private int findSome(int count, int from) {
        // First: what is checked here is remembered only if it joins on.
        tellChecked();
        int more = segment().wholeRecords(from, first + count, run - count, STEP_BYTES, positions, lengths, count);
        if (more > 0) {
            int last = count + more - 1;
            int end = positions[last] + (int) QueueLayout.recordBytes(lengths[last]);
            // Release: as above.
            found.setRelease((long) (count + more) << 32 | end);
        }
        return count + more;
    }

    /** What was found of the run, for {@link #count} and {@link #end(long)}. */
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

    /** The lifetime of what a visitor asks for. */
    public Arena arena() {
        Arena there = arena;
        if (there == null) {
            there = Arena.ofConfined();
            arena = there;
        }
        return there;
    }

    /** The segment with the records, for as long as these are shown, and those behind them in the same segment. */
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

    /** Ends the use of the segment that the records before were in, if these are in another one. */
    void releaseBefore(Group group) {
        SegmentFile left = before;
        if (left != null) {
            before = null;
            release(group, left, arenaBefore);
            arenaBefore = null;
        }
    }

    /** Lets go of everything; again does nothing. */
    public void release(Group group) {
        releaseBefore(group);
        SegmentFile left = segment;
        if (left != null) {
            tellChecked();
            segment = null;
            memory = null;
            release(group, left, arena);
            arena = null;
        }
    }

    private static void release(Group group, SegmentFile left, @Nullable Arena lifetime) {
        // First: what was shown must not be read any more when its file can be unmapped.
        if (lifetime != null) {
            lifetime.close();
        }
        if (group.release(left)) {
            group.retire();
        }
    }
}
