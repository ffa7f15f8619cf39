package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Half a million calls, most of them wrong in some way, some from inside callbacks, some where the stack ends, crash nothing, hang nowhere, throw
 * nothing undocumented and leave no native memory behind. With the profile {@code long} it is two million.
 *
 * <p>Each run makes other calls. It prints its seed, and {@code -Doutcrop.misuse.seed=…} makes the same choices again;
 * {@code -Doutcrop.misuse.calls=…} makes fewer or more of them.
 */
class MisuseRunTest {
    private static final long CALLS = Long.getLong("outcrop.misuse.calls", 500_000);
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final long ROOM = 2L << 30;
    private static final int SHOWN = 60;

    @TempDir
    private Path temporary;

    @Test
    void nothingThatIsCalledEndsTheProcess() throws Exception {
        long seed = Long.getLong("outcrop.misuse.seed", new Random().nextLong());
        Path trace = temporary.resolve("last calls");
        Path directory = directory();
        try {
            ChildJvm.Result result = ChildJvm.withNativeAccess().option("-XX:NativeMemoryTracking=summary")
                    .option("-XX:MaxJavaStackTraceDepth=30").in(directory)
                    .run(MisuseRun.class, directory, trace, seed, CALLS);

            System.out.println("MisuseRunTest: seed " + seed + "\n" + shortened(result.output()));
            assertThat(result.exitCode())
                    .as(() -> "seed " + seed + "\n" + shortened(result.output()) + lastCalls(trace))
                    .isZero();
            // Whatever is public is called, also what nobody has thought of here; but for a few of which there was no object this time.
            assertThat(result.output()).containsPattern("never called: \\d\\d?,").contains("done");
        } finally {
            delete(directory);
        }
    }

    /** In memory if there is room, because the databases are opened hundreds of times. */
    private Path directory() throws IOException {
        return Files.isWritable(IN_MEMORY) && Files.getFileStore(IN_MEMORY).getUsableSpace() > ROOM
                ? Files.createTempDirectory(IN_MEMORY, "outcrop-misuse")
                : Files.createDirectory(temporary.resolve("databases"));
    }

    /** Of a crash, what the JVM says of it first. */
    private static String shortened(String output) {
        int crash = output.indexOf("# A fatal error");
        return crash < 0
                ? output
                : output.substring(0, crash)
                        + String.join("\n", output.substring(crash).lines().limit(SHOWN).toList()) + "\n";
    }

    private static String lastCalls(Path trace) {
        try {
            return MisuseTrace.read(trace, MisuseRun.THREADS);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
