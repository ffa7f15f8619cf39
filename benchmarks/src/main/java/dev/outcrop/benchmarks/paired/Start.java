package dev.outcrop.benchmarks.paired;

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
record Start(Map<String, Sample> samples) {
    private static final int FIELDS = 4;

    /** Runs the process. */
    static Start of(List<String> jvmArgs) {
        String output = Processes.java(PairedRun.class, jvmArgs, List.of());
        Map<String, List<Double>> nanos = new LinkedHashMap<>();
        Map<String, List<Double>> bytes = new LinkedHashMap<>();
        output.lines().filter(line -> line.startsWith(PairedRun.FIGURES)).map(line -> line.split(" ", FIELDS))
                .forEach(fields -> {
                    String side = fields[FIELDS - 1];
                    nanos.computeIfAbsent(side, key -> new ArrayList<>()).add(Double.valueOf(fields[1]));
                    bytes.computeIfAbsent(side, key -> new ArrayList<>()).add(Double.valueOf(fields[2]));
                });
        if (nanos.isEmpty()) {
            throw new BenchmarkException(PairedRun.class.getSimpleName() + " printed no figures: " + output);
        }
        Map<String, Sample> samples = new LinkedHashMap<>();
        nanos.forEach((side, figures) -> samples.put(side, new Sample(figures, bytes.getOrDefault(side, List.of()))));
        return new Start(samples);
    }

    Sample of(String side) {
        Sample sample = samples.get(side);
        if (sample == null) {
            throw new IllegalArgumentException("'" + side + "' was not measured, but " + samples.keySet());
        }
        return sample;
    }

    /** How many times as long as one side the other one takes: the median over the rounds. */
    double ratio(String side, String other) {
        List<Double> of = of(side).nanos();
        List<Double> toOther = of(other).nanos();
        double[] ratios = new double[of.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = toOther.get(i) / of.get(i);
        }
        return median(ratios);
    }

    static double median(double[] values) {
        return new ListStatistics(values).getPercentile(50);
    }
}
