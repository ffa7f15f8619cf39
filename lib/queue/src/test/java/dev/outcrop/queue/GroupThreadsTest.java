package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several producers, consumers and groups at the same time. After a failure, some threads may wait without an end. */
@Tag("verify")
class GroupThreadsTest extends QueueFixture {
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 4;
    private static final int RECORDS = TestSize.choose("outcrop.group.records", 10_000, 300_000);
    private static final Duration WAIT = Duration.ofMillis(20);

    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private interface Task {
        void run() throws Exception;
    }

    private void start(boolean isVirtual, Task task) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (Throwable e) {
                failures.add(e);
            }
        };
        threads.add(isVirtual ? Thread.ofVirtual().start(guarded) : Thread.ofPlatform().daemon().start(guarded));
    }

    private void join() throws InterruptedException {
        Polls.joinAll(threads);
        threads.clear();
        assertThat(failures).isEmpty();
    }

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(1 << 16).maxRecords(5000);
    }

    private void startProducers(Queue queue, boolean isVirtual) {
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            start(isVirtual, () -> {
                for (int i = producer; i < RECORDS; i += PRODUCERS) {
                    Polls.append(queue, Integer.toString(i));
                }
            });
        }
    }

    /** One group with consumers that never give records back, one with a single consumer, one that does all that can go wrong. */
    @ParameterizedTest
    @OneOf(2)
    @ValueSource(booleans = {false, true})
    void eachGroupDoesEachRecordOnce(boolean isVirtual) throws Exception {
        try (Queue queue = Queue.open(directory(), options())) {
            // Made before the first record, so that none is missed.
            ConsumerGroup shared = queue.group("shared");
            ConsumerGroup single = queue.group("single");
            ConsumerGroup troubled = queue.group("troubled");
            startProducers(queue, isVirtual);

            AtomicIntegerArray seen = new AtomicIntegerArray(RECORDS);
            AtomicInteger left = new AtomicInteger(RECORDS);
            for (int c = 0; c < CONSUMERS; c++) {
                start(isVirtual, () -> share(shared, seen, left));
            }
            List<Integer> inOrder = new ArrayList<>();
            start(isVirtual, () -> followAlone(single, inOrder));
            AtomicIntegerArray done = new AtomicIntegerArray(RECORDS);
            AtomicInteger notDone = new AtomicInteger(RECORDS);
            for (int c = 0; c < CONSUMERS; c++) {
                long seed = TestSize.seed(getClass()) + c;
                start(isVirtual, () -> stumble(troubled, done, notDone, new Random(seed)));
            }
            join();

            for (int i = 0; i < RECORDS; i++) {
                assertThat(seen.get(i)).as("record %d of the shared group", i).isEqualTo(1);
                assertThat(done.get(i)).as("record %d of the troubled group", i).isEqualTo(1);
            }
            assertOrderWithinProducers(inOrder);
            for (ConsumerGroup group : List.of(shared, single, troubled)) {
                assertThat(group.position()).isEqualTo(RECORDS);
                assertThat(group.lag().records()).isZero();
                assertThat(group.inFlight()).isZero();
            }
        }
        try (Queue queue = Queue.open(directory(), options())) {
            for (String name : queue.groups()) {
                assertThat(queue.group(name).position()).isEqualTo(RECORDS);
                assertThat(Polls.poll(queue.group(name).consumer(), 1)).isEmpty();
            }
        }
    }

    private static void share(ConsumerGroup group, AtomicIntegerArray seen, AtomicInteger left)
            throws InterruptedException {
        try (Consumer consumer = group.consumer()) {
            while (left.get() > 0) {
                consumer.poll(100, WAIT, (_, payload, deliveries) -> {
                    assertThat(deliveries).isEqualTo(1);
                    seen.incrementAndGet(Integer.parseInt(Polls.text(payload)));
                    left.decrementAndGet();
                });
                consumer.acknowledgeUpTo(Long.MAX_VALUE);
            }
        }
    }

    private static void followAlone(ConsumerGroup group, List<Integer> inOrder) throws InterruptedException {
        try (Consumer consumer = group.consumer()) {
            while (inOrder.size() < RECORDS) {
                try (Delivery delivery = consumer.poll(WAIT)) {
                    if (delivery != null) {
                        assertThat(delivery.offset()).isEqualTo(inOrder.size());
                        inOrder.add(Integer.parseInt(Polls.text(delivery.segment())));
                        delivery.acknowledge();
                    }
                }
            }
        }
    }

    private static void stumble(ConsumerGroup group, AtomicIntegerArray done, AtomicInteger notDone, Random random)
            throws InterruptedException {
        while (notDone.get() > 0) {
            try (Consumer consumer = group.consumer()) {
                for (int i = 0; i < 20 && notDone.get() > 0; i++) {
                    stumble(consumer, done, notDone, random);
                }
                // The others get the records that it still holds.
            }
        }
    }

    private static void stumble(Consumer consumer, AtomicIntegerArray done, AtomicInteger notDone, Random random)
            throws InterruptedException {
        try {
            consumer.poll(1 + random.nextInt(200), WAIT, (offset, payload, _) -> {
                int number = Integer.parseInt(Polls.text(payload));
                switch (random.nextInt(100)) {
                    case 0 -> throw new UnsupportedOperationException("on purpose");
                    case 1 -> consumer.giveBack(offset);
                    case 2 -> consumer.giveBack(offset, Duration.ofNanos(random.nextInt(3_000_000)));
                    case 3 -> {
                        // Forgotten until the consumer is closed.
                    }
                    default -> {
                        if (consumer.acknowledge(offset)) {
                            done.incrementAndGet(number);
                            notDone.decrementAndGet();
                        }
                    }
                }
            });
        } catch (UnsupportedOperationException e) {
            assertThat(e).hasMessage("on purpose");
        }
    }

    private static void assertOrderWithinProducers(List<Integer> numbers) {
        assertThat(numbers).hasSize(RECORDS);
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            assertThat(numbers.stream().filter(n -> n % PRODUCERS == producer)).isSorted().doesNotHaveDuplicates();
        }
    }

    /** Moving, deleting and making groups while others poll and append: nothing is promised but that nothing breaks. */
    @ParameterizedTest
    @OneOf(2)
    @ValueSource(booleans = {false, true})
    void movingAndDeletingWhileOthersPoll(boolean isVirtual) throws Exception {
        try (Queue queue = Queue.open(directory(), new QueueOptions().segmentSize(8192))) {
            queue.group("moved");
            startProducers(queue, isVirtual);
            AtomicInteger running = new AtomicInteger(2);
            for (int c = 0; c < 2; c++) {
                start(isVirtual, () -> {
                    try (Consumer consumer = queue.group("moved").consumer()) {
                        for (int i = 0; i < 2000; i++) {
                            consumer.poll(50, (offset, payload, _) -> {
                                assertThat(Integer.parseInt(Polls.text(payload))).isBetween(0, RECORDS - 1);
                                // Whether or not the group was moved in between.
                                consumer.acknowledge(offset);
                            });
                        }
                    } finally {
                        running.decrementAndGet();
                    }
                });
            }
            long seed = TestSize.seed(getClass());
            start(isVirtual, () -> disturb(queue, running, new Random(seed)));
            join();
            ConsumerGroup moved = queue.group("moved");
            long from = moved.seekToBeginning();
            if (from < queue.nextOffset()) {
                assertThat(Polls.offsets(moved.consumer())).first().isEqualTo(from);
            }
        }
    }

    private static void disturb(Queue queue, AtomicInteger running, Random random) {
        while (running.get() > 0) {
            ConsumerGroup moved = queue.group("moved");
            switch (random.nextInt(5)) {
                case 0 -> moved.seekToBeginning();
                case 1 -> moved.seekToEnd();
                case 2 -> moved.seek(random.nextInt((int) queue.nextOffset() + 1));
                case 3 -> queue.deleteGroup("passing");
                default -> {
                    try (Consumer passing = queue.group("passing").consumer()) {
                        Polls.take(passing, 100);
                    }
                }
            }
        }
    }
}
