package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program in Java that is started in a JVM of its own, and prints figures with {@link Start}.
 *
 * @param main        a class with a main method
 * @param jvmArgs     arguments of the JVM
 * @param arguments   arguments of the program
 * @param environment variables, besides those of this process
 */
public record JavaProgram(Class<?> main, List<String> jvmArgs, List<String> arguments, Map<String, String> environment)
        implements
            Probe {
    private static final String SEED = "outcrop.benchmarks.seed";

    /** Describes a program that reads all its input from its settings. */
    public JavaProgram(Class<?> main, List<String> jvmArgs) {
        this(main, jvmArgs, List.of(), Map.of());
    }

    @Override
    public Start start(long seed) {
        List<String> arguments = new ArrayList<>(jvmArgs);
        arguments.add("-D" + SEED + '=' + seed);
        return Start.parse(Processes.java(main, arguments, this.arguments, environment));
    }

    /**
     * Returns the same program, compiled in the foreground as the forks of JMH are: on a busy machine, a compiler in the background may not
     * finish within the warm-up.
     */
    public JavaProgram compiledInForeground() {
        List<String> arguments = new ArrayList<>(jvmArgs);
        arguments.add("-Xbatch");
        return new JavaProgram(main, arguments, this.arguments, environment);
    }

    /** Returns the seed with which {@link #start} started this JVM. */
    public static long seed() {
        return Long.getLong(SEED, 0);
    }
}
