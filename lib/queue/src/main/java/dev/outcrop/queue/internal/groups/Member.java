package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.files.GroupLayout;

/** A consumer of a group: its number, the records that it holds, and the batch that it is shown. */
public final class Member {
    /** Any delivery: the caller knows only the offset. */
    public static final int ANY_DELIVERY = -1;

    private final Group group;
    /** Its number in the group; more than 0. */
    public final int number;
    private volatile boolean isClosed;

    // Guarded by the group's lock.
    /** How often the group had been moved when this member got a record for the last time. */
    public int moves;
    /** It holds nothing before this offset. */
    long lowestHeld = Long.MAX_VALUE;
    /** Whether it does not count among the open members. */
    boolean hasLeft;

    /** How many threads wait for it in the group's wait queue; guarded by the queue's lock. */
    int waiting;

    // For the polling thread. In giving back, the group may read it in another thread, which at worst counts a delivery too many.
    public final Batch batch = new Batch();

    public Member(Group group, int number, int moves) {
        this.group = group;
        this.number = number;
        this.moves = moves;
    }

    public boolean isClosed() {
        return isClosed;
    }

    public void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("This consumer of group " + group.name() + " is closed");
        }
    }

    /** Gives back all that it holds. Does nothing if the group has ended. */
    public void close() {
        // First, so that nothing is taken for it from now on.
        isClosed = true;
        try {
            group.redelivery().giveBackAll(this);
        } catch (StackOverflowError | OutOfMemoryError e) {
            group.isBroken = true;
            throw e;
        }
    }

    // --- Records that it holds, with the group's lock held ---

    private boolean holdsNow(InFlight window, long offset) {
        return offset >= window.floor() && offset < window.end() && window.state(offset) == number;
    }

    /**
     * Whether it holds a record. False if it probably held the record, but has acknowledged it, the record is being put away, its time has
     * passed, or the group was moved.
     *
     * @param currentMoves how often the group was moved
     * @param delivery     by which it must hold the record, see {@link InFlight#delivery}, or {@link #ANY_DELIVERY}
     */
    boolean holds(InFlight window, int currentMoves, long offset, int delivery) {
        if (moves == currentMoves && holdsNow(window, offset) && isLast(window, offset, delivery)) {
            return true;
        }
        // A record that is being put away gets the same answer as a record that was put away.
        boolean isDone = offset >= 0 && (offset < window.floor() || window.isLeaving(offset)
                || (offset < window.end() && window.isDone(offset)));
        if (isDone || moves != currentMoves || window.mayBeTakenBack(offset)) {
            return false;
        }
        throw new IllegalArgumentException("Record " + offset + " is not in the hands of this consumer of group "
                + group.name() + ": it was not delivered to it, or it has given it back");
    }

    /** Whether a delivery of a record is its last one. */
    private static boolean isLast(InFlight window, long offset, int delivery) {
        return delivery == ANY_DELIVERY || window.delivery(offset) == delivery;
    }

    /** Whether it holds a record, or has kept it for too long without another delivery since; otherwise as {@link #holds}. */
    boolean mayAcknowledge(InFlight window, int currentMoves, long offset, int delivery) {
        return (moves == currentMoves && window.isLate(offset, number) && isLast(window, offset, delivery))
                || holds(window, currentMoves, offset, delivery);
    }

    /** It holds nothing before this offset. */
    long lowestHeld(InFlight window, int currentMoves) {
        return moves != currentMoves
                ? window.end()
                : Math.max(window.floor(), Math.min(lowestHeld, window.end()));
    }

    /** Acknowledges the records that it holds up to an offset, except records that were not shown yet. Returns the number of records. */
    int acknowledgeUpTo(InFlight window, GroupFile file, int currentMoves, long offset) {
        int acknowledged = 0;
        long from = lowestHeld(window, currentMoves);
        long to = Math.min(offset, window.end() - 1);
        for (long block = from / GroupLayout.WORD_OFFSETS; block <= to / GroupLayout.WORD_OFFSETS; block++) {
            int bits = window.heldBits(block, from, to, number) & ~batch.unshownBits(block, currentMoves);
            if (bits != 0) {
                file.acknowledge(block, bits, window.floor());
                window.acknowledge(block, bits);
                acknowledged += Integer.bitCount(bits);
            }
        }
        lowestHeld = Math.max(from, Math.min(to + 1, batch.firstUnshown(currentMoves)));
        return acknowledged;
    }

    /** Takes deliveries back from the count for records that were taken for it and not shown. */
    void uncount(InFlight window) {
        for (int i = batch.shown; i < batch.size; i++) {
            if (holdsNow(window, batch.first + i)) {
                window.uncount(batch.first + i);
            }
        }
    }

    /** Gives back what it was not shown in time. The next delivery of these records counts as the first. */
    void giveBackUnshown(InFlight window) {
        long end = Math.min(batch.first + batch.size, window.end());
        for (long offset = Math.max(batch.first + batch.shown, window.floor()); offset < end; offset++) {
            window.uncount(offset);
            // Another thread of the same consumer may have got the record since.
            if (holdsNow(window, offset) && window.hasDeadline(offset, batch.deadline)) {
                window.giveBack(offset);
            }
        }
        batch.size = batch.shown;
    }

    /** Gives back what it holds from an offset on, up to another offset. */
    void giveBack(InFlight window, long from, long to) {
        for (long offset = from; offset < to; offset++) {
            if (holdsNow(window, offset)) {
                window.giveBack(offset);
            }
        }
    }
}
