package dev.outcrop.benchmarks.get;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The keys that one thread asks for, by index: always the same one, or xorshift64 (Marsaglia 2003, "Xorshift RNGs").
 * The C program has the same sequence for its thread of the same number.
 */
final class KeySequence {
    private static final long SEED = 0x9E3779B97F4A7C15L;
    private static final AtomicLong THREADS = new AtomicLong();

    private final int keys;
    private final boolean isRandom;
    private long state = SEED * THREADS.incrementAndGet();

    KeySequence(Workload workload) {
        this.keys = workload.keys();
        this.isRandom = workload.access().isRandom();
    }

    /** The next index: the first eight bytes of the next key, big-endian. */
    long next() {
        if (!isRandom) {
            return keys / 2;
        }
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return ((state >>> 32) * keys) >>> 32;
    }
}
