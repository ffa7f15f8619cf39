package dev.outcrop.jruby;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/**
 * The objects that were pushed into a bounded queue and not popped yet, so that nobody has to read them back. An object's place is its offset modulo the
 * ring's length. Objects are taken in the order of their offsets, and no more of them are in the queue than its bound; so a place is empty when
 * its next object comes.
 *
 * <p>Thread-safe, without locks.
 */
final class ObjectRing {
    static final int MOST = 1 << 24;
    private static final int SPINS = 100;
    private static final long PAUSE_NANOS = 10_000;

    private final AtomicReferenceArray<@Nullable IRubyObject> places;
    private final int mask;
    private final int max;
    /** Items in the queue, with those that are being pushed. */
    private final AtomicInteger count;
    /** The first offset whose object is here; what comes before is of an earlier run. */
    private final long first;
    private volatile boolean isBroken;

    ObjectRing(int max, long first, int count) {
        int length = Integer.highestOneBit(max - 1) << 1;
        this.places = new AtomicReferenceArray<>(Math.max(length, 1));
        this.mask = places.length() - 1;
        this.max = max;
        this.count = new AtomicInteger(count);
        this.first = first;
    }

    int max() {
        return max;
    }

    int count() {
        return count.get();
    }

    boolean hasRoom() {
        return count.get() < max;
    }

    /** Whether half of the room is free. */
    boolean hasMuchRoom() {
        return count.get() <= max / 2;
    }

    /** Takes room for one more item. Returns false if the queue is full. */
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

    /** An item that was taken comes back, whether or not there is room. */
    void comeBack() {
        count.incrementAndGet();
    }

    /** An item was taken, or not pushed. */
    void free() {
        count.decrementAndGet();
    }

    boolean covers(long offset) {
        return offset >= first;
    }

    /** The object of a record that was just appended. */
    void put(long offset, IRubyObject object) {
        // Release: whoever takes the object sees what its producer has made of it.
        places.setRelease((int) offset & mask, object);
    }

    /** A producer has failed between appending and {@link #put}. */
    void fail() {
        isBroken = true;
    }

    /** Takes an object, after all before it. Its record is there; its producer is about to put it here. */
    IRubyObject take(long offset) {
        int place = (int) offset & mask;
        IRubyObject object = places.getAcquire(place);
        for (int i = 0; object == null; i++) {
            if (isBroken) {
                throw new IllegalStateException(
                        "A push has failed half-way. Nothing is lost; open the queue again to pop what is in it");
            }
            if (i < SPINS) {
                Thread.onSpinWait();
            } else {
                // It was interrupted by the scheduler between two statements.
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
            object = places.getAcquire(place);
        }
        // Before the room is given away, by a volatile write.
        places.setPlain(place, null);
        return object;
    }
}
