package dev.outcrop.benchmarks.harness;

/** One side of a {@link ProcessComparison}. It can be started any number of times. */
@FunctionalInterface
public interface BenchmarkProcess {
    /**
     * Starts a new process, waits for its end, and returns its measurements. The seed differs in each start, and decides everything random
     * in the process.
     */
    ProcessOutput start(long seed);
}
