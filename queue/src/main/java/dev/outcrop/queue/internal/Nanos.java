package dev.outcrop.queue.internal;

import java.time.Duration;

/** Durations as {@link System#nanoTime()} counts. */
public final class Nanos {
    private Nanos() {
    }

    /** As far as it can be added to a time. */
    public static long of(Duration duration) {
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 2);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 2;
        }
    }
}
