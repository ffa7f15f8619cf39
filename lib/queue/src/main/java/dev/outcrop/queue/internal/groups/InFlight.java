package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.files.GroupLayout;
import java.util.Arrays;

/**
 * The records of a consumer group from its floor, the first record that is not acknowledged, to its end, the first record that was not
 * delivered. It also knows which records behind the end were acknowledged in an earlier opening. The data is in rings of primitives,
 * indexed by the low bits of an offset, which grow with the distance between floor and end. Not thread-safe: the group's lock guards it.
 */
public final class InFlight {
    // States, besides the positive numbers of the consumers that hold a record.
    static final int NOT_DELIVERED = 0;
    public static final int ACKNOWLEDGED = -1;
    /** Given back, to be delivered next. */
    static final int READY = -2;
    /** Given back, to be delivered later. */
    public static final int WAITING = -3;
    /** Being put with the dead letters; no consumer holds it. */
    static final int LEAVING = -4;
    /** Withdrawn, and kept until a later record is acknowledged; see {@link #pass}. */
    static final int PASSED = -5;

    private static final int SMALLEST = 1024;

    private int mask = SMALLEST - 1;
    private int[] states = new int[SMALLEST];
    private char[] counts = new char[SMALLEST];
    private int[] positions = new int[SMALLEST];
    /** One bit for each place that is {@link #READY}. */
    private long[] ready = new long[SMALLEST / Long.SIZE];
    private int readyCount;
    private long readyFrom;

    /** A heap of the records that are {@link #WAITING}, the first due at the top. */
    private long[] dues = new long[16];
    private long[] waiting = new long[16];
    private int waitingCount;

    /** The number of the last delivery of the record at a place, in a ring that is made for the first redelivery. */
    private int[] deliveries = {};
    /** The number of the last redelivery. */
    private int lastDelivery;

    private final Deadlines deadlines = new Deadlines();
    /** The deadline of deliveries from now on. */
    private long deadline = Deadlines.NONE;
    private long timeouts;

    private long floor;
    private long end;
    private int delivered;
    private int acknowledgedAhead;
    /** How many of the {@link #acknowledgedAhead} are {@link #PASSED}. */
    private int passed;
    /** From here on nothing was acknowledged in an earlier opening. */
    private long restoredEnd;

    /** Resets to an offset: the record there is delivered next. */
    public void start(long offset) {
        Arrays.fill(states, NOT_DELIVERED);
        Arrays.fill(counts, (char) 0);
        Arrays.fill(ready, 0);
        readyCount = 0;
        readyFrom = offset;
        waitingCount = 0;
        deadlines.clear();
        floor = offset;
        end = offset;
        delivered = 0;
        acknowledgedAhead = 0;
        passed = 0;
        restoredEnd = offset;
    }

    public long floor() {
        return floor;
    }

    public long end() {
        return end;
    }

    /** Records from this offset on cannot be delivered yet: the group's file has no bits for them. */
    public long limit() {
        return (floor & -GroupLayout.WORD_OFFSETS) + GroupLayout.OFFSETS;
    }

    /** How many records consumers hold. */
    public int delivered() {
        return delivered;
    }

    /** How many records are acknowledged behind the floor. */
    int acknowledgedAhead() {
        return acknowledgedAhead;
    }

    /** The state of an offset from the floor on. */
    public int state(long offset) {
        return offset - floor <= mask ? states[index(offset)] : NOT_DELIVERED;
    }

    /** Returns whether a record at or behind the floor needs no consumer: it is acknowledged or withdrawn. */
    boolean isDone(long offset) {
        return state(offset) == ACKNOWLEDGED || state(offset) == PASSED;
    }

    /** How often the record was delivered; at most 65,535. */
    public int count(long offset) {
        return counts[index(offset)];
    }

    /** The record's position in its segment. */
    public int position(long offset) {
        return positions[index(offset)];
    }

    private int index(long offset) {
        return (int) offset & mask;
    }

    // --- New records: always the one at the end ---

    /** Delivers the record at the end. */
    public void deliver(int position, int consumer) {
        makeRoom(end);
        int i = index(end);
        states[i] = consumer;
        counts[i] = 1;
        positions[i] = position;
        deadlines.set(i, 1, deadline);
        delivered++;
        end++;
    }

