package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A timeout below zero, as {@code deadline - now} gives after the deadline, has just run out, as in {@code java.util.concurrent}. */
class PassedDeadlineTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT-1S", "PT-9223372036854775808S"})
    void takesWhatIsThereAndWaitsForNothing(Duration timeout) throws Exception {
        try (Queue queue = Queue.open(directory);
                Consumer consumer = queue.group("group").consumer();
                Tailer tailer = Tailer.open(directory)) {
            assertThat(consumer.poll(timeout)).isNull();
            assertThat(consumer.poll(1, timeout, (_, _, _) -> {
            })).isZero();
            assertThat(consumer.visit(1, timeout, _ -> {
            })).isZero();
            assertThat(tailer.poll(timeout)).isFalse();

            for (int i = 0; i < 3; i++) {
                queue.append(new byte[1]);
            }
            try (Delivery delivery = consumer.poll(timeout)) {
                assertThat(delivery).isNotNull();
            }
            assertThat(consumer.poll(1, timeout, (_, _, _) -> {
            })).isOne();
            assertThat(consumer.visit(1, timeout, _ -> {
            })).isOne();
            assertThat(tailer.poll(timeout)).isTrue();
        }
    }

    @Test
    void aDelayBelowZeroIsNone() {
        Duration delay = Duration.ofSeconds(-1);
        try (Queue queue = Queue.open(directory); Consumer consumer = queue.group("group").consumer()) {
            queue.append(new byte[1]);
            for (int deliveries = 1; deliveries < 4; deliveries++) {
                try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                    assertThat(delivery.deliveries()).isEqualTo(deliveries);
                    assertThat(deliveries == 1 ? delivery.giveBack(delay) : consumer.giveBack(0, delay)).isTrue();
                }
            }
        }
    }
}
