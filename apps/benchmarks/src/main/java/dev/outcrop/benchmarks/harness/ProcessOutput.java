package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The output of one process. Programs in Java, C and Ruby print the same lines; other lines are ignored:
 *
 * <pre>
 * figure VALUE GARBAGE NAME    one iteration or turn: what it took, and the bytes of garbage an operation
 * text TEXT                    anything else that is handed over
 * </pre>
 *
 * @param samples a sample for each figure, by its name
 * @param texts   in order
 */
public record ProcessOutput(Map<String, Sample> samples, List<String> texts) {
    /** The figure of a process that has only one: nanoseconds an operation. */
    public static final String TIME = "time";

    private static final String FIGURE = "figure ";
    private static final String TEXT = "text ";
    private static final int FIELDS = 3;

    public ProcessOutput {
        samples = Map.copyOf(samples);
        texts = List.copyOf(texts);
    }

    /** Returns a result with the figure {@link #TIME} only. */
    public static ProcessOutput of(Sample sample) {
        return new ProcessOutput(Map.of(TIME, sample), List.of());
    }

    /** Prints a figure of one iteration, with the bytes of garbage per operation. The name may contain spaces. */
    public static void print(String name, double value, double garbage) {
        System.out.println(String.format(Locale.ROOT, "%s%.3f %.3f %s", FIGURE, value, garbage, name));
    }

    /** Prints a figure without garbage. */
    public static void print(String name, double value) {
        print(name, value, 0);
    }

    /** Prints a text without line ends. */
    public static void printText(String text) {
        System.out.println(TEXT + text);
    }

    /** Parses the output of a process, which must contain a figure. */
    public static ProcessOutput parse(String output) {
        Map<String, List<Double>> values = new LinkedHashMap<>();
        Map<String, List<Double>> garbage = new LinkedHashMap<>();
        List<String> texts = new ArrayList<>();
        for (String line : output.lines().toList()) {
            if (line.startsWith(FIGURE)) {
                String[] fields = line.substring(FIGURE.length()).split(" ", FIELDS);
                values.computeIfAbsent(fields[2], _ -> new ArrayList<>()).add(Double.valueOf(fields[0]));
                garbage.computeIfAbsent(fields[2], _ -> new ArrayList<>()).add(Double.valueOf(fields[1]));
            } else if (line.startsWith(TEXT)) {
                texts.add(line.substring(TEXT.length()));
            }
        }
        if (values.isEmpty()) {
            throw new BenchmarkException("The program has printed no figures: " + output);
        }
        Map<String, Sample> samples = new LinkedHashMap<>();
        values.forEach((name, each) -> samples.put(name, new Sample(each, garbage.getOrDefault(name, List.of()))));
        return new ProcessOutput(samples, texts);
    }

    Sample of(String figure) {
        Sample sample = samples.get(figure);
        if (sample == null) {
            throw new IllegalArgumentException("'" + figure + "' was not measured, but " + samples.keySet());
        }
        return sample;
    }
}
