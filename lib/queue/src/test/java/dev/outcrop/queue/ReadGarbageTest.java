package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading in place leaves nothing for the collector, though the JIT compiler removes no object. Going on to another file does. */
@Tag("verify")
class ReadGarbageTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @OneOf(3)
    @EnumSource
    void nothingIsLeft(Form form) throws Exception {
        assertNothingIsLeft(form, ReadVerification.FIRST_READ);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource("VISIT")
    void nothingIsLeftWhereEachRecordIsChecked(Form form) throws Exception {
        assertNothingIsLeft(form, ReadVerification.ALWAYS);
    }

    private void assertNothingIsLeft(Form form, ReadVerification verification) throws Exception {
        assertThat(Children.forGarbage().option("-XX:-DoEscapeAnalysis").lines(Program.class, directory, form,
                verification)).containsExactly("bytes: 0");
    }

    enum Form {
        VISIT,
        VISIT_AND_WAIT,
        TAILER
    }

    /** Reads again and again; prints the least garbage of many rounds. */
    static final class Program {
        private static final int RECORDS = 20_000;
        private static final int BATCH = 100;
        private static final int ROUNDS = 60;

        private final MemorySegment buffer = Arena.global().allocate(64);
        private final Duration timeout = Duration.ofSeconds(1);
        private long sum;
        private long last;

        public static void main(String[] arguments) throws InterruptedException {
            Path path = Path.of(arguments[0]).resolve("queue");
            Form form = Form.valueOf(arguments[1]);
            try (Queue queue = Queue.open(path, new QueueOptions().segmentSize(4 << 20).keepBytes(Long.MAX_VALUE)
                    .verifyReads(ReadVerification.valueOf(arguments[2])))) {
                for (int i = 0; i < RECORDS; i++) {
                    queue.append(new byte[64]);
                }
                System.out.println("bytes: " + new Program().least(queue, path, form));
            }
        }

        private long least(Queue queue, Path path, Form form) throws InterruptedException {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            ConsumerGroup group = queue.group("group");
            try (Consumer consumer = group.consumer(); Tailer tailer = Tailer.open(path)) {
                RecordVisitor visitor = record -> see(consumer, record);
                for (int round = 0; round < ROUNDS; round++) {
                    group.seekToBeginning();
                    tailer.seekToBeginning();
                    // It has opened the file, and makes the checksum cursor with the first record.
                    tail(tailer, 1);
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < RECORDS / BATCH; i++) {
                        switch (form) {
                            case VISIT -> acknowledge(consumer, consumer.visit(BATCH, visitor));
                            case VISIT_AND_WAIT -> acknowledge(consumer, consumer.visit(BATCH, timeout, visitor));
                            case TAILER -> tail(tailer, BATCH - 1);
                        }
                    }
                    least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                }
            }
            if (sum != 0 || (form != Form.TAILER && group.lag().records() != 0)) {
                throw new AssertionError("sum " + sum + ", lag " + group.lag());
            }
            return least;
        }

        private void see(Consumer consumer, RecordView record) {
            sum += record.get(ValueLayout.JAVA_LONG_UNALIGNED, 8) + record.get(buffer) - record.size();
            last = record.offset();
            if ((last & 7) == 0) {
                boolean _ = consumer.acknowledge(last);
            }
        }

        private void acknowledge(Consumer consumer, int count) {
            if (count != BATCH || consumer.acknowledgeUpTo(last) == 0) {
                throw new AssertionError(count + " records up to " + last);
            }
        }

        private void tail(Tailer tailer, int count) {
            for (int i = 0; i < count; i++) {
                if (!tailer.poll()) {
                    throw new AssertionError("There is no record " + tailer.nextOffset());
                }
                sum += tailer.view().get(ValueLayout.JAVA_LONG_UNALIGNED, 8);
            }
        }
    }
}
