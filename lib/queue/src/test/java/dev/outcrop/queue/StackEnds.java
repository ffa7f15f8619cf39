package dev.outcrop.queue;

import dev.outcrop.testsupport.TestSize;
import org.jspecify.annotations.Nullable;

/** Calls something at depths of a thread's stack from its end on, up to where it succeeds. For one thread at a time. */
final class StackEnds {
    /** A step that succeeds so often in a row fits. */
    private static final int ENOUGH = 5;
    /** The number of depths at the end that are always tried: the shortest step meets the end there. */
    private static final int LAST = 6;
    /** Of the others one of so many is tried; which ones, chance says. */
    static final String ONE_OF_PROPERTY = "outcrop.stack.one.of";
    private static final int ONE_OF = TestSize.choose(ONE_OF_PROPERTY, 6, 1);

    /** A step that may fail for lack of stack. It must leave nothing half done then. */
    interface Step {
        void run() throws Exception;
    }

    private final Step step;
    private final int most;
    private final int seed;
    private int successes;
    private int inSequence;
    private int overflows;
    private @Nullable Throwable failure;

    private StackEnds(Step step, int most, int seed) {
        this.step = step;
        this.seed = seed;
        this.most = most;
    }

    /**
     * Does it in the calling thread.
     *
     * @param most how many depths at most
     * @param seed says which ones
     * @return how many depths it succeeded at
     */
    static int run(String what, int most, int seed, Step step) {
        StackEnds ends = new StackEnds(step, most, seed);
        // Frames of several sizes, so that the stack ends at any place of the step.
        int _ = ends.descend();
        int successes = ends.successes;
        ends.inSequence = 0;
        long _ = ends.descendWider(1, 2, 3, 4, 5, 6, 7);
        if (ends.failure != null) {
            throw new AssertionError(what + " has failed at the end of a stack", ends.failure);
        }
        if (ends.overflows == 0) {
            throw new AssertionError(what + " has never met the end of a stack");
        }
        return Math.min(successes, ends.successes);
    }

    @SuppressWarnings("InfiniteRecursion") // to the end of the stack
    private int descend() {
        int left;
        try {
            left = descend();
        } catch (StackOverflowError e) {
            left = most;
        }
        // Without a call, for which there may be no stack.
        if (left > 0 && inSequence < ENOUGH
                && (left > most - LAST || (((left ^ seed) * 0x9E37_79B1) >>> 8) % ONE_OF == 0)) {
            attempt();
        }
        return left - 1;
    }

    @SuppressWarnings("InfiniteRecursion")
    private long descendWider(long a, long b, long c, long d, long e, long f, long g) {
        long left;
        try {
            left = descendWider(b, c, d, e, f, g, a);
        } catch (StackOverflowError error) {
            left = most;
        }
        // Without a call, for which there may be no stack.
        if (left > 0 && inSequence < ENOUGH
                && (left > most - LAST || ((((int) left ^ seed) * 0x9E37_79B1) >>> 8) % ONE_OF == 0)) {
            attempt();
        }
        return left - 1;
    }

    private void attempt() {
        try {
            step.run();
            successes++;
            inSequence++;
        } catch (StackOverflowError e) {
            inSequence = 0;
            overflows++;
        } catch (Throwable e) {
            inSequence = 0;
            if (failure == null) {
                failure = e;
            }
        }
    }
}
