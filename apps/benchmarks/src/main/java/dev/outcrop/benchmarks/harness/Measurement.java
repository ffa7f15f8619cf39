package dev.outcrop.benchmarks.harness;

import java.util.List;
import org.openjdk.jmh.util.ListStatistics;

/**
 * A figure over all starts.
 *
 * @param median     the median over the starts of the medians over the iterations
 * @param error      half the 95 % confidence interval of the median over all iterations, relative to the median; 1 if there is only one
 *                   iteration, and the distance of the extremes if there are too few iterations for an interval
 * @param startError the standard error of the medians of the starts, relative to the median; 0 if there is only one start
 * @param bytesPerOp garbage per operation, in bytes: the median over all iterations. It includes the garbage of the harness in an
 *                   iteration, a few kilobytes spread over all operations
 */
public record Measurement(double median, double error, double startError, double bytesPerOp) {
    /** This many standard deviations to both sides hold 95 % of a normal distribution. */
    public static final double CONFIDENCE = 1.96;

    /** Creates a figure of a single start. */
    public Measurement(double median, double error, double bytesPerOp) {
        this(median, error, 0, bytesPerOp);
    }

    /** Summarizes at least one sample. */
    public static Measurement of(List<Sample> samples) {
        List<Double> starts = samples.stream().map(sample -> median(sample.values())).toList();
        double median = median(starts);
        return new Measurement(median,
                error(samples.stream().flatMap(sample -> sample.values().stream()).sorted().toList(), median),
                startError(starts, median),
                median(samples.stream().flatMap(sample -> sample.bytesPerOp().stream()).toList()));
    }

    /**
     * Returns half an interval between two values by rank, relative to the median. The interval assumes nothing about the distribution of
     * the values.
     */
    private static double error(List<Double> sorted, double median) {
        int count = sorted.size();
        if (count < 2) {
            return 1;
        }
        int below = (int) Math.max(0, (count - CONFIDENCE * Math.sqrt(count)) / 2);
        double width = sorted.get(count - 1 - below) - sorted.get(below);
        return width == 0 ? 0 : median == 0 ? 1 : Math.abs(width / 2 / median);
    }

    private static double startError(List<Double> starts, double median) {
        if (starts.size() < 2 || median == 0) {
            return 0;
        }
        return Math.abs(statistics(starts).getStandardDeviation() / Math.sqrt(starts.size()) / median);
    }

    /** Returns the error of the quotient of this figure and another figure that was measured separately. */
    double errorOfRatio(Measurement other) {
        return Math.hypot(error, other.error);
    }

    /** Returns the standard error over starts of the quotient of this figure and another figure that was measured separately. */
    double startErrorOfRatio(Measurement other) {
        return Math.hypot(startError, other.startError);
    }

    private static double median(List<Double> values) {
        return statistics(values).getPercentile(50);
    }

    private static ListStatistics statistics(List<Double> values) {
        return new ListStatistics(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