    /** Delivers records from the end on. There is room for them, and none was acknowledged before. */
    public void deliver(int[] from, int count, int consumer) {
        deliver(from, 0, count, consumer, deadline);
    }

    void deliver(int[] from, int at, int count, int consumer, long until) {
        int i = index(end);
        // The end of the rings may be among them.
        int some = Math.min(count, mask + 1 - i);
        put(i, from, at, some, consumer, until);
        put(0, from, at + some, count - some, consumer, until);
        delivered += count;
        end += count;
    }

    private void put(int i, int[] from, int at, int count, int consumer, long until) {
        Arrays.fill(states, i, i + count, consumer);
        Arrays.fill(counts, i, i + count, (char) 1);
        System.arraycopy(from, at, positions, i, count);
        deadlines.set(i, count, until);
    }

    /** Whether a record from an offset on, at the end or behind it, may have been acknowledged in an earlier opening. */
    boolean mayBeAcknowledged(long offset) {
        return offset < restoredEnd;
    }

    /** Acknowledges the records from the end up to an offset, which are not delivered. */
    public void withdraw(long to) {
        for (; end < to; end++) {
            restore(end);
        }
    }

    /**
     * Passes over the withdrawn records from the end up to an offset. They count as acknowledged, but the floor rises over them only when
     * a later record is acknowledged.
     */
    void pass(long to) {
        for (; end < to; end++) {
            makeRoom(end);
            if (states[index(end)] != ACKNOWLEDGED) {
                states[index(end)] = PASSED;
                acknowledgedAhead++;
                passed++;
            }
        }
    }

    /** Acknowledges the withdrawn records up to an offset that were passed. */
    void acknowledgePassed(long to) {
        for (long offset = floor; passed > 0 && offset < end && offset <= to; offset++) {
            if (states[index(offset)] == PASSED) {
                states[index(offset)] = ACKNOWLEDGED;
                passed--;
            }
        }
    }

    /** Marks a record from the end on as acknowledged in an earlier opening. */
    void restore(long offset) {
        makeRoom(offset);
        restoredEnd = Math.max(restoredEnd, offset + 1);
        if (states[index(offset)] != ACKNOWLEDGED) {
            states[index(offset)] = ACKNOWLEDGED;
            acknowledgedAhead++;
        }
    }

    /** Whether the record at the end is acknowledged already. */
    boolean isEndAcknowledged() {
        return state(end) == ACKNOWLEDGED;
    }

    /** Makes room for the records up to an offset. */
    public void makeRoom(long offset) {
        if (offset - floor <= mask) {
            return;
        }
        int size = mask + 1;
        int larger = Math.max(size * 2, (int) Long.highestOneBit(offset - floor) * 2);
        // All of them before any is used, because there may not be memory for all.
        int[] newStates = new int[larger];
        char[] newCounts = new char[larger];
        int[] newPositions = new int[larger];
        long[] newReady = new long[larger / Long.SIZE];
        long[] newDeadlines = deadlines.larger(floor, size, larger);
        int[] newDeliveries = deliveries.length == 0 ? deliveries : new int[larger];
        for (long o = floor; o < floor + size; o++) {
            int from = (int) o & size - 1;
            int to = (int) o & larger - 1;
            newStates[to] = states[from];
            newCounts[to] = counts[from];
            newPositions[to] = positions[from];
            if (newDeliveries.length > 0) {
                newDeliveries[to] = deliveries[from];
            }
            if (states[from] == READY) {
                newReady[to >>> 6] |= 1L << to;
            }
        }
        states = newStates;
        counts = newCounts;
        positions = newPositions;
        deliveries = newDeliveries;
        ready = newReady;
        deadlines.use(newDeadlines);
        mask = larger - 1;
    }

    // --- Acknowledging ---

    /** Acknowledges a delivered record, which may be ready again because its deadline has passed. */
    public void acknowledge(long offset) {
        int i = index(offset);
        if (states[i] == READY) {
            unsetReady(i);
        } else {
            delivered--;
        }
        states[i] = ACKNOWLEDGED;
        acknowledgedAhead++;
    }

