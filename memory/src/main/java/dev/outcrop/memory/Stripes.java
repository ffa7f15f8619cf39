package dev.outcrop.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A counter in stripes. Whoever adds holds the slab with the stripe's index, so no other thread writes that stripe at the same
 * time and a plain addition is enough. The sum is exact while nobody adds.
 */
final class Stripes {
    /** Two cache lines apart, because processors fetch them in pairs. */
    private static final int STRIDE = 16;
    /** Slabs beyond these share an atomic counter: more calls than this at once is rare. */
    private static final int STRIPES = 64;

    private final AtomicLong shared = new AtomicLong();
    private volatile long @Nullable [] stripes;

    void add(int index, long amount) {
        if (index < 0 || index >= STRIPES) {
            shared.addAndGet(amount);
            return;
        }
        long[] all = stripes;
        if (all == null) {
            all = create();
        }
        all[(index + 1) * STRIDE] += amount;
    }

    long sum() {
        long sum = shared.get();
        long[] all = stripes;
        if (all != null) {
            for (int i = STRIDE; i < all.length; i += STRIDE) {
                sum += all[i];
            }
        }
        return sum;
    }

    private synchronized long[] create() {
        long[] all = stripes;
        if (all == null) {
            // A stripe before the first and after the last keeps neighbours on the heap away.
            all = new long[(STRIPES + 2) * STRIDE];
            stripes = all;
        }
        return all;
    }
}
