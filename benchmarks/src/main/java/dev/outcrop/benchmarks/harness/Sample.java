package dev.outcrop.benchmarks.harness;

import java.util.List;

/**
 * What one start of a {@link Probe} measured, one figure for each iteration.
 *
 * @param nanos      nanoseconds an operation
 * @param bytesPerOp garbage an operation, in bytes
 */
public record Sample(List<Double> nanos, List<Double> bytesPerOp) {
    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there is no iteration
     */
    public Sample {
        nanos = List.copyOf(nanos);
        bytesPerOp = List.copyOf(bytesPerOp);
        if (nanos.isEmpty() || bytesPerOp.isEmpty()) {
            throw new IllegalArgumentException("A sample needs at least one iteration");
        }
    }
}
