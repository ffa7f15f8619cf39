package dev.outcrop.queue;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.GarbageStarts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Polling with a handler and acknowledging leave nothing for the collector, once their code is compiled, if HotSpot compiles the handler
 * into the poll: it removes the segment that shows a payload, and the arena of a batch. Going on to another file does leave something.
 * {@link ReadGarbageTest} is about the forms that need neither.
 */
@Tag("verify")
class GroupGarbageTest {
    private static final int RECORDS = 20_000;
    private static final int BYTES = 1 << 10;
    private static final int BATCH = 100;
    private static final int ROUNDS = 60;

    @TempDir
    private Path directory;

    /** In a JVM of its own for each form: where many handlers are seen by the same code, they are not compiled into it. */
    @ParameterizedTest
    @OneOf(5)
    @CsvSource({"HANDLER, PT0S", "HANDLER, PT30S", "HANDLER_AND_WAIT, PT0S", "VALUES, PT0S", "VALUES_AND_WAIT, PT0S"})
    void nothingIsLeft(Form form, String visibilityTimeout) throws Exception {
        GarbageStarts.require(List.of("bytes: 0")::equals, start -> Children.forGarbage().lines(Program.class,
                directory.resolve("start" + start), form, visibilityTimeout));
    }

    enum Form {
        HANDLER,
        HANDLER_AND_WAIT,
        VALUES,
        VALUES_AND_WAIT
    }

    private static final class FirstLong implements Codec<Long> {
        @Override
        public long size(Long value) {
            return BYTES;
        }

        @Override
        public void write(Long value, MemorySegment to) {
            to.fill((byte) 0).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
        }

        @Override
        public Long read(MemorySegment from) {
            return from.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        }
    }

    /** Reads again and again; prints the least garbage of many rounds. */
    static final class Program {
        private final Duration timeout = Duration.ofSeconds(1);
        private final RecordHandler handler = (_, payload, _) -> add(payload.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        private final ValueHandler<Long> values = (_, value, _) -> add(value);
        private long sum;

        public static void main(String[] arguments) throws InterruptedException {
            try (Queue queue = Queue.open(Path.of(arguments[0]).resolve("queue"),
                    new QueueOptions().segmentSize(32 << 20).keepBytes(Long.MAX_VALUE))) {
                TypedQueue<Long> typed = new TypedQueue<>(queue, new FirstLong());
                for (int i = 0; i < RECORDS; i++) {
                    // No object is made for such a small number.
                    typed.append((long) (i & 1));
                }
                ConsumerGroup group = queue.group("group",
                        new GroupOptions().visibilityTimeout(Duration.parse(arguments[2])));
                try (TypedConsumer<Long> consumer = typed.consumer("group")) {
                    System.out.println("bytes: " + new Program().least(group, consumer, Form.valueOf(arguments[1])));
                }
            }
        }

        private void add(long number) {
            sum += number;
        }

        private long least(ConsumerGroup group, TypedConsumer<Long> consumer, Form form) throws InterruptedException {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                group.seekToBeginning();
                long before = threads.getCurrentThreadAllocatedBytes();
                pollAll(consumer, form);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            if (group.lag().records() != 0 || sum != (long) ROUNDS * RECORDS / 2) {
                throw new AssertionError("lag " + group.lag().records() + ", sum " + sum);
            }
            return least;
        }

        private void pollAll(TypedConsumer<Long> consumer, Form form) throws InterruptedException {
            for (long batch = 0; batch < RECORDS / BATCH; batch++) {
                int count = switch (form) {
                    case HANDLER -> consumer.consumer().poll(BATCH, handler);
                    case HANDLER_AND_WAIT -> consumer.consumer().poll(BATCH, timeout, handler);
                    case VALUES -> consumer.poll(BATCH, values);
                    case VALUES_AND_WAIT -> consumer.poll(BATCH, timeout, values);
                };
                // One by one, and many.
                boolean isHeld = consumer.acknowledge(batch * BATCH);
                if (count != BATCH || !isHeld || consumer.acknowledgeUpTo(Long.MAX_VALUE) != BATCH - 1) {
                    throw new AssertionError(count + " records in batch " + batch);
                }
            }
        }
    }
}
