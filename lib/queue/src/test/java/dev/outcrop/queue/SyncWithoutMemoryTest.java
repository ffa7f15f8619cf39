package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The system says once that something is not on the disk. That is not lost if there is no memory for an exception that says so. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class SyncWithoutMemoryTest {
    private static final int MOST_RUNS = 40;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @OneOf(6)
    @CsvSource({"msync,.segment,sync,true", "fsync,/queue,sync,true", "msync,/queue/queue,sync,true",
            "msync,.group,seek,true", "msync,.segment,sync,false", "msync,.group,seek,false"})
    void aFailureThatCannotBeSaidPoisonsTheQueue(String call, String suffix, String action, boolean hasNativeAccess)
            throws Exception {
        // In some runs the first attempt that reaches the failing call also has the memory to say so.
        for (int run = 0;; run++) {
            assertThat(run).as("runs in which there was memory").isLessThan(MOST_RUNS);
            ChildJvm jvm = ChildJvm.bare()
                    .option(hasNativeAccess ? "--enable-native-access=ALL-UNNAMED" : "--illegal-native-access=deny")
                    .option("-Xmx12m").option("-XX:+UseSerialGC");
            List<String> said = new WatchedDisk(Files.createDirectory(directory.resolve("run-" + run))).run(jvm,
                    Program.class, call, suffix,
                    action);
            assertThat(said).singleElement().asString().startsWith("poisoned: ")
                    .contains("could not be written to the disk");
            if (said.getFirst().contains("there was no memory or stack left to say")) {
                break;
            }
        }
    }

    /** Repeats it with a little more memory each time, until it reaches the failing call. */
    static final class Program {
        private static final int MOST_BYTES = 4 << 10;
        /** Less than an exception takes. */
        private static final int STEP = 64;

        private final Hoard hoard = new Hoard();
        private final Queue queue;
        private final ConsumerGroup group;

        private Program(Queue queue) {
            this.queue = queue;
            this.group = queue.group("reader");
        }

        public static void main(String[] arguments) throws Exception {
            Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().backgroundThread(false));
            Program program = new Program(queue);
            // Now: linking its calls takes more memory than there is later.
            program.group.seekToEnd();
            WatchedDisk.fail(Path.of(arguments[1]), arguments[2], arguments[3], "once");
            System.out.println(program.run(arguments[4].equals("sync") ? queue::sync : program.group::seekToEnd));
            System.out.flush();
            // The test is over; closing would only say once more that it is poisoned.
            Runtime.getRuntime().halt(0);
        }

        private String run(Runnable action) {
            for (int left = 0; left < MOST_BYTES; left += STEP) {
                try {
                    queue.append(new byte[10]);
                } catch (QueuePoisonedException e) {
                    return "poisoned: " + e.getMessage();
                }
                if (isDone(action, left)) {
                    return "done, as if nothing had failed, with " + left + " bytes";
                }
            }
            return "never done";
        }

        private boolean isDone(Runnable action, int left) {
            try {
                hoard.take(left);
                action.run();
                return true;
            } catch (OutOfMemoryError | QueueException | UncheckedIOException e) {
                // For lack of memory, or because it has failed, which the next append says.
                return false;
            } finally {
                hoard.free();
            }
        }
    }
}