    /** The offsets of a block, between two offsets, that a consumer holds. */
    int heldBits(long block, long from, long to, int consumer) {
        long base = block * GroupLayout.WORD_OFFSETS;
        int first = (int) Math.max(from - base, 0);
        int last = (int) Math.min(to - base, GroupLayout.WORD_OFFSETS - 1);
        int bits = 0;
        int at = index(base);
        for (int i = first; i <= last; i++) {
            bits |= (states[at + i] == consumer ? 1 : 0) << i;
        }
        return bits;
    }

    /** Acknowledges delivered records of a block. */
    public void acknowledge(long block, int bits) {
        int at = index(block * GroupLayout.WORD_OFFSETS);
        int count = Integer.bitCount(bits);
        for (int rest = bits; rest != 0; rest &= rest - 1) {
            states[at + Integer.numberOfTrailingZeros(rest)] = ACKNOWLEDGED;
        }
        delivered -= count;
        acknowledgedAhead += count;
    }

    /** The first record from the floor on that was not passed; or the end. */
    long firstNotPassed() {
        long offset = floor;
        while (offset < end && states[index(offset)] == PASSED) {
            offset++;
        }
        return offset;
    }

    /** Raises the floor to the first record that is not acknowledged, or to the end. */
    void raise() {
        raiseToPassed();
        while (passed > 0) {
            long next = firstNotPassed();
            if (next == floor || next == end || states[index(next)] != ACKNOWLEDGED) {
                return;
            }
            acknowledgePassed(next);
            raiseToPassed();
        }
    }

    private void raiseToPassed() {
        boolean isThrough = true;
        while (isThrough && floor < end) {
            // Up to the end of the rings.
            int from = index(floor);
            int to = (int) Math.min(mask + 1L, from + (end - floor));
            int i = from;
            while (i < to && states[i] == ACKNOWLEDGED) {
                // The place will be another offset's.
                states[i++] = NOT_DELIVERED;
            }
            floor += i - from;
            acknowledgedAhead -= i - from;
            isThrough = i == to;
        }
    }

    // --- Giving back ---

    /** Makes a delivered record ready for redelivery, before new ones. */
    public void giveBack(long offset) {
        delivered--;
        deadlines.set(index(offset), 1, Deadlines.NONE);
        setReady(offset);
    }

    private void setReady(long offset) {
        int i = index(offset);
        states[i] = READY;
        ready[i >>> 6] |= 1L << i;
        readyFrom = readyCount == 0 ? offset : Math.min(readyFrom, offset);
        readyCount++;
    }

    private void unsetReady(int i) {
        ready[i >>> 6] &= ~(1L << i);
        readyCount--;
    }

    /** Sets how often a record was delivered, because its last delivery does not count. */
    void count(long offset, int count) {
        counts[index(offset)] = (char) count;
    }

    /** Takes a delivery back from the count, because it was not shown to the consumer. */
    void uncount(long offset) {
        counts[index(offset)]--;
    }

    // --- Being put away ---

    /** Marks a delivered record as being put with the dead letters. */
    void leave(long offset) {
        states[index(offset)] = LEAVING;
    }

    boolean isLeaving(long offset) {
        return offset >= floor && offset < end && states[index(offset)] == LEAVING;
    }

    /** Gives a record that could not be put away to a consumer again, until a deadline. */
    void stay(long offset, int consumer, long later) {
        states[index(offset)] = consumer;
        deadlines.set(index(offset), 1, later);
    }

    // --- Delivering again ---

    /** The first record that is ready, or -1. */
    long firstReady() {
        if (readyCount == 0) {
            return -1;
        }
        long offset = Math.max(readyFrom, floor);
        while (true) {
            int i = index(offset);
            long bits = ready[i >>> 6] >>> i;
            if (bits != 0) {
                readyFrom = offset + Long.numberOfTrailingZeros(bits);
                return readyFrom;
            }
            offset += Long.SIZE - (i & Long.SIZE - 1);
        }
    }

    /** Delivers the first ready record. */
    void redeliver(long offset, int consumer) {
        if (deliveries.length == 0) {
            // Before anything has changed: there may be no memory for it.
            deliveries = new int[mask + 1];
        }
        int i = index(offset);
        // A number is used again only after two billion redeliveries.
        lastDelivery = lastDelivery == Integer.MAX_VALUE ? 1 : lastDelivery + 1;
        deliveries[i] = lastDelivery;
        unsetReady(i);
        states[i] = consumer;
        counts[i] = (char) Math.min(counts[i] + 1, Character.MAX_VALUE);
        deadlines.set(i, 1, deadline);
        delivered++;
    }

