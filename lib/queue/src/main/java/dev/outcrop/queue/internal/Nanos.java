package dev.outcrop.queue.internal;

import java.time.Duration;

/** Durations in nanoseconds, as {@link System#nanoTime()} counts. */
public final class Nanos {
    private Nanos() {
    }

    /** Returns a duration that can be added to a time; 0 for a negative one. */
    public static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 2);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 2;
        }
    }
}
