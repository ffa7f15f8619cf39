package dev.outcrop.benchmarks.harness;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Random numbers: xorshift64 (Marsaglia 2003, "Xorshift RNGs"). Every thread has its own sequence. The C programs have the same sequence
 * for the thread with the same number.
 */
public final class RandomIndexes {
    private static final long SEED = 0x9E3779B97F4A7C15L;
    private static final AtomicLong THREADS = new AtomicLong();

    private long state = SEED * THREADS.incrementAndGet();

    /** Starts a sequence that depends only on the seed, not on the thread. The seed must not be 0. */
    public void restart(long seed) {
        state = seed;
    }

    /** Returns the next number, which is never 0. */
    public long next() {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return state;
    }

    /** Returns the next number as an index below {@code keys}. */
    public long next(int keys) {
        return ((next() >>> 32) * keys) >>> 32;
    }
}
