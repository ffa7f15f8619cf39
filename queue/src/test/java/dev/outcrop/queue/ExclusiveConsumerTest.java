package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExclusiveConsumerTest {
    @TempDir
    private Path directory;
    private Queue queue;
    private ConsumerGroup group;

    @BeforeEach
    void open() {
        queue = Queue.open(directory.resolve("queue"));
        group = queue.group("group");
    }

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void anExclusiveConsumerIsTheOnlyOne() {
        queue.append(new byte[1]);
        try (Consumer alone = group.exclusiveConsumer()) {
            assertThatThrownBy(group::consumer).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("group").hasMessageContaining("exclusive");
            assertThatThrownBy(group::exclusiveConsumer).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("exclusive");
            assertThat(alone.poll(10, (offset, _, _) -> alone.acknowledge(offset))).isEqualTo(1);
            try (Consumer elsewhere = queue.group("another").consumer()) {
                assertThat(elsewhere.group().position()).isZero();
            }
        }
        group.consumer().close();
        group.exclusiveConsumer().close();
    }

    @Test
    void itIsRefusedWhileThereAreOthers() {
        Consumer first = group.consumer();
        Consumer second = group.consumer();
        assertThatThrownBy(group::exclusiveConsumer).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 others are open");
        first.close();
        first.close();
        assertThatThrownBy(group::exclusiveConsumer).hasMessageContaining("1 other one is open");
        second.close();
        try (Consumer alone = group.exclusiveConsumer()) {
            // Closing one that is closed already does not let others in.
            second.close();
            assertThatThrownBy(group::consumer).isInstanceOf(IllegalStateException.class);
            group.seekToEnd();
            assertThatThrownBy(group::consumer).isInstanceOf(IllegalStateException.class);
            assertThat(alone.poll()).isNull();
        }
        group.consumer().close();
    }
}
