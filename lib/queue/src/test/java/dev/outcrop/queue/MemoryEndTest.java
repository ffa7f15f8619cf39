package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue goes on after its callers had no memory left. */
@Tag("nightly")
class MemoryEndTest {
    @TempDir
    private Path temporary;

    @Test
    void everythingWorksAfterItWasCalledWithoutMemory() throws Exception {
        assertThat(Children.withMemory("12m").lines(Program.class, temporary.resolve("queue"))).containsExactly("fine");
    }

    /** Each thread appends with less and less memory left, down to none: a thread's first append makes most objects. */
    static final class Program {
        private static final int THREADS = 30;
        private static final int RECORDS = 10 * THREADS;

        private final long[] offsets = new long[RECORDS];
        private final byte[] bytes = new byte[Long.BYTES];
        private final MemorySegment payload = MemorySegment.ofArray(bytes);
        private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        private final List<MemorySegment> several = List.of(payload, payload, payload);
        private final boolean[] isAcknowledged = new boolean[RECORDS * 3];
        private final Hoard hoard = new Hoard();
        private int id;
        private int failures;
        private boolean isTwice;

        public static void main(String[] arguments) throws Exception {
            new Program().run(Path.of(arguments[0]));
            System.out.println("fine");
            System.out.flush();
        }

        private void run(Path directory) throws Exception {
            Arrays.fill(offsets, -1);
            try (Queue queue = Queue.open(directory, new QueueOptions().segmentSize(16 << 10).keepBytes(1 << 30))) {
                ConsumerGroup group = queue.group("group");
                try (Consumer consumer = group.consumer()) {
                    for (int i = 0; i < THREADS; i++) {
                        int left = THREADS - i;
                        Thread thread = Thread.ofPlatform().start(() -> {
                            try {
                                hoard.take(16 * left);
                                use(queue, consumer);
                            } catch (OutOfMemoryError e) {
                                failures++;
                            }
                        });
                        thread.join();
                        hoard.free();
                    }
                }
                require(failures > THREADS / 10, "only " + failures + " failures");
                require(!isTwice, "acknowledged, and delivered again");
                queue.with(Durability.SYNCED).append(bytes);
                drain(group);
                require(group.lag().records() == 0, "lag " + group.lag().records());
            }
            QueueCheck check = QueueFiles.verify(directory);
            require(check.isSound(), check.damages().toString());
            try (Queue again = Queue.open(directory)) {
                require(again.group("group").lag().records() == 0, "lag after opening again");
                checkRecords(again);
            }
        }

        private void use(Queue queue, Consumer consumer) {
            for (int form = 0; form < 8; form++) {
                int mine = id++;
                fill(mine);
                try {
                    switch (form) {
                        case 0 -> offsets[mine] = queue.append(bytes);
                        case 1 -> offsets[mine] = queue.append(payload);
                        case 2 -> offsets[mine] = queue.append(buffer);
                        case 3 -> offsets[mine] = queue.append(payload, MemorySegment.NULL);
                        case 4 -> offsets[mine] = queue.append(Long.BYTES, to -> to.copyFrom(payload));
                        case 5 -> offsets[mine] = queue.append(several);
                        case 6 -> consumer.poll(4, (offset, _, _) -> {
                            isTwice |= isAcknowledged[(int) offset];
                            isAcknowledged[(int) offset] |= consumer.acknowledge(offset);
                        });
                        default -> pollOne(consumer);
                    }
                } catch (OutOfMemoryError e) {
                    failures++;
                }
            }
        }

        private void pollOne(Consumer consumer) {
            Delivery delivery = consumer.poll();
            if (delivery != null) {
                int offset = (int) delivery.offset();
                isTwice |= isAcknowledged[offset];
                isAcknowledged[offset] |= delivery.acknowledge();
                delivery.close();
            }
        }

        private void fill(int number) {
            for (int i = 0; i < Integer.BYTES; i++) {
                bytes[i] = (byte) (number >> (8 * i));
            }
        }

        private void drain(ConsumerGroup group) {
            try (Consumer rest = group.consumer()) {
                while (rest.poll(1000, (offset, _, _) -> isTwice |= isAcknowledged[(int) offset]) > 0) {
                    int _ = rest.acknowledgeUpTo(Long.MAX_VALUE);
                }
            }
            require(!isTwice, "acknowledged, and delivered again");
        }

        private void checkRecords(Queue queue) {
            int[] found = new int[(int) queue.nextOffset()];
            Arrays.fill(found, -1);
            try (Consumer all = queue.group("all").consumer()) {
                while (all.poll(1000, (offset, record, _) -> found[(int) offset] = (int) record
                        .get(ValueLayout.JAVA_LONG_UNALIGNED, 0)) > 0) {
                    int _ = all.acknowledgeUpTo(Long.MAX_VALUE);
                }
            }
            for (int i = 0; i < id; i++) {
                require(offsets[i] < 0 || found[(int) offsets[i]] == i, "record " + offsets[i] + " should be " + i
                        + ", and is " + (offsets[i] < 0 ? 0 : found[(int) offsets[i]]));
            }
        }

        private static void require(boolean is, String what) {
            if (!is) {
                throw new AssertionError(what);
            }
        }
    }
}
