package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;

/**
 * Foretells whether the next value is small enough to be copied, from the ones before it, so that a read needs one look-up only.
 *
 * <p>A wrong guess costs unequally: expecting small and meeting large is a second look-up, expecting large and meeting small is
 * two short native calls. So one large value makes the next few reads expect large ones.
 */
public final class ValueSizes {
    /** Up to this size a copy costs less than a pin; measured by benchmark suite {@code get}. */
    public static final long COPY_UP_TO = 2048;
    /** So many small values in a row until small ones are expected again. */
    private static final byte PATIENCE = 16;
    private static final int STRIDE = 128;
    private static final int STRIPES = 64;

    /** Counts down from {@link #PATIENCE}, one for each thread that calls at the same time, two cache lines apart. */
    private final byte[] expectLarge = new byte[(STRIPES + 2) * STRIDE];

    public boolean nextIsLarge(Scratch scratch) {
        return expectLarge[stripe(scratch)] != 0;
    }

    /** Learns from a read: whether its value was too large to be copied. */
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
        // Beyond the stripes calls share one, and the guesses of one may mislead another; they stay guesses.
        return ((scratch.index() & (STRIPES - 1)) + 1) * STRIDE;
    }
}
