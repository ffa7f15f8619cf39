package dev.outcrop.testsupport.misuse;

import java.util.Arrays;

/** The native memory that is in use after each round of a run, all objects of which are closed then. */
public final class MisuseMemory {
    /** A leak of an object of 64 bytes in one of 64 calls would be more. */
    private static final double BYTES_PER_CALL = 1;
    /** What RocksDB, the C library and the JVM keep for each thread and take up again varies by less, however many calls there are. */
    private static final long VARYING_BYTES = 2 << 20;

    private final long[] used;
    /** After the first quarter, everything that is made once for the process has been made. */
    private final int quarter;

    /** For so many rounds, a multiple of 4. */
    public MisuseMemory(int rounds) {
        used = new long[rounds];
        quarter = rounds / 4;
    }

    public void measure(int round) throws InterruptedException {
        used[round] = NativeMemory.isKnown() ? NativeMemory.used() : 0;
    }

    /**
     * Compares the second quarter with the last one, of each the second least: now and then a round leaves more for a while, and the C
     * library counts while other threads allocate, once even less than nothing.
     */
    public boolean isWithoutLeak(long calls) {
        if (!NativeMemory.isKnown()) {
            System.out.println("native memory: not measured, this C library has no mallinfo2");
            return true;
        }
        long warm = secondLeast(quarter);
        long end = secondLeast(used.length - quarter);
        System.out.printf(
                "native memory: %d KB in the second quarter, %d KB in the last one; after each round: %s KB%n",
                warm >> 10, end >> 10, Arrays.toString(Arrays.stream(used).map(bytes -> bytes >> 10).toArray()));
        return end - warm < Math.max(VARYING_BYTES, BYTES_PER_CALL * calls / 2);
    }

    private long secondLeast(int from) {
        return Arrays.stream(used, from, from + quarter).sorted().skip(1).findFirst().orElseThrow();
    }
}
