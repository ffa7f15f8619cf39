package dev.outcrop.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The number and the weight of all leases, counted in stripes. A thread that adds holds the scratch with the stripe's index, so no other
 * thread writes that stripe and a plain addition is enough. The number is exact while no thread adds. While threads add, the shared weight
 * is off by at most the drift of each stripe.
 */
final class Leases {
    /** Two cache lines apart, because processors fetch them in pairs. */
    private static final int STRIDE = 16;
    private static final int WEIGHT = 1;
    /** Kinds are counted in the rest of a stripe's cache lines. */
    private static final int KINDS = 2;
    private static final int MAX_KINDS = 8;
    /** Scratches beyond these share atomic counters: more calls than this at once are rare. */
    private static final int STRIPES = 64;
    private static final VarHandle STRIPED;

    static {
        try {
            STRIPED = MethodHandles.lookup().findVarHandle(Leases.class, "stripes", long[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long budget;
    private final long drift;
    private final AtomicLong sharedCount = new AtomicLong();
    private final AtomicLong sharedWeight = new AtomicLong();
    private final AtomicLongArray sharedKinds = new AtomicLongArray(MAX_KINDS);
    private volatile long @Nullable [] stripes;

    Leases(long budget) {
        this.budget = budget;
        this.drift = budget / (8 * STRIPES);
    }

    /**
     * Returns whether the budget allows this additional weight. While stripes hold more than the weight of all leases, the shared weight is
     * negative. It counts as zero then, so the difference cannot overflow.
     */
    boolean allows(long weight) {
        return weight <= budget - Math.max(0, sharedWeight.get());
    }

    /** Counts a lease, or minus one if it ends. */
    void add(int index, long count, long weight) {
        long[] all = stripes;
        if (all == null || index < 0 || index >= STRIPES) {
            addBeside(index, count, weight);
            return;
        }
        int stripe = (index + 1) * STRIDE;
        all[stripe] += count;
        long drifted = all[stripe + WEIGHT] + weight;
        all[stripe + WEIGHT] = drifted;
        if (drifted > drift || drifted < -drift) {
            all[stripe + WEIGHT] = 0;
            sharedWeight.addAndGet(drifted);
        }
    }

    /** Counts a lease of a kind, or minus one if it ends; kinds start at 0. */
    void addOfKind(int index, int kind, long count) {
        add(index, count, 0);
        long[] all = stripes;
        if (all == null || index < 0 || index >= STRIPES) {
            addKind(kind, count);
        } else {
            all[(index + 1) * STRIDE + KINDS + kind] += count;
        }
    }

    /** Counts a lease of a kind that ended after {@link #count()} had taken over the number of leases. */
    void addKind(int kind, long count) {
        sharedKinds.addAndGet(kind, count);
    }

    /** Returns the number of leases of a kind; exact while no thread adds. */
    long count(int kind) {
        return sharedKinds.get(kind) + sum(KINDS + kind);
    }

    /** Counts a weight that was released after {@link #count()} had taken over the number of leases. */
    void addWeight(long weight) {
        sharedWeight.addAndGet(weight);
    }

    /** Returns the number of leases; exact while no thread adds. */
    long count() {
        return sharedCount.get() + sum(0);
    }

    /** Returns the weight of all leases; exact while no thread adds. */
    long weight() {
        return sharedWeight.get() + sum(WEIGHT);
    }

    private long sum(int offset) {
        long sum = 0;
        long[] all = stripes;
        if (all != null) {
            for (int i = STRIDE; i < all.length - STRIDE; i += STRIDE) {
                sum += all[i + offset];
            }
        }
        return sum;
    }

    /** Counts the very first lease, and leases of scratches that have no stripe. */
    private void addBeside(int index, long count, long weight) {
        if (index < 0 || index >= STRIPES) {
            sharedCount.addAndGet(count);
            sharedWeight.addAndGet(weight);
            return;
        }
        // Without a lock: a closer waits for the caller's call, and a virtual thread that waits for a lock may never get a carrier again if
        // other threads yield all the time. An unused stripe at each end keeps neighbours on the heap away.
        STRIPED.compareAndSet(this, null, new long[(STRIPES + 2) * STRIDE]);
        add(index, count, weight);
    }
}
