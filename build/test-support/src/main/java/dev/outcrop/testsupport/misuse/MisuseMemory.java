package dev.outcrop.testsupport.misuse;

import java.util.Arrays;

/** The native memory in use after each round of a run, when all objects of the round are closed. */
public final class MisuseMemory {
    /** If one of 64 calls leaked an object of 64 bytes, that would be more. */
    private static final double BYTES_PER_CALL = 1;
    /** The memory that RocksDB, the C library and the JVM reuse for each thread varies by less than this, for any number of calls. */
    private static final long VARYING_BYTES = 2 << 20;

    private final long[] used;
    /** In the first quarter the process makes its singletons. */
    private final int quarter;

    /** Prepares for a number of rounds, which must be a multiple of 4. */
    public MisuseMemory(int rounds) {
        used = new long[rounds];
        quarter = rounds / 4;
    }

    public void measure(int round) throws InterruptedException {
        used[round] = NativeMemory.isKnown() ? NativeMemory.used() : 0;
    }

    /**
     * Compares the upper median of the second quarter with the lower median of the last quarter. A number may be too large, because a round
     * sometimes leaves more memory for a while, or too small, even negative, because the C library counts while other threads allocate.
     */
    public boolean isWithoutLeak(long calls) {
        if (!NativeMemory.isKnown()) {
            System.out.println("native memory: not measured, this C library has no mallinfo2");
            return true;
        }
        long warm = sorted(quarter)[quarter / 2];
        long end = sorted(used.length - quarter)[quarter / 2 - 1];
        System.out.printf(
                "native memory: %d KB in the second quarter, %d KB in the last one; after each round: %s KB%n",
                warm >> 10, end >> 10, Arrays.toString(Arrays.stream(used).map(bytes -> bytes >> 10).toArray()));
        return end - warm < Math.max(VARYING_BYTES, BYTES_PER_CALL * calls / 2);
    }

    private long[] sorted(int from) {
        return Arrays.stream(used, from, from + quarter).sorted().toArray();
    }
}
