package dev.outcrop.queue.internal.groups;

import java.util.Arrays;

/**
 * Until when consumers may keep records, in a ring like those of {@link InFlight}, which is made when the first of them has a deadline. Not
 * thread-safe: the group's lock guards it.
 *
 * <p>No order is kept among them. Deadlines are rounded up to a 64th of the time that is given, so all that pass within that are found by
 * one look at the ring, and there are at most 64 looks in that time, however many records come and go.
 */
public final class Deadlines {
    static final long NONE = 0;
    private static final int PARTS = 64;
    private static final long SHORTEST_PART_NANOS = 1_000_000;

    /** Of each place a time, {@link #NONE}, or the negative number of the consumer that let it pass. */
    private long[] places = {};
    /** None is earlier. */
    private long first = Long.MAX_VALUE;

    /** When a time will have passed that begins now; not before, and somewhat later at most. */
    static long after(long now, long nanos) {
        long part = Math.max(SHORTEST_PART_NANOS, nanos / PARTS);
        return ((now + nanos) / part + 1) * part;
    }

    void clear() {
        Arrays.fill(places, NONE);
        first = Long.MAX_VALUE;
    }

    /** There are none, and were none. */
    boolean isUnused() {
        return places.length == 0;
    }

    /** The ring of a window that grows: room for the places of both, before anything has changed. */
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

    /** Of records at places that follow each other. */
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

    /** A consumer has let it pass. */
    void passed(int place, int consumer) {
        places[place] = -consumer;
    }

    boolean isPassedBy(int place, int consumer) {
        return at(place) == -consumer;
    }

    /** None is earlier than this. */
    long first() {
        return first;
    }

    void first(long none) {
        first = none;
    }
}
