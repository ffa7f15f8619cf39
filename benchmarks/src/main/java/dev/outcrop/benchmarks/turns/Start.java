package dev.outcrop.benchmarks.turns;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.util.ListStatistics;

/**
 * What one process of a case measured.
 *
 * @param samples one for each side, by its name; the figures of one round have the same place in all of them
 */
public record Start(Map<String, Sample> samples) {
    /** Begins a line with figures: nanoseconds an operation, bytes of garbage an operation, name of the side. */
    private static final String FIGURES = "figures";
    private static final int FIELDS = 4;

    /**
     * What the process prints of a turn.
     *
     * @param turn what it took
     * @param side whose it was
     * @return a line
     */
    public static String line(Turns.Turn turn, Side side) {
        return FIGURES + ' ' + turn.nanos() + ' ' + turn.bytes() + ' ' + side.name();
    }

    /**
     * Runs the process.
     *
     * @param main    its class
     * @param jvmArgs arguments of its JVM
     * @return what it printed
     * @throws BenchmarkException if it fails
     */
    public static Start of(Class<?> main, List<String> jvmArgs) {
        String output = Processes.java(main, jvmArgs, List.of());
        Map<String, List<Double>> nanos = new LinkedHashMap<>();
        Map<String, List<Double>> bytes = new LinkedHashMap<>();
        output.lines().filter(line -> line.startsWith(FIGURES)).map(line -> line.split(" ", FIELDS))
                .forEach(fields -> {
                    String side = fields[FIELDS - 1];
                    nanos.computeIfAbsent(side, key -> new ArrayList<>()).add(Double.valueOf(fields[1]));
                    bytes.computeIfAbsent(side, key -> new ArrayList<>()).add(Double.valueOf(fields[2]));
                });
        if (nanos.isEmpty()) {
            throw new BenchmarkException(main.getSimpleName() + " printed no figures: " + output);
        }
        Map<String, Sample> samples = new LinkedHashMap<>();
        nanos.forEach((side, figures) -> samples.put(side, new Sample(figures, bytes.getOrDefault(side, List.of()))));
        return new Start(samples);
    }

    /**
     * The figures of a side.
     *
     * @param side its name
     * @return one for each round
     * @throws IllegalArgumentException if it was not measured
     */
    public Sample of(String side) {
        Sample sample = samples.get(side);
        if (sample == null) {
            throw new IllegalArgumentException("'" + side + "' was not measured, but " + samples.keySet());
        }
        return sample;
    }

    /**
     * How many times as long as one side the other one takes.
     *
     * @param side  name of the one
     * @param other name of the other
     * @return the median over the rounds
     */
    public double ratio(String side, String other) {
        List<Double> of = of(side).nanos();
        List<Double> toOther = of(other).nanos();
        double[] ratios = new double[of.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = toOther.get(i) / of.get(i);
        }
        return median(ratios);
    }

    /**
     * The median.
     *
     * @param values at least one
     * @return the middle one, or what is between the two
     */
    public static double median(double[] values) {
        return new ListStatistics(values).getPercentile(50);
    }
}
