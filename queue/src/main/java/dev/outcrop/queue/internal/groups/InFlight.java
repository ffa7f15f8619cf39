package dev.outcrop.queue.internal.groups;

import java.util.Arrays;

/**
 * What a consumer group knows about each record between its floor, the first that is not acknowledged, and its end, the first that was not
 * delivered yet; also which of those behind the end were acknowledged in an earlier run. Rings of primitives, in which an offset's place is
 * its low bits, and which grow with the distance between floor and end. Not thread-safe: the group's lock guards it.
 */
public final class InFlight {
    // States, beside the numbers of consumers, which are positive: delivered to that one.
    static final int NOT_DELIVERED = 0;
    public static final int ACKNOWLEDGED = -1;
    /** Given back: to be delivered next. */
    static final int READY = -2;
    /** Given back, to be delivered later. */
    public static final int WAITING = -3;
    /** Being put with the dead letters: no consumer holds it, for as long as that takes. */
    static final int LEAVING = -4;

    private static final int SMALLEST = 1024;
    private static final int FEW = 8;

    private int mask = SMALLEST - 1;
    private int[] states = new int[SMALLEST];
    private char[] counts = new char[SMALLEST];
    private int[] positions = new int[SMALLEST];
    /** One bit for each place that is {@link #READY}. */
    private long[] ready = new long[SMALLEST / Long.SIZE];
    private int readyCount;
    /** No offset before this one is ready. */
    private long readyFrom;

    /** A heap of those that are {@link #WAITING}, the first due at the top. */
    private long[] dues = new long[16];
    private long[] waiting = new long[16];
    private int waitingCount;

    /** Which delivery of the record at a place is the last one, in a ring that is made when one is delivered again. */
    private int[] deliveries = {};
    /** The number of that which was delivered again last; of those that were not, whatever their place has. */
    private int lastDelivery;

    private final Deadlines deadlines = new Deadlines();
    /** What is delivered from now on gets this one. */
    private long deadline = Deadlines.NONE;
    private long timeouts;

    private long floor;
    private long end;
    private int delivered;
    private int acknowledgedAhead;
    /** From here on nothing was acknowledged in an earlier run. */
    private long restoredEnd;

