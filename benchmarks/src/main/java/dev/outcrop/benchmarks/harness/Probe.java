package dev.outcrop.benchmarks.harness;

/** One side of a {@link Contest}, ready to be started any number of times. */
@FunctionalInterface
public interface Probe {
    /**
     * Starts a new process, waits for its end, and returns what it measured. The seed, a different one for each start, is for anything
     * random in it.
     */
    Start start(long seed);
}
