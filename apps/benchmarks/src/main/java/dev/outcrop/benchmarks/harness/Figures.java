package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The figures of one side, from all its starts. */
public final class Figures {
    private final List<ProcessOutput> starts;

    Figures(List<ProcessOutput> starts) {
        this.starts = List.copyOf(starts);
    }

    /** Returns the median and error of a figure. */
    public Measurement of(String name) {
        return Measurement.of(starts.stream().map(start -> start.of(name)).toList());
    }

    /** Returns the time of a side that measures only time. */
    public Measurement time() {
        return of(ProcessOutput.TIME);
    }

    /** Returns whether every start has measured the figure. */
    public boolean has(String name) {
        return starts.stream().allMatch(start -> start.samples().containsKey(name));
    }

    /**
     * Returns the ratio of the figure {@code other} to the figure {@code one}. Both are from turns of the same process, and turns of the
     * same round are compared. The result is the median over the starts of the medians over the rounds.
     */
    public Measurement ratio(String one, String other) {
        return Measurement.of(starts.stream().map(start -> ratios(start.of(one), start.of(other))).toList());
    }

    private static Sample ratios(Sample one, Sample other) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < one.values().size(); round++) {
            ratios.add(other.values().get(round) / one.values().get(round));
        }
        return new Sample(ratios, List.of(0.0));
    }

    /** Returns the time of the figure {@code other}. It is computed from the measured ratio, so that a row shows that ratio. */
    public double against(String one, String other) {
        return of(one).median() * ratio(one, other).median();
    }

    /** Returns the name of the figure with the smallest ratio to the figure {@code one}. */
    public String fastest(String one, List<String> others) {
        return others.stream().min(Comparator.comparingDouble(other -> ratio(one, other).median())).orElseThrow();
    }

    /** Returns the texts that all starts have printed, in order. */
    public List<String> texts() {
        return starts.stream().flatMap(start -> start.texts().stream()).toList();
    }
}
