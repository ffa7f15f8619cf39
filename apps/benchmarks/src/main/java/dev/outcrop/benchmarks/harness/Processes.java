package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Child processes that are waited for. */
final class Processes {
    private Processes() {
    }

    /** Runs a command with further environment variables, and returns the output of both streams. */
    static String run(List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            // Its input stays open as long as this process lives: see JavaProgram.
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int exit = process.waitFor();
            if (exit != 0) {
                UnavailableException.rethrow(output);
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
}
