package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Many producers and consumers with records of all sizes: nothing is lost, doubled, or reordered within a producer.
 * {@code -Doutcrop.queue.stress.seconds=N} does so for N seconds.
 */
@Tag("verify")
class ProducersStressTest extends QueueFixture {
    private static final int SECONDS = TestSize.choose("outcrop.queue.stress.seconds", 1, 120);

    /** A queue that is used by everybody at once. */
    private static final class Stress {
        private static final int SEGMENT_SIZE = 64 << 10;
        private static final int LARGEST = SEGMENT_SIZE - 64 - 24;
        private static final int PRODUCERS = 6;
        /** Appended however slow the machine is. */
        private static final int LEAST_RECORDS = 3000;

        private final Queue queue;
        private final long seed;
        private final long end;
        private final AtomicLong appended = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();
        private final BitSet acknowledged = new BitSet();
        private final AtomicLong acknowledgedCount = new AtomicLong();
        private volatile boolean isOver;

        Stress(Queue queue, long seed, int seconds) {
            this.queue = queue;
            this.seed = seed;
            this.end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        }

        static QueueOptions options() {
            return new QueueOptions().segmentSize(SEGMENT_SIZE).maxBytes(10L * SEGMENT_SIZE).maxRecords(20_000);
        }

        void run() throws InterruptedException, ExecutionException {
            try (ExecutorService platform = Executors.newCachedThreadPool();
                    ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
                queue.group("ordered");
                queue.group("shared");
                List<Future<?>> producers = new ArrayList<>();
                List<Future<?>> consumers = new ArrayList<>();
                for (int i = 0; i < PRODUCERS; i++) {
                    int producer = i;
                    producers.add((i % 2 == 0 ? platform : virtual).submit(() -> guarded(() -> produce(producer))));
                }
                consumers.add(platform.submit(() -> guarded(this::consumeInOrder)));
                consumers.add(platform.submit(() -> guarded(() -> share(1))));
                consumers.add(virtual.submit(() -> guarded(() -> share(2))));
                consumers.add(platform.submit(() -> guarded(() -> share(3))));
                Polls.awaitAll(producers);
                isOver = true;
                Polls.awaitAll(consumers);
            }
        }

        /** A thread that fails ends it for all, since they would wait for it. */
        private boolean guarded(Work work) throws InterruptedException {
            try {
                work.run();
                return true;
            } catch (Throwable e) {
                e.printStackTrace();
                queue.close();
                throw e;
            }
        }

        private interface Work {
            void run() throws InterruptedException;
        }

        private int anySize(Random random) {
            return switch (random.nextInt(100)) {
                case 0 -> random.nextInt(LARGEST + 1);
                case 1 -> LARGEST - random.nextInt(10);
                case 2, 3, 4 -> 0;
                case 5, 6, 7, 8 -> random.nextInt(4000);
                default -> random.nextInt(200);
            };
        }

        private void produce(int producer) {
            Random random = new Random(seed + producer);
            long number = 0;
            long last = -1;
            while (System.nanoTime() < end || appended.get() < LEAST_RECORDS) {
                if (random.nextInt(200) == 0) {
                    refuseTooLarge(random);
                }
                if (random.nextInt(20) == 0) {
                    List<MemorySegment> batch = new ArrayList<>();
                    for (int i = random.nextInt(5); i >= 0; i--) {
                        batch.add(MemorySegment.ofArray(
                                Payloads.of(producer, number++, Payloads.SHORTEST + random.nextInt(500))));
                    }
                    long first = random.nextInt(10) == 0
                            ? queue.with(Durability.SYNCED).append(batch)
                            : queue.append(batch);
                    assertThat(first).isGreaterThan(last);
                    last = first + batch.size() - 1;
                    appended.addAndGet(batch.size());
                    continue;
                }
                int size = anySize(random);
                byte[] payload = Payloads.of(producer, number, size);
                long at = number;
                long offset = switch (random.nextInt(50)) {
                    case 0 -> queue.with(Durability.SYNCED).append(payload);
                    case 1, 2, 3, 4 -> queue.append(size, to -> Payloads.fill(to, producer, at));
                    case 5, 6, 7, 8 -> queue.append(ByteBuffer.wrap(payload));
                    case 9, 10, 11, 12 -> queue.append(MemorySegment.ofArray(payload));
                    default -> queue.append(payload);
                };
                assertThat(offset).isGreaterThan(last);
                last = offset;
                number += size >= Payloads.SHORTEST ? 1 : 0;
                appended.incrementAndGet();
            }
        }

        private void refuseTooLarge(Random random) {
            int size = LARGEST + 1 + random.nextInt(2 * SEGMENT_SIZE);
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(new byte[size]))
                    .withMessageContaining("A record of " + size + " bytes is larger than the " + LARGEST + " bytes");
            refused.incrementAndGet();
        }

