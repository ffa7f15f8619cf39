package dev.outcrop.benchmarks.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program in Java that is started in a JVM of its own, and prints figures with {@link ProcessOutput}.
 *
 * @param main        a class with a main method
 * @param jvmArgs     arguments of the JVM
 * @param arguments   arguments of the program
 * @param environment variables, besides those of this process
 */
public record JavaProgram(Class<?> main, List<String> jvmArgs, List<String> arguments, Map<String, String> environment)
        implements
            BenchmarkProcess {
    private static final String SEED = "outcrop.benchmarks.seed";

    /** Describes a program that reads all its input from its settings. */
    public JavaProgram(Class<?> main, List<String> jvmArgs) {
        this(main, jvmArgs, List.of(), Map.of());
    }

    /** Runs the program to its end and returns its output, both streams. An exit code other than 0 is an exception with that output. */
    public String run() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvmArgs);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return Processes.run(command, environment);
    }

    @Override
    public ProcessOutput start(long seed) {
        return ProcessOutput.parse(with("-D" + SEED + '=' + seed).run());
    }

    /**
     * Returns the same program, compiled in the foreground as the forks of JMH are: on a busy machine, a compiler in the background may not
     * finish within the warm-up.
     */
    public JavaProgram compiledInForeground() {
        return with("-Xbatch");
    }

    private JavaProgram with(String jvmArg) {
        List<String> more = new ArrayList<>(jvmArgs);
        more.add(jvmArg);
        return new JavaProgram(main, more, arguments, environment);
    }

    /** Returns the seed with which {@link #start} started this JVM. */
    public static long seed() {
        return Long.getLong(SEED, 0);
    }
}
