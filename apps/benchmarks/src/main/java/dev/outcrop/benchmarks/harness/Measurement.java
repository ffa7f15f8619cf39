package dev.outcrop.benchmarks.harness;

import java.util.List;
import org.openjdk.jmh.util.ListStatistics;

/**
 * A figure over all starts.
 *
 * @param median     the median over the starts, and of each start the median over its iterations
 * @param error      half the 99.9 % confidence interval over all iterations, relative to their mean
 * @param bytesPerOp garbage an operation, in bytes: the median over all iterations. It contains what the harness leaves behind in an
 *                   iteration, a few kilobytes spread over all operations
 */
public record Measurement(double median, double error, double bytesPerOp) {
    private static final double CONFIDENCE = 0.999;

    /** Summarizes at least one sample. */
    public static Measurement of(List<Sample> samples) {
        ListStatistics iterations = statistics(samples.stream().flatMap(sample -> sample.values().stream()).toList());
        return new Measurement(median(samples.stream().map(sample -> median(sample.values())).toList()),
                iterations.getN() < 2 ? 0 : iterations.getMeanErrorAt(CONFIDENCE) / iterations.getMean(),
                median(samples.stream().flatMap(sample -> sample.bytesPerOp().stream()).toList()));
    }

    private static double median(List<Double> values) {
        return statistics(values).getPercentile(50);
    }

    private static ListStatistics statistics(List<Double> values) {
        return new ListStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
