package dev.outcrop.benchmarks.start;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.BenchmarkProcess;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a program, and measures the time until it says that it has read its value.
 *
 * @param arguments of the JVM and of the program
 * @param expected  the line that the program prints when it has read its value
 * @param errors    a file for the program's error stream
 * @param fresh     a directory that is deleted before each start, or null
 */
record StartProcess(List<String> arguments, String expected, Path errors, @Nullable Path fresh)
        implements
            BenchmarkProcess {
    /** The bytes of memory that the process has at the time of the first get, including mapped files. */
    static final String RESIDENT = "resident";

    private static final String STATUS_LINE = "VmRSS:";

    StartProcess {
        arguments = List.copyOf(arguments);
    }

    @Override
    public ProcessOutput start(long seed) {
        if (fresh != null) {
            Directories.delete(fresh);
        }
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        // The JVM would print these options first, but the first line must be the result.
        builder.environment().remove("JDK_JAVA_OPTIONS");
        try {
            long begin = System.nanoTime();
            Process process = builder.start();
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                String line = output.readLine();
                double nanos = (double) (System.nanoTime() - begin);
                double resident = expected.equals(line) ? residentBytes(process.pid()) : 0;
                process.getOutputStream().close();
                int exit = process.waitFor();
                if (exit != 0 || !expected.equals(line)) {
                    throw new BenchmarkException("The program has printed " + line + " instead of " + expected
                            + " and ended with exit code " + exit + ": " + Files.readString(errors).strip());
                }
                return new ProcessOutput(Map.of(ProcessOutput.TIME, one(nanos), RESIDENT, one(resident)), List.of());
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new BenchmarkException("Cannot start " + command.getFirst() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkException("Interrupted while a program was started", e);
        }
    }

    private static Sample one(double value) {
        return new Sample(List.of(value), List.of(0.0));
    }

    private static double residentBytes(long pid) throws IOException, InterruptedException {
        Path status = Path.of("/proc", String.valueOf(pid), "status");
        if (Files.isReadable(status)) {
            try (Stream<String> lines = Files.lines(status)) {
                return kilobytes(lines.filter(line -> line.startsWith(STATUS_LINE)).findFirst()
                        .orElseThrow(() -> new BenchmarkException(status + " has no line " + STATUS_LINE)));
            }
        }
        Process ps = new ProcessBuilder("ps", "-o", "rss=", "-p", String.valueOf(pid)).start();
        try (BufferedReader output = ps.inputReader(StandardCharsets.UTF_8)) {
            String line = Objects.requireNonNull(output.readLine(), "the output of ps");
            ps.waitFor();
            return kilobytes(line);
        }
    }

    private static double kilobytes(String text) {
        return 1024 * Double.parseDouble(text.replaceAll("\\D", ""));
    }
}
