package dev.outcrop.rocksdb;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the bytes that are pinned, and says when they are too many.
 *
 * <p>Each thread counts on a stripe of its own; a stripe is added to the common count only when it has drifted by a share of the
 * limit, so threads rarely write the same cache line. The count that is compared with the limit may therefore be off by an eighth
 * of it.
 */
final class PinBudget {
    private static final int STRIPES = 32;
    private static final int STRIDE = 16;

    private final long limit;
    private final long drift;
    private final AtomicLong common = new AtomicLong();
    private final AtomicLongArray stripes = new AtomicLongArray((STRIPES + 2) * STRIDE);

    PinBudget(long limit) {
        this.limit = limit;
        this.drift = limit / (8 * STRIPES);
    }

    /** Counts a pin, unless the budget does not allow it. */
    boolean pin(long bytes) {
        // Written so that no sum overflows.
        if (bytes > limit - common.get()) {
            return false;
        }
        add(bytes);
        return true;
    }

    void unpin(long bytes) {
        add(-bytes);
    }

    long pinned() {
        long sum = common.get();
        for (int i = 1; i <= STRIPES; i++) {
            sum += stripes.get(i * STRIDE);
        }
        return Math.max(0, sum);
    }

    private void add(long bytes) {
        int stripe = ((int) Thread.currentThread().threadId() & (STRIPES - 1)) * STRIDE + STRIDE;
        long drifted = stripes.addAndGet(stripe, bytes);
        if (drifted > drift || drifted < -drift) {
            stripes.addAndGet(stripe, -drifted);
            common.addAndGet(drifted);
        }
    }
}
