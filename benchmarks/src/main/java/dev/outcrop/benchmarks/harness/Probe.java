package dev.outcrop.benchmarks.harness;

/** One side of a {@link Contest}, ready to be started any number of times. */
@FunctionalInterface
public interface Probe {
    /**
     * Starts a fresh process, measures in it, and ends it.
     *
     * @param seed for what is random in this start; another one each time
     * @return what this start measured
     * @throws BenchmarkException if the process fails
     */
    Start start(long seed);
}
