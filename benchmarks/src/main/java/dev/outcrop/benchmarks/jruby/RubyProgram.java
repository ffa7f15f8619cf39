package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Processes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jruby.main.Main;

/**
 * A program of this module in Ruby.
 *
 * @param name        of its file, without {@code .rb}
 * @param settings    what it is told
 * @param environment variables of its process, besides ours
 */
record RubyProgram(String name, SequencedMap<String, Object> settings, Map<String, String> environment) {
    private static final String RESOURCES = "uri:classloader:/dev/outcrop/benchmarks/ruby";
    /**
     * A warm-up takes so many times as long as in other suites: JRuby interprets, then compiles to bytecode, which is
     * then compiled.
     */
    private static final int LONGER = 6;
    private static final List<String> MEMORY = List.of("-Xms1g", "-Xmx1g");

    /** Starts it, and measures the named figure, among others. */
    FigureProbe probe(String first) {
        return new FigureProbe(() -> Processes.java(Main.class, MEMORY, arguments(), environment), first);
    }

    private List<String> arguments() {
        List<String> arguments = new ArrayList<>(
                List.of("-I", RESOURCES + "/lib", RESOURCES + '/' + name + ".rb"));
        settings.forEach((setting, value) -> arguments.add(setting + '=' + value));
        return arguments;
    }

    /** How long a program warms up. */
    static long warmupMillis(Effort effort) {
        return effort.time().toMillis() * LONGER * effort.warmups();
    }
}
