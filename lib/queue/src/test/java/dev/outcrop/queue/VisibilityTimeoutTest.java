package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Records that consumers keep for too long come again. */
class VisibilityTimeoutTest extends OpenQueue {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofMinutes(5);

    private ConsumerGroup group(Duration timeout) {
        return queue.group("group", new GroupOptions().visibilityTimeout(timeout));
    }

    private static Delivery next(Consumer consumer) throws InterruptedException {
        return Objects.requireNonNull(consumer.poll(LONG));
    }

    @Test
    void whatIsKeptForTooLongComesAgainToWhomeverWaits() throws InterruptedException {
        Polls.append(queue, 2, 10);
        try (Consumer slow = group(LONG).consumer(); Consumer other = queue.group("group").consumer()) {
            try (Delivery done = next(slow); Delivery kept = nextWithin(SHORT, slow)) {
                assertThat(kept.offset()).isEqualTo(1);
                assertThat(done.acknowledge()).isTrue();
                try (Delivery again = next(other)) {
                    assertThat(again.offset()).isEqualTo(1);
                    assertThat(again.deliveries()).isEqualTo(2);
                    assertThat(again.extend(LONG)).isTrue();
                    assertThat(kept.acknowledge()).as("another one has it").isFalse();
                    assertThat(kept.giveBack()).isFalse();
                    assertThat(kept.extend(LONG)).isFalse();
                    assertThat(slow.acknowledge(new long[]{1})).isZero();
                    assertThat(slow.acknowledgeUpTo(Long.MAX_VALUE)).isZero();
                    assertThat(queue.group("group").inFlight()).isEqualTo(1);
                    assertThat(again.acknowledge()).isTrue();
                    assertThat(kept.acknowledge()).isFalse();
                }
            }
            assertThat(queue.group("group").position()).isEqualTo(2);
            assertThat(queue.statistics().timeouts()).isEqualTo(1);
        }
    }

    /** Returns the next delivery, with a timeout of its own: that of the others does not depend on how busy the machine is. */
    private Delivery nextWithin(Duration timeout, Consumer consumer) throws InterruptedException {
        group(timeout);
        Delivery delivery = next(consumer);
        group(LONG);
        return delivery;
    }

    @Test
    void asLongAsNobodyElseHasItWhatIsLateCanBeAcknowledged() throws InterruptedException {
        Polls.append(queue, 3, 10);
        ConsumerGroup group = group(LONG);
        try (Consumer consumer = group.consumer()) {
            assertThat(consumer.poll(3, Polls.SKIP)).isEqualTo(3);
            for (int i = 0; i < 3; i++) {
                assertThat(consumer.extend(i, SHORT)).isTrue();
            }
            Polls.waitWhile(() -> group.inFlight() > 0);
            assertThat(consumer.extend(0, LONG)).as("too late").isFalse();
            assertThat(consumer.giveBack(0)).as("too late").isFalse();
            assertThat(consumer.acknowledge(0)).isTrue();
            assertThat(consumer.acknowledge(0)).isFalse();
            assertThat(consumer.acknowledge(new long[]{1, 0, 1})).isEqualTo(1);
            assertThat(group.inFlight()).isZero();
            try (Delivery again = next(consumer)) {
                assertThat(again.offset()).isEqualTo(2);
                assertThat(again.acknowledge()).isTrue();
            }
            assertThat(consumer.poll()).isNull();
            assertThat(group.position()).isEqualTo(3);
            assertThat(group.lag().records()).isZero();
        }
    }

    @Test
    void anOldDeliveryDoesNotTouchANewerOneOfItsRecord() throws InterruptedException {
        Polls.append(queue, 1, 10);
        GroupOptions options = new GroupOptions().visibilityTimeout(SHORT).deadLetters(99, _ -> {
            throw new AssertionError("nothing dies");
        });
        ConsumerGroup group = queue.group("group", options);
        try (Consumer consumer = group.consumer(); Delivery old = next(consumer)) {
            sleepUntilLate(group);
            queue.group("group", options.visibilityTimeout(LONG));
            Delivery again = next(consumer);
            assertThat(again.offset()).isEqualTo(old.offset());
            assertThat(old.giveBack()).isFalse();
            assertThat(old.giveBack(LONG)).isFalse();
            assertThat(old.extend(LONG)).isFalse();
            assertThat(old.reject("no")).isFalse();
            assertThat(old.acknowledge()).isFalse();
            assertThat(group.inFlight()).isEqualTo(1);
            assertThat(again.extend(SHORT)).isTrue();
            sleepUntilLate(group);
            assertThat(old.acknowledge()).as("the newer one is late, and may still").isFalse();
            assertThat(again.acknowledge()).isTrue();
            assertThat(old.acknowledge()).isFalse();
            again.close();
            assertThat(group.position()).isEqualTo(1);
        }
    }

