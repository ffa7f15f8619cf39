package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jruby.main.Main;
import org.jspecify.annotations.Nullable;

/**
 * A question that the suite answers.
 *
 * @param label  the name of the case, which begins the labels of its rows
 * @param plan   makes the sides to run and the lines of the table; returns null if the case cannot run on this machine
 * @param charts the charts of the rows
 */
record JRubyCase(String label, Function<RunContext, @Nullable Table> plan, List<Chart> charts) implements Case {
    private static final String RESOURCES = "uri:classloader:/dev/outcrop/benchmarks/ruby";
    /**
     * A warm-up takes this many times as long as in other suites: JRuby first interprets Ruby, then compiles it to bytecode, and then the
     * JVM compiles the bytecode.
     */
    private static final int LONGER = 6;
    private static final List<String> MEMORY = List.of("-Xms1g", "-Xmx1g");

    /** The sides of a case, and the lines of the table that their figures fill. */
    record Table(List<RubySide> sides, List<Line> lines) {
    }

    /**
     * A Ruby program of this module. It prints several figures.
     *
     * @param name        the name of the side; the program gets it too, unless the settings have another name
     * @param program     the file without {@code .rb}
     * @param settings    arguments of the program
     * @param environment further variables of its environment
     */
    record RubySide(String name, String program, Map<String, ?> settings, Map<String, String> environment) {
        RubySide(String name, String program, Map<String, ?> settings) {
            this(name, program, settings, Map.of());
        }
    }

    /** The figure of a side. */
    record Figure(String side, String name) {
    }

    /** A line of the table; the parameters are also in its label. */
    record Line(SequencedMap<String, Object> params, String subject, Figure ours, String peerName, Figure peer,
            @Nullable Figure limit) {
        Line(SequencedMap<String, Object> params, String subject, Figure ours, String peerName, Figure peer) {
            this(params, subject, ours, peerName, peer, null);
        }
    }

    /**
     * A bar chart.
     *
     * @param file          the name of the PNG file
     * @param across        title of the x axis
     * @param up            title of the y axis
     * @param isLogarithmic whether the y axis is
     * @param bars          adds the bars of a row
     */
    record Chart(String file, String across, String up, boolean isLogarithmic, BiConsumer<BarChart, Row> bars) {
        /** A linear chart of operations a second, with one series of bars. */
        static Chart ofRates(String file, String across, String up, Function<Row, String> series,
                Function<Row, String> group) {
            return new Chart(file, across, up, false,
                    (bars, row) -> bars.addRate(series.apply(row), group.apply(row), row.ours().median()));
        }
    }

    @Override
    public List<Row> run(RunContext context) {
        Table planned = plan.apply(context);
        if (planned == null) {
            context.say(label + ": not measured");
            return List.of();
        }
        ProcessComparison comparison = context.comparison();
        planned.sides.forEach(side -> {
            JavaProgram ruby = new JavaProgram(Main.class, MEMORY, arguments(side, context), side.environment);
            comparison.add(side.name, seed -> {
                try {
                    return ruby.start(seed);
                } finally {
                    Directories.delete(context.data());
                }
            });
        });
        Results results = comparison.run(context.runLength().halfOfRounds());
        // Say a text once if each start has printed the same text.
        planned.sides.forEach(side -> results.of(side.name).texts().stream().distinct().forEach(context::say));
        return planned.lines.stream().map(line -> row(line, results)).toList();
    }

    private static List<String> arguments(RubySide side, RunContext context) {
        List<String> arguments = new ArrayList<>(
                List.of("-I", RESOURCES + "/lib", RESOURCES + '/' + side.program + ".rb", "side=" + side.name,
                        "directory=" + context.data(),
                        "warmupMillis="
                                + context.runLength().time().toMillis() * LONGER * context.runLength().warmups(),
                        "iterations=" + context.runLength().iterations()));
        side.settings.forEach((name, value) -> arguments.add(name + '=' + value));
        return arguments;
    }

    private Row row(Line line, Results results) {
        String full = label + line.params.values().stream().map(value -> ", " + value).collect(Collectors.joining());
        return new Row(JRubySuite.NAME, label, line.params, full, line.subject, measured(line.ours, results),
                line.peerName, measured(line.peer, results),
                line.limit == null ? null : (Double) measured(line.limit, results).median());
    }

    private static Measurement measured(Figure figure, Results results) {
        return results.of(figure.side).of(figure.name);
    }

    /** Draws the rows of this case among those of the suite. */
    List<Path> plot(List<Row> rows, Path directory) throws IOException {
        List<Row> found = rows.stream().filter(row -> row.name().equals(label)).toList();
        List<Path> files = new ArrayList<>();
        for (Chart chart : found.isEmpty() ? List.<Chart>of() : charts) {
            BarChart bars = new BarChart(chart.across, chart.up, chart.isLogarithmic);
            found.forEach(row -> chart.bars.accept(bars, row));
            files.add(bars.draw(directory.resolve(chart.file)));
        }
        return files;
    }
}
