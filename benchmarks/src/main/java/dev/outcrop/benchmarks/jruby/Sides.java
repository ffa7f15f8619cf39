package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Probe;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/** What several starts of one program with different settings have measured: a figure of each name for each of them. */
final class Sides {
    private final Lab lab;
    private final Path directory;
    private final String first;
    private final SequencedMap<String, FigureProbe> probes = new LinkedHashMap<>();

    /** Nobody, yet; every program prints at least the first figure. */
    Sides(Lab lab, String first) {
        this.lab = lab;
        this.directory = lab.directory().resolve(JRubySuite.NAME);
        this.first = first;
    }

    /** Adds a side; the program is told its name too. */
    Sides add(String side, String program, Map<String, ?> settings) {
        return add(side, program, settings, Map.of());
    }

    /** Adds a side that finds more in its environment. */
    Sides add(String side, String program, Map<String, ?> settings, Map<String, String> environment) {
        probes.put(side, new RubyProgram(program, all(side, settings), environment).probe(first));
        return this;
    }

    private SequencedMap<String, Object> all(String side, Map<String, ?> settings) {
        SequencedMap<String, Object> all = new LinkedHashMap<>(settings);
        all.put("side", side);
        all.put("directory", directory);
        all.put("warmupMillis", RubyProgram.warmupMillis(lab.effort()));
        all.put("iterations", lab.effort().iterations());
        return all;
    }

    /** Lets all of them measure, in turn. */
    Sides run() {
        Contest contest = new Contest();
        probes.forEach((side, probe) -> contest.add(side, alone(probe)));
        contest.run(lab.effort().halfOfRounds());
        return this;
    }

    private Probe alone(Probe probe) {
        return () -> {
            try {
                return probe.measure();
            } finally {
                Directories.delete(directory);
            }
        };
    }

    /** What one of them has handed over besides figures; once, if each of its starts has handed over the same. */
    List<String> texts(String side) {
        return Objects.requireNonNull(probes.get(side), side).texts().stream().distinct().toList();
    }

    /** What one of them takes. */
    Measurement of(String side, String figure) {
        return Objects.requireNonNull(probes.get(side), side).of(figure);
    }
}