    /** The number that tells the last delivery of a record from earlier ones. Not its count, which is corrected at times. */
    int delivery(long offset) {
        return deliveries.length == 0 ? 0 : deliveries[index(offset)];
    }

    /** Gives back a delivered record, to be ready at a time. */
    public void giveBack(long offset, long due) {
        if (waitingCount == waiting.length) {
            // Both before anything has changed: there may be no memory for the second one.
            long[] newDues = Arrays.copyOf(dues, 2 * waitingCount);
            waiting = Arrays.copyOf(waiting, 2 * waitingCount);
            dues = newDues;
        }
        delivered--;
        deadlines.set(index(offset), 1, Deadlines.NONE);
        states[index(offset)] = WAITING;
        int i = waitingCount++;
        for (; i > 0 && dues[(i - 1) / 2] > due; i = (i - 1) / 2) {
            dues[i] = dues[(i - 1) / 2];
            waiting[i] = waiting[(i - 1) / 2];
        }
        dues[i] = due;
        waiting[i] = offset;
    }

    /** When the first waiting record is due, or the first deadline may pass; {@link Long#MAX_VALUE} for never. */
    long firstDue() {
        return waitingCount > 0 ? Math.min(dues[0], deadlines.first()) : deadlines.first();
    }

    /** Makes the due records ready. */
    public void wake(long now) {
        while (waitingCount > 0 && dues[0] <= now) {
            setReady(waiting[0]);
            waitingCount--;
            sink(dues[waitingCount], waiting[waitingCount]);
        }
        if (deadlines.first() <= now) {
            takeBack(now);
        }
    }

    /** Takes back the records that consumers have kept for too long. */
    private void takeBack(long now) {
        long next = Long.MAX_VALUE;
        for (long offset = floor; offset < end; offset++) {
            int i = index(offset);
            long due = deadlines.at(i);
            if (states[i] <= 0 || due == Deadlines.NONE) {
                continue;
            }
            if (due > now) {
                next = Math.min(next, due);
                continue;
            }
            deadlines.passed(i, states[i]);
            delivered--;
            setReady(offset);
            timeouts++;
        }
        deadlines.first(next);
    }

    /** Puts a record in the place of the top of the heap. */
    private void sink(long due, long offset) {
        int i = 0;
        while (2 * i + 1 < waitingCount) {
            int child = 2 * i + 1;
            if (child + 1 < waitingCount && dues[child + 1] < dues[child]) {
                child++;
            }
            if (dues[child] >= due) {
                break;
            }
            dues[i] = dues[child];
            waiting[i] = waiting[child];
            i = child;
        }
        dues[i] = due;
        waiting[i] = offset;
    }

    // --- Deadlines ---

    /** Sets the deadline of deliveries from now on; {@link Deadlines#NONE} for none. */
    void deadline(long next) {
        if (next != Deadlines.NONE) {
            deadlines.makeRoom(mask + 1);
        }
        deadline = next;
    }

    /** The deadline of deliveries from now on. */
    long deadline() {
        return deadline;
    }

    long deadlineOf(long offset) {
        return deadlines.at(index(offset));
    }

    /** Gives a delivered record another deadline. */
    void extend(long offset, long later) {
        deadlines.makeRoom(mask + 1);
        deadlines.set(index(offset), 1, later);
    }

    boolean hasDeadline(long offset, long same) {
        return deadlines.at(index(offset)) == same;
    }

    /** Whether a consumer has kept a record for too long, and no other consumer has got it yet. */
    boolean isLate(long offset, int consumer) {
        return offset >= floor && offset < end && states[index(offset)] == READY
                && deadlines.isPassedBy(index(offset), consumer);
    }

    /**
     * Whether a record may have been taken from a consumer that has kept it for too long. The consumer is not remembered once another one
     * has the record.
     */
    boolean mayBeTakenBack(long offset) {
        return timeouts > 0 && offset >= floor && offset < end;
    }

    /** How many records consumers have kept for too long. */
    long timeouts() {
        return timeouts;
    }
}
