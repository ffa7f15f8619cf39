package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Child processes that are waited for. */
public final class Processes {
    private Processes() {
    }

    /** Runs a command to its end and returns its output, both streams. An exit code other than 0 is an exception with that output. */
    public static String run(List<String> command) {
        return run(command, Map.of());
    }

    private static String run(List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int exit = process.waitFor();
            if (exit != 0) {
                throw new BenchmarkException(command.getFirst() + " ended with exit code " + exit + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new BenchmarkException(e.getMessage() == null ? command.getFirst() + " failed" : e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkException("Interrupted while waiting for " + command.getFirst(), e);
        }
    }

    /** Runs a class of this module in a JVM of its own, of the same JDK, and returns its output. */
    public static String java(Class<?> main, List<String> jvmArgs, List<String> arguments) {
        return java(main, jvmArgs, arguments, Map.of());
    }

    /** Does the same with more environment variables. */
    public static String java(Class<?> main, List<String> jvmArgs, List<String> arguments,
            Map<String, String> environment) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvmArgs);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return run(command, environment);
    }
}
