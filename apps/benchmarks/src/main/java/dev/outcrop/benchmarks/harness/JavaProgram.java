package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A Java program that runs in its own JVM, and prints figures with {@link ProcessOutput}.
 *
 * @param main        a class with a main method
 * @param jvmArgs     arguments of the JVM
 * @param arguments   arguments of the program
 * @param environment environment variables, in addition to the variables of this process
 */
public record JavaProgram(Class<?> main, List<String> jvmArgs, List<String> arguments, Map<String, String> environment)
        implements
            BenchmarkProcess {
    private static final String SEED = "outcrop.benchmarks.seed";
    private static final int KILLED = 1;

    /** Describes a program that reads all its input from its settings. */
    public JavaProgram(Class<?> main, List<String> jvmArgs) {
        this(main, jvmArgs, List.of(), Map.of());
    }

    /**
     * Runs the program to its end and returns the output of both streams. If the exit code is not 0, throws an exception with that output.
     */
    public String run() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvmArgs);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"),
                JavaProgram.class.getName(), main.getName()));
        command.addAll(arguments);
        return Processes.run(command, environment);
    }

    /**
     * Runs the program with the name in the first argument, with the other arguments. Ends when the process that started it ends, even by
     * kill -9.
     */
    public static void main(String[] args) throws Throwable {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                // Nothing is ever written to this pipe. It ends when the process at its other end ends.
                System.in.readAllBytes();
            } catch (IOException e) {
                // This is an end too.
            }
            Runtime.getRuntime().halt(KILLED);
        });
        Method program = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
        program.setAccessible(true);
        try {
            program.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    @Override
    public ProcessOutput start(long seed) {
        return ProcessOutput.parse(with("-D" + SEED + '=' + seed).run());
    }

    /**
     * Returns the same program, but with compilation in the foreground, as in the forks of JMH: on a busy machine, a background compiler
     * may not finish within the warm-up.
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
