package dev.outcrop.benchmarks.harness;

import java.time.Duration;

/**
 * The time that a run spends on every number.
 *
 * @param isQuick    whether suites leave out cases, so that the run does not take longer than a coffee break
 * @param rounds     how often each side of a case is started; even, so that every side goes first equally often.
 * @param warmups    iterations of a start that are thrown away
 * @param iterations iterations of a start that count
 * @param time       length of one iteration
 * @param dataBytes  the most bytes that all values of one database may have together
 */
public record RunLength(boolean isQuick, int rounds, int warmups, int iterations, Duration time, long dataBytes) {
    private static final int ROUNDS = 4;
    private static final long CACHED_BYTES = 400L << 20;

    /** Returns the length of a run that measures figures to publish. */
    public static RunLength full() {
        return new RunLength(false, ROUNDS, 4, 3, Duration.ofMillis(150), CACHED_BYTES);
    }

    /** Returns the length of a run for a first impression: with wide confidence intervals, on a part of the cases. */
    public static RunLength quick() {
        return new RunLength(true, 2, 4, 3, Duration.ofMillis(80), CACHED_BYTES);
    }

    /**
     * Returns the same length with five times as many warm-up iterations. It is for suites with long operations: until the JIT compiler has
     * seen enough of them, Java code would be measured while it is partly interpreted.
     */
    public RunLength patient() {
        return new RunLength(isQuick, rounds, 5 * warmups, iterations, time, dataBytes);
    }

    /** Returns the same length with another number of rounds. */
    public RunLength withRounds(int other) {
        return new RunLength(isQuick, other, warmups, iterations, time, dataBytes);
    }

    /** Returns the same length with another number of iterations that count. */
    public RunLength withIterations(int other) {
        return new RunLength(isQuick, rounds, warmups, other, time, dataBytes);
    }

    /**
     * Returns how often to start a process in which sides take turns. A full run starts it {@code full} times. The result is at least 1.
     */
    int starts(int full) {
        return Math.max(1, full * rounds / ROUNDS);
    }

    /** Returns half of the rounds, for suites with many sides. */
    public int halfOfRounds() {
        return (rounds + 1) / 2;
    }
}
