package dev.outcrop.queue;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * Counts durations, in steps of an eighth of their size, so that a percentile is up to 13 % too high, and never too low. Thread-safe;
 * values that are read while other threads record are approximate.
 */
public final class LatencyHistogram {
    private static final int STEP_BITS = 3;
    private static final int STEPS = 1 << STEP_BITS;

    private final AtomicLongArray counts = new AtomicLongArray((Long.SIZE - STEP_BITS + 1) * STEPS);
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

    LatencyHistogram() {
    }

    void record(long nanos) {
        long value = Math.max(0, nanos);
        counts.incrementAndGet(bucket(value));
        longest.accumulate(value);
    }

    /** The first buckets are of one nanosecond each; then there are {@link #STEPS} for each power of two. */
    private static int bucket(long value) {
        if (value < STEPS) {
            return (int) value;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        return (power - STEP_BITS + 1) * STEPS + (int) (value >>> (power - STEP_BITS)) - STEPS;
    }

    private static long highest(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int shift = bucket / STEPS - 1;
        return ((long) (bucket % STEPS + STEPS + 1) << shift) - 1;
    }

    /**
     * Returns how many durations were recorded.
     *
     * @return a number
     */
    public long count() {
        long count = 0;
        for (int i = 0; i < counts.length(); i++) {
            count += counts.get(i);
        }
        return count;
    }

    /**
     * Returns a percentile: the duration that a part of all durations did not exceed.
     *
     * @param percent from 0 to 100, for example 99.9
     * @return nanoseconds; 0 if nothing was recorded
     * @throws IllegalArgumentException if it is no percentage
     */
    public long percentileNanos(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("A percentage is from 0 to 100, not " + percent);
        }
        long rank = (long) Math.ceil(count() * percent / 100);
        long seen = 0;
        for (int i = 0; i < counts.length(); i++) {
            seen += counts.get(i);
            if (seen > 0 && seen >= rank) {
                return Math.min(highest(i), longest.get());
            }
        }
        return longest.get();
    }

    /**
     * Returns the longest duration.
     *
     * @return nanoseconds, exactly; 0 if nothing was recorded
     */
    public long longestNanos() {
        return longest.get();
    }

    /** Count and durations, for people. */
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
