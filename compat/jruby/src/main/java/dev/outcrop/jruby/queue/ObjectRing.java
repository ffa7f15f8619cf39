package dev.outcrop.jruby.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/**
 * The objects that were pushed into a bounded queue and not popped yet, so that popping reads no files. An object's place is its offset
 * modulo the ring's length. Objects are taken in the order of their offsets, and there are never more objects than the bound. So a place is
 * empty when its next object comes.
 *
 * <p>Thread-safe, without locks.
 */
final class ObjectRing {
    static final int MAX = 1 << 24;
    private static final int SPINS = 100;
    private static final long PAUSE_NANOS = 10_000;

    /** Written while no push runs, with the prefetcher's monitor held. */
    private AtomicReferenceArray<@Nullable IRubyObject> places;
    private volatile int max;
    /** Items in the queue, including items that are being pushed. */
    private final AtomicInteger count;
    /** The first offset with an object here. Records before it are of an earlier run. */
    private final long first;
    private final ActivePushes pushing;

    ObjectRing(int max, long first, int count, ActivePushes pushing) {
        this.places = new AtomicReferenceArray<>(length(max));
        this.max = max;
        this.count = new AtomicInteger(count);
        this.first = first;
        this.pushing = pushing;
    }

    private static int length(int max) {
        return Math.max(Integer.highestOneBit(max - 1) << 1, 1);
    }

    int max() {
        return max;
    }

    /** Tells whether the bound can be changed without {@link #grow}. */
    boolean isLongEnough(int bound) {
        return bound <= places.length();
    }

    void max(int bound) {
        max = bound;
    }

    /**
     * Makes room for more objects, while no push runs. The objects here have offsets from {@code from} (inclusive) to {@code to}
     * (exclusive).
     */
    void grow(int bound, long from, long to) {
        AtomicReferenceArray<@Nullable IRubyObject> longer = new AtomicReferenceArray<>(length(bound));
        for (long offset = Math.max(from, first); offset < to; offset++) {
            IRubyObject object = places.get(place(places, offset));
            if (object != null) {
                longer.set(place(longer, offset), object);
            }
        }
        places = longer;
        max = bound;
    }

    private static int place(AtomicReferenceArray<@Nullable IRubyObject> places, long offset) {
        return (int) offset & (places.length() - 1);
    }

    int count() {
        return count.get();
    }

    boolean hasRoom() {
        return count.get() < max;
    }

    /** Tells whether half of the room is free. */
    boolean hasMuchRoom() {
        return count.get() <= max / 2;
    }

    /** Reserves room for one more item. Returns false if the queue is full. */
    boolean reserve() {
        int there = count.get();
        while (there < max) {
            if (count.compareAndSet(there, there + 1)) {
                return true;
            }
            there = count.get();
        }
        return false;
    }

    /** Counts an item that was taken and comes back, whether or not there is room. */
    void comeBack() {
        count.incrementAndGet();
    }

    /** Frees the room of items that were taken, or that were not pushed after all. */
    void free(int items) {
        count.addAndGet(-items);
    }

    /** Tells whether a record's object is here. */
    boolean covers(long offset) {
        return offset >= first;
    }

    /** Returns the first offset that may have an object here. */
    long first() {
        return first;
    }

    /** Puts in the object of a record that was just appended. */
    void put(long offset, IRubyObject object) {
        AtomicReferenceArray<@Nullable IRubyObject> there = places;
        // Release: a thread that takes the object also sees all changes that its producer has made to it.
        there.setRelease(place(there, offset), object);
    }

    /**
     * Takes an object, after all earlier objects were taken. Waits if its record exists but the producer has not put the object here yet.
     * Returns null if the push ran out of memory after it had written the record.
     */
    @Nullable
    IRubyObject take(long offset) {
        int place = place(places, offset);
        IRubyObject object = places.getAcquire(place);
        for (int i = 0; object == null; i++) {
            // Check isIdle before the last look: if no push runs, every object that will be here is here.
            boolean isLast = false;
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                // The scheduler has interrupted the producer between two statements.
                LockSupport.parkNanos(this, PAUSE_NANOS);
                isLast = pushing.isIdle();
            }
            object = places.getAcquire(place);
            if (isLast && object == null) {
                return null;
            }
        }
        // A plain store is enough: the volatile write that frees the room comes later.
        places.setPlain(place, null);
        return object;
    }
}