        /** Sees every record exactly once, in order. */
        private void consumeInOrder() throws InterruptedException {
            long[] next = {0};
            Map<Integer, Long> numbers = new HashMap<>();
            try (Consumer consumer = queue.group("ordered").consumer()) {
                while (!isOver || next[0] < appended.get()) {
                    int count = consumer.poll(500, Duration.ofMillis(5), (offset, payload, deliveries) -> {
                        assertThat(offset).isEqualTo(next[0]);
                        assertThat(deliveries).isEqualTo(1);
                        next[0]++;
                        if (payload.byteSize() < Payloads.SHORTEST) {
                            Payloads.requireShortIntact(payload);
                            return;
                        }
                        Payloads.Id id = Payloads.intact(payload);
                        long expected = numbers.getOrDefault(id.producer(), 0L);
                        assertThat(id.number()).as("of producer %d", id.producer()).isEqualTo(expected);
                        numbers.put(id.producer(), expected + 1);
                    });
                    if (count > 0) {
                        consumer.acknowledgeUpTo(next[0] - 1);
                    }
                }
            }
            assertThat(next[0]).isEqualTo(appended.get()).isEqualTo(queue.nextOffset());
        }

        /** Shares the records with others, gives some back, and acknowledges each exactly once. */
        private void share(int number) throws InterruptedException {
            Random random = new Random(seed - number);
            List<Long> held = new ArrayList<>();
            try (Consumer consumer = queue.group("shared").consumer()) {
                while (!isOver || acknowledgedCount.get() < appended.get()) {
                    consumer.poll(1 + random.nextInt(300), Duration.ofMillis(5), (offset, payload, _) -> {
                        if (payload.byteSize() < Payloads.SHORTEST) {
                            Payloads.requireShortIntact(payload);
                        } else {
                            Payloads.intact(payload);
                        }
                        held.add(offset);
                    });
                    while (!held.isEmpty()) {
                        finish(consumer, held.remove(random.nextInt(held.size())), random);
                    }
                }
            }
        }

        private void finish(Consumer consumer, long offset, Random random) {
            if (random.nextInt(50) == 0) {
                assertThat(random.nextBoolean()
                        ? consumer.giveBack(offset)
                        : consumer.giveBack(offset, Duration.ofMillis(random.nextInt(3)))).isTrue();
                return;
            }
            assertThat(consumer.acknowledge(offset)).isTrue();
            synchronized (acknowledged) {
                assertThat(acknowledged.get((int) offset)).as("offset %d", offset).isFalse();
                acknowledged.set((int) offset);
            }
            acknowledgedCount.incrementAndGet();
        }
    }

    @Test
    void nothingIsLostDoubledOrReordered() throws Exception {
        long seed = TestSize.seed(getClass());
        try (Queue queue = Queue.open(directory(), Stress.options())) {
            Stress stress = new Stress(queue, seed, SECONDS);
            stress.run();
            assertThat(queue.nextOffset()).isEqualTo(stress.appended.get())
                    .isGreaterThanOrEqualTo(Stress.LEAST_RECORDS);
            assertThat(stress.refused).hasPositiveValue();
            assertThat(queue.statistics().rolls()).isGreaterThan(10);
            assertThat(queue.group("ordered").position()).isEqualTo(queue.nextOffset());
            assertThat(queue.group("shared").position()).isEqualTo(queue.nextOffset());
        }
        try (Queue queue = Queue.open(directory())) {
            assertThat(queue.group("ordered").lag().records()).isZero();
            assertThat(queue.group("shared").lag().records()).isZero();
        }
    }

    /** Does the same while the time of day jumps, and checks the times of the records. */
    static final class Jumping {
        static void main(String[] arguments) throws Exception {
            long jumps = 0;
            Instant before = Instant.EPOCH;
            try (Queue queue = Queue.open(Path.of(arguments[0]), Stress.options().keepFor(Duration.ofSeconds(1))
                    .durability(Durability.groupCommit(Duration.ofMillis(5), 1 << 20)))) {
                new Stress(queue, Long.parseLong(arguments[1]), 1).run();
                for (int i = 0; i < 300; i++) {
                    Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
                    jumps += now.isBefore(before) ? 1 : 0;
                    before = now;
                    queue.append(Payloads.of(0, i, 300));
                    Thread.sleep(1);
                }
                System.out.println("jumped " + (jumps > 3));
                requireOrder(queue);
            }
        }

        private static void requireOrder(Queue queue) {
            Instant last = Instant.EPOCH;
            int count = 0;
            try (Consumer consumer = queue.group("ordered").consumer()) {
                while (true) {
                    try (Delivery delivery = consumer.poll()) {
                        if (delivery == null) {
                            break;
                        }
                        if (delivery.time().isBefore(last)) {
                            System.out.println(
                                    "record " + delivery.offset() + " is of " + delivery.time() + ", after " + last);
                        }
                        last = delivery.time();
                        count++;
                    }
                }
            }
            System.out.println("in order " + count);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aClockThatJumpsHarmsNothing() throws Exception {
        long seed = TestSize.seed(getClass());
        assertThat(ChildJvm.shortLived().environment("LD_PRELOAD", WatchedDisk.library())
                .environment("OUTCROP_CLOCK_JUMPS", 1).lines(Jumping.class, directory(), seed)).as("seed %d", seed)
                .containsExactly("jumped true", "in order 300");
    }
}
