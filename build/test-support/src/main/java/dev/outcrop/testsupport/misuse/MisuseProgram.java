package dev.outcrop.testsupport.misuse;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Starts a program that misuses an API, in its own JVM, and returns the outcome. Arguments of the program: a directory for the databases,
 * the file for the {@linkplain MisuseTrace last calls}, seed, number of calls.
 *
 * <p>Each run makes different calls. It prints its seed, and {@code -Doutcrop.seed=…} repeats the same choices.
 */
public final class MisuseProgram {
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 2L << 30;
    private static final int SHOWN = 60;

    private MisuseProgram() {
    }

    /** The exit code, the output, and the output with hints about a crash. */
    public record Outcome(int exitCode, String output, String report) {
    }

    /**
     * Runs the program until it ends.
     *
     * @param temporary a directory for the databases, in case memory has no room for them
     */
    public static Outcome run(Class<?> program, Path temporary, int threads, long calls)
            throws IOException, InterruptedException {
        long seed = TestSize.seed(program);
        Path trace = temporary.resolve("last calls");
        Path directory = directory(temporary);
        try {
            ChildJvm.Result result = ChildJvm.withNativeAccess().option("-XX:NativeMemoryTracking=summary")
                    .option("-XX:MaxJavaStackTraceDepth=30")
                    // In a short run most methods would be compiled again for only a few more calls.
                    .option(TestSize.isNightly() ? "-XX:+TieredCompilation" : "-XX:TieredStopAtLevel=1").in(directory)
                    .run(program, directory, trace, seed, calls);
            String report = "seed " + seed + "\n" + shortened(result.output());
            System.out.println(program.getSimpleName() + ": " + report);
            return new Outcome(result.exitCode(), result.output(),
                    result.exitCode() == 0 ? report : report + MisuseTrace.read(trace, threads));
        } finally {
            delete(directory);
        }
    }

    /** Returns a directory in memory if there is room, because databases are opened hundreds of times. */
    private static Path directory(Path temporary) throws IOException {
        return Files.isWritable(IN_MEMORY) && Files.getFileStore(IN_MEMORY).getUsableSpace() > ROOM
                ? Files.createTempDirectory(IN_MEMORY, "outcrop-misuse")
                : Files.createDirectory(temporary.resolve("databases"));
    }

    /** Returns the beginning of the JVM's report of a crash. */
    private static String shortened(String output) {
        int crash = output.indexOf("# A fatal error");
        return crash < 0
                ? output
                : output.substring(0, crash)
                        + String.join("\n", output.substring(crash).lines().limit(SHOWN).toList()) + "\n";
    }

    /** Deletes a directory with its content. */
    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
