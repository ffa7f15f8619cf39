package dev.outcrop.cli.pipe;

import java.util.concurrent.TimeUnit;

/** How fast a number grows: over the last second or so, and over all of the time. For one thread. */
final class Rate {
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private final long start = System.nanoTime();
    private long windowStart = start;
    private long windowCount;
    private double recent;

    /** The number is this now; returns how much it grows a second at the moment. */
    double at(long count) {
        long now = System.nanoTime();
        if (now - windowStart >= SECOND || recent == 0) {
            recent = (count - windowCount) * SECOND / Math.max(1, now - windowStart);
            windowStart = now;
            windowCount = count;
        }
        return recent;
    }

    /** Seconds since it began. */
    double seconds() {
        return Math.max(1, System.nanoTime() - start) / SECOND;
    }
}
