package dev.outcrop.queue;

import dev.outcrop.queue.internal.append.Histogram;

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
}
