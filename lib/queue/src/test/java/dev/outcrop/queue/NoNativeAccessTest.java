package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import dev.outcrop.testsupport.ForeignMetadata;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Without native access, a queue works, but does not prepare its pages. */
@Tag("verify")
class NoNativeAccessTest {
    @TempDir
    private Path directory;

    static final class Program {
        private static final int RECORDS = 400;

        static void main(String[] arguments) throws Exception {
            requireDenied();
            Path path = Path.of(arguments[0]);
            for (boolean inBackground : new boolean[]{true, false}) {
                run(path.resolve("queue-" + inBackground), inBackground);
            }
            System.out.println("done");
        }

        @SuppressWarnings("restricted") // to find out whether it may be
        private static void requireDenied() {
            try {
                System.out.println("allowed " + MemorySegment.NULL.reinterpret(1));
            } catch (IllegalCallerException e) {
                System.out.println("denied");
            }
        }

        private static void run(Path path, boolean inBackground) throws Exception {
            QueueOptions options = new QueueOptions().segmentSize(16 << 10).backgroundThread(inBackground);
            try (Queue queue = Queue.open(path, options); Consumer consumer = queue.group("reader").consumer()) {
                for (int i = 0; i < RECORDS; i++) {
                    append(queue, i);
                }
                queue.sync();
                require(queue.durableOffset() == RECORDS, "everything is durable");
                read(consumer, 0, RECORDS / 2);
                consumer.acknowledgeUpTo(RECORDS / 2 - 1);
                // Records that were not acknowledged come again.
                read(consumer, RECORDS / 2, RECORDS - 10);
                try (Delivery delivery = consumer.poll(Duration.ofSeconds(10))) {
                    require(delivery != null && delivery.offset() == RECORDS - 10, "a delivery");
                }
            }
            try (Queue queue = Queue.open(path, options)) {
                require(queue.firstOffset() <= RECORDS / 2, "first offset");
                append(queue, RECORDS);
                try (Consumer consumer = queue.group("reader").consumer()) {
                    read(consumer, RECORDS / 2, RECORDS + 1);
                }
                queue.deleteGroup("reader");
                // To make files of zeros takes channels here, which an interrupt closes.
                Thread.currentThread().interrupt();
                queue.group("other");
                for (int i = RECORDS + 1; i < 2 * RECORDS; i++) {
                    require(queue.append(new byte[1000]) == i, "offset " + i);
                }
                require(Thread.interrupted(), "still interrupted");
            }
        }

        private static void append(Queue queue, int i) throws Exception {
            byte[] bytes = Payloads.of(0, i, Payloads.SHORTEST + i);
            long offset = switch (i % 6) {
                case 0 -> queue.append(bytes);
                case 1 -> queue.append(ByteBuffer.wrap(bytes));
                case 2 -> queue.append(bytes.length, payload -> Payloads.fill(payload, 0, i));
                case 3 -> queue.with(Durability.SYNCED).append(bytes);
                case 4 -> queue.async().append(MemorySegment.ofArray(bytes)).get();
                default -> queue.append(MemorySegment.ofArray(bytes));
            };
            require(offset == i, "offset " + offset);
        }

        private static void read(Consumer consumer, int from, int to) {
            int[] next = {from};
            while (next[0] < to) {
                int count = consumer.poll(to - next[0], (offset, payload, _) -> {
                    require(offset == next[0], "offset " + offset + " instead of " + next[0]);
                    require(Payloads.intact(payload).number() == next[0], "number");
                    require(payload.byteSize() == Payloads.SHORTEST + next[0], "size");
                    requireReadOnly(payload);
                    next[0]++;
                });
                require(count > 0, "record " + next[0]);
            }
        }

        private static void requireReadOnly(MemorySegment payload) {
            try {
                payload.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
                require(false, "read-only");
            } catch (IllegalArgumentException | UnsupportedOperationException e) {
                require(payload.isReadOnly(), "read-only");
            }
        }

        private static void require(boolean isTrue, String what) {
            if (!isTrue) {
                throw new AssertionError(what);
            }
        }
    }

    @Test
    void everythingWorks() throws Exception {
        assertThat(ChildJvm.bare().option("--illegal-native-access=deny").lines(Program.class, directory))
                .containsExactly("denied", "done");
    }

    @Test
    void whatOneWritesTheOtherReads() throws Exception {
        try (Queue queue = Queue.open(directory.resolve("queue"), new QueueOptions().segmentSize(16 << 10))) {
            for (int i = 0; i < Program.RECORDS; i++) {
                queue.append(Payloads.of(0, i, Payloads.SHORTEST + i));
            }
        }
        assertThat(ChildJvm.bare().option("--illegal-native-access=deny").lines(Reader.class,
                directory.resolve("queue"))).containsExactly("denied", "read");
    }

    static final class Reader {
        static void main(String[] arguments) {
            Program.requireDenied();
            try (Queue queue = Queue.open(Path.of(arguments[0]));
                    Consumer consumer = queue.group("reader").consumer()) {
                Program.read(consumer, 0, Program.RECORDS);
                System.out.println("read");
            }
        }
    }

    /** All native calls are made by module memory, whose jar says to GraalVM what they need. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void noNativeCallIsLinked() throws Exception {
        assertThat(ForeignMetadata.linked(ClassPath.placeOf(Queue.class), directory)).isEmpty();
    }
}
