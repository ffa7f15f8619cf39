package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;

/**
 * Predicts from earlier values whether the next one is small enough to be copied, so a read needs only one look-up.
 *
 * <p>If a read expects a small value and finds a large one, that costs a second look-up. The opposite costs two short native calls. So
 * after one large value, the next few reads expect large ones.
 */
public final class ValueSizePredictor {
    /** Up to this size a copy costs less than a pin; measured by benchmark suite {@code get}. */
    public static final long COPY_UP_TO = 2048;
    /** The number of small values in a row after which small ones are expected again. */
    private static final byte PATIENCE = 16;
    private static final int STRIDE = 128;
    private static final int STRIPES = 64;

    /** Counts down from {@link #PATIENCE}, for each thread that calls at the same time, two cache lines apart. */
    private final byte[] expectLarge = new byte[(STRIPES + 2) * STRIDE];

    public boolean nextIsLarge(Scratch scratch) {
        return expectLarge[stripe(scratch)] != 0;
    }

    /** Learns from a read whether its value was too large to be copied. */
    public void seen(Scratch scratch, boolean large) {
        int stripe = stripe(scratch);
        byte now = expectLarge[stripe];
        if (large) {
            if (now != PATIENCE) {
                expectLarge[stripe] = PATIENCE;
            }
        } else if (now != 0) {
            expectLarge[stripe] = (byte) (now - 1);
        }
    }

    private static int stripe(Scratch scratch) {
        // Calls that share a stripe may mislead each other, which only costs time.
        return ((scratch.index() & (STRIPES - 1)) + 1) * STRIDE;
    }
}
