package dev.outcrop.benchmarks.harness;

import java.util.List;

/**
 * The values of a figure from one {@link ProcessOutput}, one for each iteration or turn.
 *
 * @param values     nanoseconds per operation, or the unit of the figure
 * @param bytesPerOp garbage per operation, in bytes
 */
public record Sample(List<Double> values, List<Double> bytesPerOp) {
    /** Copies the lists. */
    public Sample {
        values = List.copyOf(values);
        bytesPerOp = List.copyOf(bytesPerOp);
        if (values.isEmpty() || bytesPerOp.isEmpty()) {
            throw new IllegalArgumentException("A sample needs at least one iteration");
        }
    }
}
