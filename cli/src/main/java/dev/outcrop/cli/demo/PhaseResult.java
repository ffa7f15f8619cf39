package dev.outcrop.cli.demo;

import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The result of one side in one phase.
 *
 * @param phase the phase
 * @param records operations, one a record
 * @param bytes bytes of all keys and values
 * @param timedNanos the sum of everything that is timed
 * @param elapsedNanos from the phase's begin to its end, comparing included
 * @param latencies nanoseconds of each operation
 */
record PhaseResult(Phase phase, long records, long bytes, long timedNanos, long elapsedNanos, Histogram latencies) {
    /**
     * Sums up several rounds of one phase: the round of median speed, with the latencies of all rounds.
     *
     * @param rounds at least one result of the same phase
     */
    static PhaseResult median(List<PhaseResult> rounds) {
        Histogram all = new Histogram(3);
        rounds.forEach(round -> all.add(round.latencies));
        List<PhaseResult> sorted = rounds.stream().sorted(Comparator.comparingLong(PhaseResult::timedNanos)).toList();
        PhaseResult median = sorted.get((sorted.size() - 1) / 2);
        return new PhaseResult(median.phase, median.records, median.bytes, median.timedNanos, median.elapsedNanos, all);
    }

    double seconds() {
        return timedNanos / 1e9;
    }

    double megabytesPerSecond() {
        return bytes / 1e6 / seconds();
    }

    double microseconds(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e3;
    }
}
