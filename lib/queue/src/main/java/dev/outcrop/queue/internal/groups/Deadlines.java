package dev.outcrop.queue.internal.groups;

import java.util.Arrays;

/**
 * The deadlines of records that consumers hold, in a ring like those of {@link InFlight}, which is made for the first deadline. Not
 * thread-safe: the group's lock guards it.
 *
 * <p>The deadlines are not sorted. They are rounded up to a 64th of their time, so one look at the ring finds all deadlines that pass
 * within that part, and there are at most 64 looks in the whole time.
 */
public final class Deadlines {
    static final long NONE = 0;
    private static final int PARTS = 64;
    private static final long SHORTEST_PART_NANOS = 1_000_000;

    /** For each place a deadline, {@link #NONE}, or the negative number of the consumer that has missed it. */
    private long[] places = {};
    /** No deadline is earlier. */
    private long first = Long.MAX_VALUE;

    /** Returns the deadline of a time that begins now: never earlier, but perhaps somewhat later. */
    static long after(long now, long nanos) {
        long part = Math.max(SHORTEST_PART_NANOS, nanos / PARTS);
        return ((now + nanos) / part + 1) * part;
    }

    void clear() {
        Arrays.fill(places, NONE);
        first = Long.MAX_VALUE;
    }

    boolean isUnused() {
        return places.length == 0;
    }

    /** Copies the deadlines to a larger ring, before anything has changed. */
    long[] larger(long floor, int size, int larger) {
        if (isUnused()) {
            return places;
        }
        long[] grown = new long[larger];
        for (long offset = floor; offset < floor + size; offset++) {
            grown[(int) offset & larger - 1] = places[(int) offset & size - 1];
        }
        return grown;
    }

    void use(long[] grown) {
        places = grown;
    }

    /** Makes the ring, if there is none. */
    void makeRoom(int size) {
        if (isUnused()) {
            places = new long[size];
        }
    }

    /** Sets the deadline of records at places that follow each other. */
    void set(int place, int count, long deadline) {
        if (!isUnused()) {
            Arrays.fill(places, place, place + count, deadline);
            if (deadline != NONE) {
                first = Math.min(first, deadline);
            }
        }
    }

    long at(int place) {
        return isUnused() ? NONE : places[place];
    }

    /** Marks a place as missed by a consumer. */
    void passed(int place, int consumer) {
        places[place] = -consumer;
    }

    boolean isPassedBy(int place, int consumer) {
        return at(place) == -consumer;
    }

    /** No deadline is earlier than this. */
    long first() {
        return first;
    }

    void first(long none) {
        first = none;
    }
}
