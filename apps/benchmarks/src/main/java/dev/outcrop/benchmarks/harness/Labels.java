package dev.outcrop.benchmarks.harness;

/** Formats numbers for the labels of cases. */
public final class Labels {
    private Labels() {
    }

    /** Formats a size, such as {@code "16 B"} or {@code "4 KB"}. */
    public static String size(int bytes) {
        return bytes < 1 << 10 ? bytes + " B" : (bytes >> 10) + " KB";
    }

    /** Formats a number of threads, such as {@code "2 threads"}. */
    public static String threads(int threads) {
        return threads + (threads == 1 ? " thread" : " threads");
    }
}
