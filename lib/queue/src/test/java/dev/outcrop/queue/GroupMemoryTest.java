package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups in JVMs with little memory. */
@Tag("nightly")
class GroupMemoryTest {
    private static final int RECORDS = 40_000;
    /** With so many records delivered, a group must make more room for the next one. */
    private static final int FULL = 32_768;
    private static final int PIECE = 32 << 10;
    private static final int WITHDRAWN = 1_500_000;

    @TempDir
    private Path directory;

    @Test
    void nothingIsLostWhenThereIsNoMemoryForTheWindow() throws Exception {
        assertThat(Children.withMemory("16m").lines(Scarce.class, directory.resolve("queue"))).singleElement()
                .asString().matches("failures: [1-9]\\d*");
    }

    /** Lets memory run out where a group needs more, with more and less of it left. */
    static final class Scarce {
        private final int[] deliveries = new int[RECORDS];
        private final List<byte[]> pieces = new ArrayList<>(1024);

        public static void main(String[] arguments) {
            int failures = 0;
            try (Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(4 << 20)
                    .keepBytes(Long.MAX_VALUE).backgroundThread(false))) {
                for (int i = 0; i < RECORDS; i++) {
                    queue.append(new byte[8]);
                }
                for (int left = 24; left > 0; left--) {
                    ConsumerGroup group = queue.group("left " + left);
                    try (Consumer consumer = group.consumer()) {
                        failures += new Scarce().deliver(consumer, left);
                    }
                    if (group.lag().records() != 0 || group.position() != RECORDS) {
                        throw new AssertionError("lag " + group.lag().records() + ", position " + group.position());
                    }
                    queue.deleteGroup(group.name());
                }
            }
            System.out.println("failures: " + failures);
        }

        private int deliver(Consumer consumer, int left) {
            poll(consumer, FULL);
            fillMemory(left);
            int failures = 0;
            try {
                poll(consumer, 1);
            } catch (OutOfMemoryError _) {
                failures = 1;
            }
            pieces.clear();
            poll(consumer, RECORDS);
            for (int offset = 0; offset < RECORDS; offset++) {
                if (deliveries[offset] != 1) {
                    throw new AssertionError("record " + offset + " was delivered " + deliveries[offset] + " times");
                }
            }
            int acknowledged = consumer.acknowledgeUpTo(Long.MAX_VALUE);
            if (acknowledged != RECORDS) {
                throw new AssertionError(acknowledged + " were acknowledged");
            }
            return failures;
        }

        private void fillMemory(int left) {
            try {
                while (true) {
                    pieces.add(new byte[PIECE]);
                }
            } catch (OutOfMemoryError _) {
                for (int i = 0; i < left; i++) {
                    pieces.removeLast();
                }
            }
        }

        private void poll(Consumer consumer, int max) {
            int polled = 0;
            int now;
            do {
                now = consumer.poll(max - polled, (offset, _, _) -> deliveries[(int) offset]++);
                polled += now;
            } while (now > 0 && polled < max);
        }
    }

    @Test
    void manyWithdrawnRecordsTakeNoMemory() throws Exception {
        assertThat(Children.withMemory("16m").lines(Withdrawn.class, directory.resolve("queue"))).containsExactly("0",
                Integer.toString(WITHDRAWN + 1), Integer.toString(WITHDRAWN + 1));
    }

    /** Reads records before and behind more withdrawn records than there is memory for. */
    static final class Withdrawn {
        public static void main(String[] arguments) {
            try (Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(4 << 20))) {
                queue.append(new byte[1]);
                IllegalStateException failure = new IllegalStateException("withdrawn");
                RecordWriter failing = _ -> {
                    throw failure;
                };
                for (int i = 0; i < WITHDRAWN; i++) {
                    try {
                        queue.append(0, failing);
                    } catch (IllegalStateException e) {
                        if (!"withdrawn".equals(e.getMessage())) {
                            throw e;
                        }
                    }
                }
                queue.append(new byte[1]);
                ConsumerGroup behind = queue.group("behind");
                behind.seek(1);
                try (Consumer consumer = queue.group("group").consumer(); Consumer other = behind.consumer()) {
                    print(consumer);
                    print(consumer);
                    consumer.acknowledge(0);
                    print(consumer);
                    print(other);
                }
            }
        }

        private static void print(Consumer consumer) {
            consumer.poll(5, (offset, _, _) -> System.out.println(offset));
        }
    }

    @Test
    void recordThatThereIsNoMemoryForIsGivenBack() throws Exception {
        // Not compiled: then it needs as much memory each time.
        assertThat(Children.withMemory("16m").option("-Xint").lines(Single.class, directory.resolve("queue")))
                .containsExactly("failed true", "given back true");
    }

    /** Polls one by one, with more and less memory left. */
    static final class Single {
        private static @Nullable Object @Nullable [] taken;

        public static void main(String[] arguments) {
            int failures = 0;
            try (Queue queue = Queue.open(Path.of(arguments[0]),
                    new QueueOptions().segmentSize(64 << 10).backgroundThread(false));
                    Consumer consumer = queue.group("group").consumer()) {
                for (int left = 0; left < 600; left += 8) {
                    queue.append(new byte[500]);
                    failures += poll(consumer, left) ? 0 : 1;
                    if (consumer.group().inFlight() != 0) {
                        throw new AssertionError("with " + left + " bytes left, somebody holds a record");
                    }
                    try (Delivery delivery = consumer.poll()) {
                        if (delivery == null || delivery.deliveries() > 2) {
                            throw new AssertionError("with " + left + " bytes left, it does not come again");
                        }
                        consumer.acknowledge(delivery.offset());
                    }
                }
                // And nothing keeps their file.
                for (int i = 0; i < 300; i++) {
                    queue.append(new byte[500]);
                    try (Delivery _ = consumer.poll()) {
                        consumer.acknowledgeUpTo(Long.MAX_VALUE);
                    }
                }
                System.out.println("failed " + (failures > 0));
                System.out.println("given back " + (queue.firstOffset() > 0));
            }
        }

        /** Returns whether there was memory enough. */
        private static boolean poll(Consumer consumer, int left) {
            Object[] rest = {new byte[left]};
            fillMemory();
            rest[0] = "";
            Delivery delivery = null;
            try {
                delivery = consumer.poll();
            } catch (OutOfMemoryError _) {
                taken = null;
            }
            taken = null;
            if (delivery != null) {
                consumer.giveBack(delivery.offset());
                delivery.close();
            }
            return delivery != null;
        }

        private static void fillMemory() {
            for (int size = 1 << 20; size > 0; size /= 16) {
                try {
                    while (true) {
                        @Nullable
                        Object[] more = new @Nullable Object[size];
                        more[0] = taken;
                        taken = more;
                    }
                } catch (OutOfMemoryError _) {
                    // Smaller ones, then.
                }
            }
        }
    }
}
