package dev.outcrop.queue;

import dev.outcrop.queue.internal.append.Histogram;
import java.util.Locale;

/**
 * How long something took, how often. Durations are counted in steps of an eighth of their size, so that a percentile is up to 13 % too
 * high, and never too low. Thread-safe; what is read while others record is of about this moment.
 */
public final class LatencyHistogram {
    private final Histogram recorded;

    LatencyHistogram(Histogram recorded) {
        this.recorded = recorded;
    }

    /**
     * How many durations were recorded.
     *
     * @return a number
     */
    public long count() {
        return recorded.count();
    }

    /**
     * What a part of the durations did not exceed.
     *
     * @param percent from 0 to 100, for example 99.9
     * @return nanoseconds; 0 if nothing was recorded
     * @throws IllegalArgumentException if it is no percentage
     */
    public long percentileNanos(double percent) {
        return recorded.percentileNanos(percent);
    }

    /**
     * The longest duration.
     *
     * @return nanoseconds, exactly; 0 if nothing was recorded
     */
    public long longestNanos() {
        return recorded.longestNanos();
    }

    /** How many there were, and how long they took, for people. */
    @Override
    public String toString() {
        long count = count();
        return count == 0
                ? "none"
                : count + " (median " + text(percentileNanos(50)) + ", 99 % " + text(percentileNanos(99)) + ", longest "
                        + text(longestNanos()) + ")";
    }

    private static String text(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
        }
        return nanos < 1_000_000_000
                ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }
}
