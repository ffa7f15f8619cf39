package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Groups that get records only some time after they were appended. */
class GroupDelayTest extends OpenQueue {
    private static final Duration DELAY = Duration.ofHours(1);
    /** For a test that really waits. */
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(5);

    private ConsumerGroup group(Duration delay) {
        return queue.group("group", new GroupOptions().delay(delay));
    }

    @Test
    void recordsComeInTheirOrderWhenTheyAreDue() throws InterruptedException {
        try (Consumer consumer = group(DELAY).consumer(); Consumer atOnce = queue.group("at once").consumer()) {
            for (int i = 0; i < 30; i++) {
                queue.append(new byte[1000]);
                if (i % 10 == 9) {
                    assertThat(Polls.offsets(consumer)).isEmpty();
                    queue.advance(DELAY.dividedBy(3));
                }
            }
            assertThat(Polls.offsets(atOnce)).isEqualTo(range(0, 30));
            for (int i = 0; i < 10; i++) {
                try (Delivery delivery = Objects.requireNonNull(consumer.poll(LONG))) {
                    assertThat(delivery.offset()).isEqualTo(i);
                    assertThat(delivery.acknowledge()).isTrue();
                }
            }
            assertThat(Polls.offsets(consumer)).isEmpty();
            queue.advance(DELAY.dividedBy(3));
            assertThat(Polls.offsets(consumer)).isEqualTo(range(10, 20));
            queue.advance(DELAY.dividedBy(3));
            assertThat(Polls.offsets(consumer)).isEqualTo(range(20, 30));
        }
    }

    @Test
    void whatIsDeliveredAgainIsNotDelayed() throws InterruptedException {
        queue.append(new byte[1]);
        try (Consumer consumer = group(SHORT).consumer()) {
            try (Delivery delivery = Objects.requireNonNull(consumer.poll(LONG))) {
                assertThat(Instant.now()).isAfterOrEqualTo(delivery.time().plus(SHORT));
                queue.append(new byte[1]);
                assertThat(delivery.giveBack()).isTrue();
            }
            try (Delivery again = Objects.requireNonNull(consumer.poll())) {
                assertThat(again.offset()).isZero();
            }
        }
    }

    /** The time of a record is in the queue's files, and nothing else is needed. */
    @Test
    void itSurvivesARestart() throws InterruptedException {
        try (Consumer consumer = group(LONG).consumer()) {
            queue.append(new byte[1]);
            assertThat(consumer.poll()).isNull();
        }
        reopen();
        try (Consumer consumer = group(LONG).consumer()) {
            assertThat(consumer.poll()).isNull();
            assertThat(queue.group("group").lag().records()).isEqualTo(1);
        }
        try (Consumer consumer = group(DELAY).consumer()) {
            assertThat(consumer.poll()).isNull();
            queue.advance(DELAY);
            assertThat(Polls.offsets(consumer)).containsExactly(0L);
        }
    }

    @Test
    void whoeverWaitsIsWokenByAShorterDelayAndByAMove() throws Exception {
        ConsumerGroup group = group(LONG);
        try (Consumer consumer = group.consumer()) {
            queue.append(new byte[1]);
            assertThat(consumer.poll()).isNull();
            FutureTask<Long> waiting = new FutureTask<>(() -> {
                try (Delivery delivery = Objects.requireNonNull(consumer.poll(LONG))) {
                    return delivery.offset();
                }
            });
            Thread thread = Thread.ofVirtual().start(waiting);
            Polls.untilWaiting(thread);
            assertThat(group(Duration.ZERO)).isSameAs(group);
            assertThat(waiting.get()).isZero();
            group.seekToBeginning();
            assertThat(consumer.poll(10, (_, _, deliveries) -> assertThat(deliveries).isEqualTo(1))).isEqualTo(1);
        }
    }

    @Test
    void withdrawnAndAcknowledgedRecordsDoNotMatter() throws InterruptedException {
        try (Consumer consumer = queue.group("group").consumer()) {
            Polls.append(queue, 3, 1);
            assertThat(consumer.poll(3, Polls.SKIP)).isEqualTo(3);
            assertThat(consumer.acknowledge(1)).isTrue();
        }
        reopen();
        assertThatIllegalArgumentException().isThrownBy(() -> queue.append(1, _ -> {
            throw new IllegalArgumentException("withdrawn");
        }));
        queue.append(new byte[1]);
        try (Consumer consumer = group(DELAY).consumer()) {
            assertThat(Polls.offsets(consumer)).isEmpty();
            queue.advance(DELAY);
            assertThat(Polls.offsets(consumer)).containsExactly(0L, 2L, 4L);
            assertThat(consumer.acknowledgeUpTo(4)).isEqualTo(3);
            assertThat(queue.group("group").position()).isEqualTo(5);
        }
    }

    @Test
    void delaysThatCannotBeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new GroupOptions().delay(Duration.ofNanos(-1)))
                .withMessageContaining("delay must not be negative");
        queue.append(new byte[1]);
        try (Consumer consumer = group(Duration.ofSeconds(Long.MAX_VALUE)).consumer()) {
            assertThat(consumer.poll()).isNull();
        }
    }
}
