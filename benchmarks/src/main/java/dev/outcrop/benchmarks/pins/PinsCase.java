package dev.outcrop.benchmarks.pins;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How much is pinned, and for how long.
 *
 * @param megabytes  of 64, or the same share of a smaller cache
 * @param heldMillis after how many milliseconds each pin is replaced by another one; 0 for never
 */
record PinsCase(int megabytes, int heldMillis) {
    static final int OF_MEGABYTES = 64;
    private static final int STEP = 10;
    private static final int MOST = 60;

    static List<PinsCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(new PinsCase(0, 0), new PinsCase(20, 0), new PinsCase(MOST, 0));
        }
        Stream<PinsCase> forGood = IntStream.rangeClosed(0, MOST / STEP).mapToObj(i -> new PinsCase(i * STEP, 0));
        return Stream.concat(forGood, Stream.of(new PinsCase(20, 1000), new PinsCase(20, 100))).toList();
    }

    String label(Workload workload) {
        return size(workload.pinnedBytes()) + " pinned"
                + (heldMillis == 0 ? "" : ", each value for " + heldMillis + " ms");
    }

    private static String size(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MB" : (bytes >> 10) + " KB";
    }
}
