package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For a consumer that stores its own position, the queue keeps withdrawn records from that position on. */
class PositionedConsumerTest extends OpenQueue {
    /** Too large for the rest of the first segment. */
    private static final String FIVE = "5".repeat(300);

    private ConsumerGroup group;
    private Consumer consumer;

    PositionedConsumerTest() {
        options = new QueueOptions().segmentSize(8192);
    }

    @BeforeEach
    void join() {
        group = queue.group("group");
        consumer = group.positionedConsumer();
    }

    private void rejoin() {
        reopen();
        join();
    }

    private void withdraw(int size) {
        assertThatIllegalStateException().isThrownBy(() -> queue.append(size, _ -> {
            throw new IllegalStateException("on purpose");
        }));
    }

    /** Appends three records and two withdrawn ones, which fill a segment, and a record in the next segment. */
    private void fillASegment() {
        Polls.append(queue, "0", "1", "2");
        withdraw(3900);
        withdraw(3900);
        Polls.append(queue, FIVE);
    }

    @Test
    void theQueueKeepsWithdrawnRecordsBehindThePosition() throws Exception {
        fillASegment();
        assertThat(Polls.poll(consumer, 10)).containsExactly("0 0", "1 1", "2 2", "5 " + FIVE);
        assertThat(consumer.acknowledgeUpTo(2)).isEqualTo(3);
        assertThat(group.position()).isEqualTo(3);
        assertThat(group.lag().records()).isEqualTo(1);
        Path copy = Sample.afterKill(queue.directory(), temporary.resolve("copy"));
        try (Queue killed = Queue.open(copy, options);
                Consumer after = killed.group("group").positionedConsumer()) {
            assertThat(Polls.poll(after, 10)).containsExactly("5 " + FIVE);
            assertThat(after.group().position()).isEqualTo(3);
            assertThat(killed.firstOffset()).isZero();
        }
        rejoin();
        assertThat(group.position()).isEqualTo(3);
        assertThat(Polls.poll(consumer, 10)).containsExactly("5 " + FIVE);
        assertThat(group.position()).isEqualTo(3);
        assertThat(queue.firstOffset()).isZero();

        assertThat(consumer.acknowledgeUpTo(4)).isZero();
        assertThat(group.position()).isEqualTo(5);
        Polls.waitWhile(() -> queue.firstOffset() == 0);
        assertThat(queue.firstOffset()).isEqualTo(5);
        assertThat(consumer.acknowledgeUpTo(5)).isEqualTo(1);
        assertThat(group.position()).isEqualTo(6);
    }

    @Test
    void acknowledgingALaterRecordCoversThem() {
        fillASegment();
        assertThat(Polls.poll(consumer, 10)).hasSize(4);
        assertThat(consumer.acknowledge(5)).isTrue();
        assertThat(group.position()).isZero();
        assertThat(consumer.acknowledge(4)).isFalse();
        assertThat(consumer.acknowledge(0)).isTrue();
        assertThat(consumer.acknowledge(2)).isTrue();
        assertThat(group.position()).isEqualTo(1);
        assertThat(consumer.acknowledge(1)).isTrue();
        assertThat(group.position()).isEqualTo(6);
        assertThat(group.lag().records()).isZero();
    }

    @Test
    void atTheEndTheyAreNoLag() {
        Polls.append(queue, "0");
        withdraw(10);
        withdraw(10);
        assertThat(group.lag().records()).isEqualTo(3);
        assertThat(consumer.nextOffset()).isZero();
        assertThat(Polls.poll(consumer, 10)).containsExactly("0 0");
        assertThat(consumer.acknowledgeUpTo(0)).isEqualTo(1);
        assertThat(consumer.poll()).isNull();
        assertThat(consumer.nextOffset()).isEqualTo(3);
        assertThat(group.position()).isEqualTo(1);
        assertThat(group.lag().records()).isZero();
        assertThat(group.lag().bytes()).isZero();
        assertThat(group.lag().time()).isZero();
        assertThat(consumer.acknowledgeUpTo(consumer.nextOffset() - 1)).isZero();
        assertThat(group.position()).isEqualTo(3);
        Polls.append(queue, "3");
        assertThat(Polls.take(consumer, 10)).containsExactly("3 3");
        assertThat(group.position()).isEqualTo(4);
    }

    @Test
    void manyOfThemAreOneRun() {
        Polls.append(queue, "0");
        for (int i = 0; i < 5000; i++) {
            withdraw(1);
        }
        Polls.append(queue, "5001");
        assertThat(Polls.poll(consumer, 10)).containsExactly("0 0", "5001 5001");
        assertThat(consumer.acknowledgeUpTo(0)).isEqualTo(1);
        assertThat(consumer.acknowledgeUpTo(2500)).isZero();
        assertThat(group.position()).isEqualTo(2501);
        assertThat(group.lag().records()).isEqualTo(1);
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(1);
        assertThat(group.position()).isEqualTo(5002);
    }

    @Test
    void otherConsumersCoverThem() {
        Polls.append(queue, "0");
        withdraw(10);
        assertThat(Polls.poll(consumer, 10)).hasSize(1);
        assertThat(consumer.acknowledgeUpTo(0)).isEqualTo(1);
        assertThat(consumer.poll()).isNull();
        consumer.close();
        assertThat(group.position()).isEqualTo(1);
        try (Consumer again = group.positionedConsumer()) {
            assertThat(again.poll()).isNull();
            assertThat(group.position()).isEqualTo(1);
        }
        try (Consumer _ = group.consumer()) {
            assertThat(group.position()).isEqualTo(2);
            withdraw(10);
            assertThat(Polls.poll(group.consumer(), 1)).isEmpty();
            assertThat(group.position()).isEqualTo(3);
        }
    }

    @Test
    void theyFillABoundedQueueUntilTheyAreAcknowledged() {
        close();
        options = options.maxRecords(3).fullTimeout(Duration.ZERO);
        open();
        join();
        Polls.append(queue, "0");
        assertThat(Polls.take(consumer, 10)).hasSize(1);
        withdraw(10);
        withdraw(10);
        withdraw(10);
        assertThat(consumer.poll()).isNull();
        assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(new byte[1]));
        assertThat(consumer.acknowledgeUpTo(consumer.nextOffset() - 1)).isZero();
        assertThat(queue.append(new byte[1])).isEqualTo(4);
    }

    @Test
    void itIsTheOnlyConsumerOfItsGroup() {
        assertThatIllegalStateException().isThrownBy(group::consumer).withMessageContaining("exclusive");
        assertThatIllegalStateException().isThrownBy(group::positionedConsumer).withMessageContaining("exclusive");
        consumer.close();
        group.consumer().close();
        group.positionedConsumer().close();
    }

    @Test
    void movingTheGroupForgetsThem() {
        fillASegment();
        assertThat(Polls.poll(consumer, 10)).hasSize(4);
        assertThat(consumer.acknowledgeUpTo(1)).isEqualTo(2);
        assertThat(group.seek(1)).isEqualTo(1);
        assertThat(consumer.nextOffset()).isEqualTo(1);
        assertThat(Polls.poll(consumer, 10)).containsExactly("1 1", "2 2", "5 " + FIVE);
        assertThat(consumer.acknowledgeUpTo(2)).isEqualTo(2);
        assertThat(group.position()).isEqualTo(3);
    }
}
