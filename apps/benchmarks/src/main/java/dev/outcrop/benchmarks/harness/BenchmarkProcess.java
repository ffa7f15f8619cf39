package dev.outcrop.benchmarks.harness;

/** One side of a {@link ProcessComparison}, ready to be started any number of times. */
@FunctionalInterface
public interface BenchmarkProcess {
    /**
     * Starts a new process, waits for its end, and returns what it measured. The seed, a different one for each start, is for anything
     * random in it.
     */
    ProcessOutput start(long seed);
}