    /** Forgets everything: the next record to be delivered is that of an offset. */
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
        restoredEnd = offset;
    }

    public long floor() {
        return floor;
    }

    public long end() {
        return end;
    }

    /** Records from this offset on cannot be delivered yet, because the group's file could not tell that they are acknowledged. */
    public long limit() {
        return (floor & -GroupFile.WORD_OFFSETS) + GroupFile.OFFSETS;
    }

    /** Records that consumers hold. */
    public int delivered() {
        return delivered;
    }

    /** Records that are acknowledged, behind one that is not. */
    int acknowledgedAhead() {
        return acknowledgedAhead;
    }

    /** The state of an offset from the floor on. */
    public int state(long offset) {
        return offset - floor <= mask ? states[index(offset)] : NOT_DELIVERED;
    }

    /** How often the record was delivered; at most 65,535. */
    public int count(long offset) {
        return counts[index(offset)];
    }

    /** Where in its segment the record begins. */
    public int position(long offset) {
        return positions[index(offset)];
    }

    private int index(long offset) {
        return (int) offset & mask;
    }

    // --- New records: always the one at the end ---

    /** The record at the end goes to a consumer. */
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

    /** As many records from the end on go to a consumer; there is room for them, and none of them was acknowledged before. */
    public void deliver(int[] from, int count, int consumer) {
        deliver(from, 0, count, consumer, deadline);
    }

    /** As above, with a deadline of their own. */
    void deliver(int[] from, int at, int count, int consumer, long until) {
        int i = index(end);
        // The rings' end may be among them.
        int some = Math.min(count, mask + 1 - i);
        put(i, from, at, some, consumer, until);
        put(0, from, at + some, count - some, consumer, until);
        delivered += count;
        end += count;
    }

    private void put(int i, int[] from, int at, int count, int consumer, long until) {
        if (count <= FEW) {
            // Each of the three calls below takes as long.
            for (int k = 0; k < count; k++) {
                states[i + k] = consumer;
                counts[i + k] = 1;
                positions[i + k] = from[at + k];
            }
        } else {
            Arrays.fill(states, i, i + count, consumer);
            Arrays.fill(counts, i, i + count, (char) 1);
            System.arraycopy(from, at, positions, i, count);
        }
        deadlines.set(i, count, until);
    }

    /** Whether a record from an offset on, which is not before the end, may have been acknowledged in an earlier run. */
    boolean mayBeAcknowledged(long offset) {
        return offset < restoredEnd;
    }

    /** The records from the end up to an offset are not for anybody. */
    public void withdraw(long to) {
        for (; end < to; end++) {
            restore(end);
        }
    }

    /** A record from the end on was acknowledged, in an earlier run. */
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
        // All of them before any is used: there may be memory for the first ones only.
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

    /** A record is acknowledged that was delivered, and perhaps is to be again because its time has passed. */
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

    /** Which offsets of a block a consumer holds, of those from one to another one. */
    int heldBits(long block, long from, long to, int consumer) {
        long base = block * GroupFile.WORD_OFFSETS;
        int first = (int) Math.max(from - base, 0);
        int last = (int) Math.min(to - base, GroupFile.WORD_OFFSETS - 1);
        int bits = 0;
        // A block's places follow each other.
        int at = index(base);
        for (int i = first; i <= last; i++) {
            bits |= (states[at + i] == consumer ? 1 : 0) << i;
        }
        return bits;
    }

    /** Delivered records of a block are acknowledged. */
    public void acknowledge(long block, int bits) {
        int at = index(block * GroupFile.WORD_OFFSETS);
        int count = Integer.bitCount(bits);
        int first = Integer.numberOfTrailingZeros(bits);
        if (bits >>> first == -1 >>> -count) {
            // No gaps between them, which is usual.
            Arrays.fill(states, at + first, at + first + count, ACKNOWLEDGED);
        } else {
            for (int rest = bits; rest != 0; rest &= rest - 1) {
                states[at + Integer.numberOfTrailingZeros(rest)] = ACKNOWLEDGED;
            }
        }
        delivered -= count;
        acknowledgedAhead += count;
    }

    /** Moves the floor up to the first record that is not acknowledged, or to the end. */
    void raise() {
        boolean isThrough = true;
        while (isThrough && floor < end) {
            // Up to where the rings end.
            int from = index(floor);
            int to = (int) Math.min(mask + 1L, from + (end - floor));
            int i = from;
            while (i < to && states[i] == ACKNOWLEDGED) {
                // Its place is going to be another offset's.
                states[i++] = NOT_DELIVERED;
            }
            floor += i - from;
            acknowledgedAhead -= i - from;
            isThrough = i == to;
        }
    }

    // --- Giving back ---

    /** A delivered record is to be delivered again, before new ones. */
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

    /** The record was not shown to the consumer that it was meant for, so that delivery does not count. */
    void uncount(long offset) {
        counts[index(offset)]--;
    }

    // --- Being put away ---

    /** A delivered record is being put with the dead letters. */
    void leave(long offset) {
        states[index(offset)] = LEAVING;
    }

    boolean isLeaving(long offset) {
        return offset >= floor && offset < end && states[index(offset)] == LEAVING;
    }

    /** It could not be put there: a consumer has it again, until another time. */
    void stay(long offset, int consumer, long later) {
        states[index(offset)] = consumer;
        deadlines.set(index(offset), 1, later);
    }

    // --- Delivering again ---

    /** The first record that was given back, or -1. */
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

    /** The first record that was given back goes to a consumer. */
    void redeliver(long offset, int consumer) {
        if (deliveries.length == 0) {
            // Before anything has changed: there may be no memory for it.
            deliveries = new int[mask + 1];
        }
        int i = index(offset);
        // Never that of an earlier delivery, unless that is two thousand million of them ago.
        lastDelivery = lastDelivery == Integer.MAX_VALUE ? 1 : lastDelivery + 1;
        deliveries[i] = lastDelivery;
        unsetReady(i);
        states[i] = consumer;
        counts[i] = (char) Math.min(counts[i] + 1, Character.MAX_VALUE);
        deadlines.set(i, 1, deadline);
        delivered++;
    }

    /** What tells the last delivery of a record from those before it, whoever had them. Not its count, which is corrected at times. */
    int delivery(long offset) {
        return deliveries.length == 0 ? 0 : deliveries[index(offset)];
    }

    /** A delivered record is to be delivered again, but not before a time. */
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

    /** When the first of those that wait is due, or the first deadline may pass; {@link Long#MAX_VALUE} for never. */
    long firstDue() {
        return waitingCount > 0 ? Math.min(dues[0], deadlines.first()) : deadlines.first();
    }

    /** Makes those ready that are due. */
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

    /** Takes back what consumers have kept for too long. */
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

    /** What is delivered from now on comes again after this time, which is {@link Deadlines#NONE} for never. */
    void deadline(long next) {
        if (next != Deadlines.NONE) {
            deadlines.makeRoom(mask + 1);
        }
        deadline = next;
    }

    /** That of what is delivered. */
    long deadline() {
        return deadline;
    }

    /** That of a record. */
    long deadlineOf(long offset) {
        return deadlines.at(index(offset));
    }

    /** Gives a delivered record another one. */
    void extend(long offset, long later) {
        deadlines.makeRoom(mask + 1);
        deadlines.set(index(offset), 1, later);
    }

    boolean hasDeadline(long offset, long same) {
        return deadlines.at(index(offset)) == same;
    }

    /** Whether a consumer has kept a record for too long, and no other one was given it yet. */
    boolean isLate(long offset, int consumer) {
        return offset >= floor && offset < end && states[index(offset)] == READY
                && deadlines.isPassedBy(index(offset), consumer);
    }

    /**
     * Whether a record may have been taken from a consumer that has kept it for too long. Which one that was is not remembered once another one has
     * it.
     */
    boolean mayBeTakenBack(long offset) {
        return timeouts > 0 && offset >= floor && offset < end;
    }

    /** How many records consumers have kept for too long. */
    long timeouts() {
        return timeouts;
    }
}
