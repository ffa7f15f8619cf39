package dev.outcrop.cli.pipe;

import java.util.concurrent.TimeUnit;

/** Measures how fast a number grows: over the last second or so, and over the whole time. For one thread. */
final class Rate {
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private final long start = System.nanoTime();
    private long windowStart = start;
    private long windowCount;
    private double recent;

    /** Notes the number's value; returns its present growth per second. */
    double at(long count) {
        long now = System.nanoTime();
        if (now - windowStart >= SECOND || recent == 0) {
            recent = (count - windowCount) * SECOND / Math.max(1, now - windowStart);
            windowStart = now;
            windowCount = count;
        }
        return recent;
    }

    /** Seconds since the start. */
    double seconds() {
        return Math.max(1, System.nanoTime() - start) / SECOND;
    }
}
