package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What appending and reading use is initialized when a queue is opened: the first caller may have no stack or memory for that. */
@Tag("verify")
class InitializedTest {
    @TempDir
    private Path temporary;

    @Test
    void appendingAndReadingInitializesNoClass() throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Xlog:class+init=info").run(Program.class,
                temporary.resolve("queue"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        List<String> lines = result.output().lines().toList();
        assertThat(lines).contains("opened", "read");
        assertThat(lines.subList(lines.indexOf("opened"), lines.indexOf("read")))
                .filteredOn(line -> line.contains("Initializing 'dev/outcrop"))
                // A caller without memory for these can try again: they have no initializer that could fail for good.
                .filteredOn(line -> !line.contains("Lambda") || !line.contains("(no method)")).isEmpty();
    }

    static final class Program {
        private static final MemorySegment PAYLOAD = MemorySegment.ofArray(new byte[20]);

        private Program() {
        }

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            RecordHandler handler = (_, _, _) -> {
            };
            RecordWriter writer = to -> to.fill((byte) 1);
            List<MemorySegment> several = List.of(PAYLOAD, PAYLOAD);
            try (Queue queue = Queue.open(directory,
                    new QueueOptions().segmentSize(8 << 10).maxRecords(1000))) {
                System.out.println("opened");
                // Goes on to other files, too.
                for (int i = 0; i < 200; i++) {
                    queue.append(PAYLOAD);
                    queue.append(new byte[20]);
                }
                queue.append(ByteBuffer.allocate(8));
                queue.append(PAYLOAD, PAYLOAD);
                queue.append(8, writer);
                queue.append(several);
                queue.with(Durability.SYNCED).append(PAYLOAD);
                Long _ = queue.async().append(PAYLOAD).get();
                ConsumerGroup group = queue.group("group");
                try (Consumer consumer = group.consumer()) {
                    consumer.poll(2, handler);
                    consumer.acknowledgeUpTo(1);
                    try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                        delivery.acknowledge();
                    }
                    consumer.poll(1, Duration.ofMillis(1), handler);
                    consumer.giveBack(3);
                }
                group.seek(2);
                try (Tailer tailer = Tailer.open(directory)) {
                    while (tailer.poll()) {
                        MemorySegment _ = tailer.segment();
                    }
                }
                System.out.println("read");
            }
        }
    }
}
