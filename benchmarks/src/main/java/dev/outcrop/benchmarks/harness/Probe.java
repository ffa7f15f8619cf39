package dev.outcrop.benchmarks.harness;

/** One side of a case, such as one form of read through one library, ready to be started any number of times. */
@FunctionalInterface
public interface Probe {
    /**
     * Starts a fresh process, measures in it, and ends it.
     *
     * @return what this start measured
     * @throws BenchmarkException if the process fails
     */
    Sample measure();
}