    /** Which it would, if the number of deliveries told them apart. */
    @Test
    void aDeliveryCountsAlsoWhenAPollThatIsLateDoesNotCount() throws InterruptedException {
        Polls.append(queue, 20, 10);
        ConsumerGroup group = group(SHORT);
        try (Consumer slow = group.consumer(); Consumer other = group.consumer()) {
            List<Delivery> taken = new ArrayList<>();
            assertThat(slow.poll(20, (offset, _, _) -> {
                sleepUntilLate(group(LONG));
                for (Delivery next = other.poll(); next != null; next = other.poll()) {
                    taken.add(next);
                }
            })).isEqualTo(1);
            assertThat(taken).hasSize(20);
            for (Delivery delivery : taken) {
                assertThat(delivery.acknowledge()).isTrue();
                delivery.close();
            }
            assertThat(group.position()).isEqualTo(20);
        }
    }

    /** That is a mistake then, as the record was given back. */
    @Test
    void whatWasGivenBackByItsOffsetIsAnotherDelivery() {
        Polls.append(queue, 1, 10);
        try (Consumer consumer = queue.group("group").consumer();
                Delivery old = Objects.requireNonNull(consumer.poll())) {
            assertThat(consumer.giveBack(0)).isTrue();
            try (Delivery again = Objects.requireNonNull(consumer.poll())) {
                assertThatIllegalArgumentException().isThrownBy(old::acknowledge);
                assertThatIllegalArgumentException().isThrownBy(old::giveBack);
                assertThat(again.acknowledge()).isTrue();
            }
        }
    }

    @Test
    void whatWasNeverDeliveredIsAMistakeStill() throws InterruptedException {
        Polls.append(queue, 3, 10);
        try (Consumer consumer = group(SHORT).consumer(); Consumer other = group(LONG).consumer()) {
            try (Delivery delivery = next(other)) {
                assertThatIllegalArgumentException().isThrownBy(() -> consumer.acknowledge(0));
                assertThatIllegalArgumentException().isThrownBy(() -> consumer.extend(1, SHORT));
                assertThat(delivery.giveBack()).isTrue();
                assertThatIllegalArgumentException().isThrownBy(() -> delivery.extend(SHORT));
                assertThatIllegalArgumentException().isThrownBy(() -> other.acknowledge(0));
            }
        }
    }

    @Test
    void withMoreTimeItDoesNotComeAgain() throws InterruptedException {
        Polls.append(queue, 2, 10);
        ConsumerGroup group = group(SHORT);
        try (Consumer consumer = group.consumer(); Consumer other = group.consumer()) {
            try (Delivery extended = extended(consumer); Delivery late = next(consumer)) {
                try (Delivery again = next(other)) {
                    assertThat(again.offset()).isEqualTo(late.offset());
                    assertThat(again.acknowledge()).isTrue();
                }
                assertThat(other.poll()).isNull();
                assertThat(extended.extend(SHORT)).as("less time").isTrue();
                try (Delivery again = next(other)) {
                    assertThat(again.offset()).isEqualTo(extended.offset());
                }
            }
        }
    }

    /** Extends the first delivery for which that is not too late already, as it may be on a busy machine. */
    private static Delivery extended(Consumer consumer) throws InterruptedException {
        Delivery delivery = next(consumer);
        while (!delivery.extend(LONG)) {
            delivery.close();
            delivery = next(consumer);
        }
        return delivery;
    }

    @Test
    void withoutAnOptionTimeIsOnlyLimitedByWhoSaysSo() throws InterruptedException {
        Polls.append(queue, 2, 10);
        ConsumerGroup group = queue.group("group");
        try (Consumer consumer = group.consumer(); Consumer other = group.consumer()) {
            try (Delivery kept = next(consumer); Delivery limited = next(consumer)) {
                assertThat(limited.extend(SHORT)).isTrue();
                try (Delivery again = next(other)) {
                    assertThat(again.offset()).isEqualTo(1);
                }
                queue.advance(Duration.ofDays(1));
                assertThat(other.poll()).isNull();
                assertThat(kept.acknowledge()).isTrue();
            }
        }
    }

    @Test
    void aHandlerIsNotShownWhatOthersMayHave() throws InterruptedException {
        Polls.append(queue, 100, 10);
        ConsumerGroup group = group(SHORT);
        List<Long> seen = new ArrayList<>();
        try (Consumer slow = group.consumer(); Consumer other = group.consumer()) {
            int shown;
            do {
                group.seekToBeginning();
                shown = slow.poll(100, (offset, _, _) -> {
                    if (offset == 2) {
                        sleepUntilLate(group);
                    }
                });
                // On a busy machine it may be late before that.
            } while (shown < 3);
            assertThat(shown).isEqualTo(3);
            group(LONG);
            other.poll(1000, (offset, _, deliveries) -> {
                assertThat(deliveries).isEqualTo(offset < 3 ? 2 : 1);
                seen.add(offset);
                other.acknowledge(offset);
            });
            assertThat(seen).hasSize(100);
            assertThat(group.position()).isEqualTo(100);
        }
    }

