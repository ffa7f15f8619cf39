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

    /**
     * A program that finds all it needs in its settings.
     *
     * @param main    a class of this module with a main method
     * @param jvmArgs arguments of the JVM
     */
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
     * The same program, compiled in the foreground: on a busy machine a compiler in the background may not get through within the warm-up.
     *
     * @return as the forks of JMH are started
     */
    public JavaProgram compiledInForeground() {
        List<String> arguments = new ArrayList<>(jvmArgs);
        arguments.add("-Xbatch");
        return new JavaProgram(main, arguments, this.arguments, environment);
    }

    /**
     * The seed of this JVM.
     *
     * @return the seed with which {@link #start} was called
     */
    public static long seed() {
        return Long.getLong(SEED, 0);
    }
}
