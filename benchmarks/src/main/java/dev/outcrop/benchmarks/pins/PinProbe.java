package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Probe;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.List;

/** Starts {@link PinRun}. Measures what a read takes, and keeps how many reads missed. */
final class PinProbe implements Probe {
    private final List<String> jvmArgs;
    private final List<Sample> misses = new ArrayList<>();

    PinProbe(List<String> jvmArgs) {
        this.jvmArgs = jvmArgs;
    }

    @Override
    public Sample measure() {
        String output = Processes.java(PinRun.class, jvmArgs, List.of());
        List<String[]> figures = output.lines().filter(line -> line.startsWith(PinRun.FIGURES))
                .map(line -> line.split(" ", -1)).toList();
        if (figures.isEmpty()) {
            throw new BenchmarkException(PinRun.class.getSimpleName() + " printed no figures: " + output);
        }
        misses.add(new Sample(column(figures, 2), column(figures, 3)));
        return new Sample(column(figures, 1), column(figures, 3));
    }

    /** Reads of a hundred that missed the cache, over all starts so far. */
    Measurement misses() {
        return Measurement.of(misses);
    }

    private static List<Double> column(List<String[]> figures, int column) {
        return figures.stream().map(line -> Double.valueOf(line[column])).toList();
    }
}
