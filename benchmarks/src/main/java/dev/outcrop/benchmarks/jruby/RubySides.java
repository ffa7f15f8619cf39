package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jruby.main.Main;
import org.jspecify.annotations.Nullable;

/** Starts of programs of this module in Ruby, with different settings. Each prints a figure for each of several things. */
final class RubySides {
    private static final String RESOURCES = "uri:classloader:/dev/outcrop/benchmarks/ruby";
    /**
     * A warm-up takes so many times as long as in other suites: JRuby interprets, then compiles to bytecode, which is
     * then compiled.
     */
    private static final int LONGER = 6;
    private static final List<String> MEMORY = List.of("-Xms1g", "-Xmx1g");

    private final Lab lab;
    private final Contest contest;
    private @Nullable Results results;

    RubySides(Lab lab) {
        this.lab = lab;
        this.contest = lab.contest();
    }

    /** Adds a side; the program is told its name too. */
    RubySides add(String side, String program, Map<String, ?> settings) {
        return add(side, program, settings, Map.of());
    }

    /** Adds a side that finds more in its environment. */
    RubySides add(String side, String program, Map<String, ?> settings, Map<String, String> environment) {
        List<String> arguments = new ArrayList<>(
                List.of("-I", RESOURCES + "/lib", RESOURCES + '/' + program + ".rb", "side=" + side,
                        "directory=" + lab.data(),
                        "warmupMillis=" + lab.effort().time().toMillis() * LONGER * lab.effort().warmups(),
                        "iterations=" + lab.effort().iterations()));
        settings.forEach((name, value) -> arguments.add(name + '=' + value));
        JavaProgram ruby = new JavaProgram(Main.class, MEMORY, arguments, environment);
        contest.add(side, seed -> {
            try {
                return ruby.start(seed);
            } finally {
                Directories.delete(lab.data());
            }
        });
        return this;
    }

    /** Has all of them measure, in turn. */
    RubySides run() {
        results = contest.run(lab.effort().halfOfRounds());
        return this;
    }

    /** What a side has handed over besides figures; once, if each of its starts has handed over the same. */
    List<String> texts(String side) {
        return Objects.requireNonNull(results).of(side).texts().stream().distinct().toList();
    }

    /** A figure of a side. */
    Measurement of(String side, String figure) {
        return Objects.requireNonNull(results).of(side).of(figure);
    }
}
