package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Starts a program that prints figures by name, a line for each iteration, and keeps all of them. For the contest it
 * measures the first of them.
 */
public final class FigureProbe implements Probe {
    /** Garbage for an operation, in bytes. */
    public static final String GARBAGE = "garbage";
    private static final String FIGURES = "figures ";
    private static final String TEXT = "text ";

    private final Supplier<String> program;
    private final String first;
    private final Map<String, List<Sample>> samples = new HashMap<>();
    private final List<String> texts = new ArrayList<>();

    /**
     * Makes a probe.
     *
     * @param program runs, and returns what was printed
     * @param first   the figure that {@link #measure()} returns; others are printed too
     */
    public FigureProbe(Supplier<String> program, String first) {
        this.program = program;
        this.first = first;
    }

    /**
     * Makes a probe of a program in Java.
     *
     * @param main    class of this module with the main method
     * @param jvmArgs arguments of the JVM
     * @param first   the figure that {@link #measure()} returns
     * @return measures by starting it
     */
    public static FigureProbe java(Class<?> main, List<String> jvmArgs, String first) {
        return new FigureProbe(() -> Processes.java(main, jvmArgs, List.of()), first);
    }

    /**
     * The line that a program prints for an iteration.
     *
     * @param figures by name, which has no space and no equals sign
     * @return to be printed
     */
    public static String line(Map<String, Double> figures) {
        StringBuilder line = new StringBuilder(FIGURES.strip());
        figures.forEach((name, value) -> line.append(String.format(Locale.ROOT, " %s=%.3f", name, value)));
        return line.toString();
    }

    /**
     * The line by which a program hands over anything else.
     *
     * @param text without line ends
     * @return to be printed
     */
    public static String text(String text) {
        return TEXT + text;
    }

    @Override
    public Sample measure() {
        String output = program.get();
        Map<String, List<Double>> columns = new HashMap<>();
        for (String line : output.lines().toList()) {
            if (line.startsWith(FIGURES)) {
                for (String figure : line.substring(FIGURES.length()).split(" ", -1)) {
                    int at = figure.indexOf('=');
                    columns.computeIfAbsent(figure.substring(0, at), _ -> new ArrayList<>())
                            .add(Double.valueOf(figure.substring(at + 1)));
                }
            } else if (line.startsWith(TEXT)) {
                texts.add(line.substring(TEXT.length()));
            }
        }
        List<Double> measured = columns.get(first);
        if (measured == null) {
            throw new BenchmarkException("The program has not printed '" + first + "': " + output);
        }
        List<Double> garbage = columns.getOrDefault(GARBAGE, List.of(0.0));
        columns.forEach((name, values) -> samples.computeIfAbsent(name, _ -> new ArrayList<>())
                .add(new Sample(values, garbage)));
        return new Sample(measured, garbage);
    }

    /**
     * What all starts so far have measured.
     *
     * @param figure its name
     * @return a summary
     */
    public Measurement of(String figure) {
        return Measurement
                .of(Objects.requireNonNull(samples.get(figure), () -> "no program has printed '" + figure + "'"));
    }

    /**
     * Whether a figure was measured.
     *
     * @param figure its name
     * @return whether any start so far has printed it
     */
    public boolean has(String figure) {
        return samples.containsKey(figure);
    }

    /**
     * What all starts so far have handed over.
     *
     * @return texts, in order
     */
    public List<String> texts() {
        return List.copyOf(texts);
    }
}
