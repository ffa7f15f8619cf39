package dev.outcrop.benchmarks.multiget;

import java.util.Arrays;

/**
 * The keys of one call, by index: random ones, from xorshift64 (Marsaglia 2003, "Xorshift RNGs"); the C program has the same sequence.
 * A key is its index in eight bytes, big-endian, and padding.
 */
final class KeyBatch {
    private static final byte PADDING = 'k';

    private final MultiGetWorkload workload;
    private final long[] indexes = new long[MultiGetWorkload.CALL_KEYS];
    private final int[] families = new int[MultiGetWorkload.CALL_KEYS];
    private long state = 0x9E3779B97F4A7C15L;

    KeyBatch(MultiGetWorkload workload) {
        this.workload = workload;
    }

    /** The next random keys. */
    void next() {
        for (int i = 0; i < indexes.length; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            set(i, ((state >>> 32) * workload.keys()) >>> 32);
        }
    }

    /** Keys in their order, from one on. */
    void from(int first) {
        for (int i = 0; i < indexes.length; i++) {
            set(i, (first + i) % workload.keys());
        }
    }

    private void set(int i, long index) {
        indexes[i] = index;
        families[i] = workload.familyOf(index);
    }

    long index(int i) {
        return indexes[i];
    }

    int family(int i) {
        return families[i];
    }

    /** A new key of index 0. */
    static byte[] firstKey() {
        byte[] key = new byte[MultiGetWorkload.KEY_BYTES];
        Arrays.fill(key, Long.BYTES, key.length, PADDING);
        return key;
    }
}
