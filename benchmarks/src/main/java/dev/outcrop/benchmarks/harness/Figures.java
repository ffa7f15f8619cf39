package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The figures of one side, from all its starts. */
public final class Figures {
    private final List<Start> starts;

    Figures(List<Start> starts) {
        this.starts = List.copyOf(starts);
    }

    /**
     * A figure.
     *
     * @param name of the figure
     * @return its median and error
     * @throws IllegalArgumentException if it was not measured
     */
    public Measurement of(String name) {
        return Measurement.of(starts.stream().map(start -> start.of(name)).toList());
    }

    /**
     * The only figure of a side that measures nothing else.
     *
     * @return nanoseconds an operation
     */
    public Measurement time() {
        return of(Start.TIME);
    }

    /**
     * Tells whether a figure was measured.
     *
     * @param name of the figure
     * @return true if each start has measured it
     */
    public boolean has(String name) {
        return starts.stream().allMatch(start -> start.samples().containsKey(name));
    }

    /**
     * The ratio of another figure to one. Both are measured in turns of one process, and turns of the same round are compared.
     *
     * @param one   its name
     * @param other its name
     * @return the median over the starts, and of each start the median over its rounds, with the error
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

    /**
     * Computes the time of another figure from the measured ratio, so that a row shows that ratio.
     *
     * @param one   its name
     * @param other its name
     * @return the median of the one, times the ratio
     */
    public double against(String one, String other) {
        return of(one).median() * ratio(one, other).median();
    }

    /**
     * Finds the fastest of some figures.
     *
     * @param one    what they are compared with
     * @param others names of figures
     * @return the name of the one with the least ratio
     */
    public String fastest(String one, List<String> others) {
        return others.stream().min(Comparator.comparingDouble(other -> ratio(one, other).median())).orElseThrow();
    }

    /**
     * The texts that all starts have printed.
     *
     * @return texts, in order
     */
    public List<String> texts() {
        return starts.stream().flatMap(start -> start.texts().stream()).toList();
    }
}