    private static void sleepUntilLate(ConsumerGroup group) {
        Uninterrupted.await(() -> Polls.waitWhile(() -> group.inFlight() > 0));
    }

    @Test
    void movingTheGroupAndClosingTheConsumerForgetTheTime() throws InterruptedException {
        Polls.append(queue, 1, 10);
        // Long, so that it does not pass on a busy machine before it is forgotten.
        ConsumerGroup group = group(LONG);
        try (Consumer other = group.consumer()) {
            Consumer closed = group.consumer();
            try (Delivery kept = next(closed)) {
                closed.close();
                assertThatIllegalStateException().isThrownBy(() -> kept.extend(SHORT));
            }
            try (Delivery kept = next(other)) {
                assertThat(kept.deliveries()).isEqualTo(2);
                group.seekToBeginning();
                assertThat(kept.extend(SHORT)).isFalse();
            }
            try (Delivery again = next(other)) {
                assertThat(again.deliveries()).isEqualTo(1);
                assertThat(again.acknowledge()).isTrue();
            }
            assertThat(queue.statistics().timeouts()).isZero();
        }
    }

    @Test
    void timesThatCannotBeAreRefused() throws InterruptedException {
        Polls.append(queue, 1, 10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupOptions().visibilityTimeout(Duration.ofNanos(-1)))
                .withMessageContaining("visibilityTimeout must not be negative");
        try (Consumer consumer = group(Duration.ofSeconds(Long.MAX_VALUE)).consumer();
                Delivery delivery = next(consumer)) {
            assertThat(delivery.extend(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
            assertThatIllegalArgumentException().isThrownBy(() -> delivery.extend(Duration.ZERO))
                    .withMessageContaining("giveBack");
            assertThatIllegalArgumentException().isThrownBy(() -> delivery.extend(SHORT.negated()));
            assertThat(delivery.acknowledge()).isTrue();
            assertThat(delivery.extend(SHORT)).isFalse();
        }
    }

    @Test
    void eachRecordIsAcknowledgedOnce() throws Exception {
        long seed = TestSize.seed(getClass());
        int records = 20_000;
        Polls.append(queue, records, 10);
        AtomicIntegerArray acknowledged = new AtomicIntegerArray(records);
        AtomicInteger left = new AtomicInteger(records);
        ConsumerGroup group = group(Duration.ofMillis(3));
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int t = 0; t < 6; t++) {
                Random random = new Random(seed + t);
                running.add(threads.submit(() -> {
                    consume(group, random, acknowledged, left);
                    return null;
                }));
            }
            Polls.awaitAll(running);
        }
        for (int i = 0; i < records; i++) {
            assertThat(acknowledged.get(i)).as("seed %d, record %d", seed, i).isEqualTo(1);
        }
        assertThat(group.position()).isEqualTo(records);
        assertThat(group.inFlight()).isZero();
        assertThat(queue.statistics().timeouts()).as("seed %d", seed).isPositive();
    }

    private static void consume(ConsumerGroup group, Random random, AtomicIntegerArray acknowledged,
            AtomicInteger left) throws InterruptedException {
        try (Consumer consumer = group.consumer()) {
            while (left.get() > 0) {
                if (random.nextBoolean()) {
                    consumer.poll(1 + random.nextInt(50), Duration.ofMillis(5), (offset, payload, _) -> {
                        assertThat(payload.get(ValueLayout.JAVA_BYTE, 0)).isZero();
                        acknowledge(consumer, offset, random, acknowledged, left);
                    });
                } else {
                    try (Delivery delivery = consumer.poll(Duration.ofMillis(5))) {
                        if (delivery != null) {
                            acknowledge(consumer, delivery.offset(), random, acknowledged, left);
                        }
                    }
                }
            }
        }
    }

    private static void acknowledge(Consumer consumer, long offset, Random random, AtomicIntegerArray acknowledged,
            AtomicInteger left) {
        int what = random.nextInt(100);
        if (what == 0) {
            try {
                Thread.sleep(4);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        } else if (what == 1) {
            return;
        } else if (what == 2) {
            boolean _ = consumer.giveBack(offset);
            return;
        } else if (what == 3) {
            boolean _ = consumer.extend(offset, Duration.ofMillis(1));
        }
        if (consumer.acknowledge(offset)) {
            acknowledged.incrementAndGet((int) offset);
            left.decrementAndGet();
        }
    }
}
