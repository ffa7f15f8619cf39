package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.ChildJvm;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Polling and acknowledging leave nothing for the collector but one arena for a batch, once their code is compiled, and with a handler that HotSpot
 * compiles into the poll. Otherwise it is also the object by which the handler sees the payload, of some 40 bytes for a record.
 */
class GroupGarbageTest {
    private static final int RECORDS = 20_000;
    private static final int BATCH = 100;
    private static final int ROUNDS = 60;
    /** An arena with its session and list of resources, and the handler: some 2 bytes a record. */
    private static final long FOR_A_BATCH = 200;

    @TempDir
    private Path directory;

    /** In a JVM of its own: here many handlers are seen by the same code. */
    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT30S"})
    void oneArenaIsLeftForABatch(String visibilityTimeout) throws Exception {
        ChildJvm.Result result = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-Xbatch")
                .run(Program.class, directory, visibilityTimeout);
        String output = result.output();
        assertThat(result.exitCode()).as(output).isZero();
        assertThat(output).startsWith("bytes a batch: ");
        assertThat(Long.parseLong(output.strip().substring("bytes a batch: ".length())))
                .isLessThanOrEqualTo(FOR_A_BATCH);
    }

    /** Reads again and again; prints the least garbage of many rounds. */
    static final class Program {
        private long sum;

        public static void main(String[] arguments) {
            try (Queue queue = Queue.open(Path.of(arguments[0]).resolve("queue"),
                    new QueueOptions().segmentSize(1 << 20).keepBytes(Long.MAX_VALUE))) {
                for (int i = 0; i < RECORDS; i++) {
                    queue.append(new byte[64]);
                }
                System.out.println("bytes a batch: " + new Program().least(queue.group("group",
                        new GroupOptions().visibilityTimeout(Duration.parse(arguments[1])))));
            }
        }

        private long least(ConsumerGroup group) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            try (Consumer consumer = group.consumer()) {
                for (int round = 0; round < ROUNDS; round++) {
                    group.seekToBeginning();
                    long before = threads.getCurrentThreadAllocatedBytes();
                    int batches = pollAll(consumer);
                    long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / batches;
                    least = Math.min(least, bytes);
                }
            }
            if (group.lag().records() != 0 || sum != 0) {
                throw new AssertionError("lag " + group.lag().records() + ", sum " + sum);
            }
            return least;
        }

        private int pollAll(Consumer consumer) {
            int batches = 0;
            while (consumer.poll(BATCH,
                    (_, payload, _) -> sum += payload.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)) > 0) {
                // One by one, and many.
                boolean isLast = consumer.acknowledge((long) batches * BATCH);
                consumer.acknowledgeUpTo(isLast ? Long.MAX_VALUE : -1);
                batches++;
            }
            return batches;
        }
    }
}
