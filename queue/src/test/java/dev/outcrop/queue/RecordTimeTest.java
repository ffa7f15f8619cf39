package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of the record that a handler is shown, and the identity of queues. */
class RecordTimeTest {
    @TempDir
    private Path directory;

    @Test
    void aHandlerIsToldWhenItsRecordWasAppended() throws Exception {
        try (Queue queue = Queue.open(directory.resolve("queue"))) {
            List<Long> expected = new ArrayList<>();
            try (Tailer tailer = Tailer.open(queue.directory())) {
                while (expected.stream().distinct().count() < 3) {
                    queue.append(new byte[1]);
                    queue.advance(Duration.ofMillis(20));
                    while (tailer.poll()) {
                        expected.add(tailer.time());
                    }
                }
            }
            List<Long> found = new ArrayList<>();
            try (Consumer consumer = queue.group("group").consumer()) {
                assertThat(consumer.poll(expected.size(), (_, _, _) -> found.add(consumer.time())))
                        .isEqualTo(expected.size());
            }
            assertThat(found).isEqualTo(expected).isSorted();
        }
    }

    /** Though it is committed later than those behind it. */
    @Test
    void noRecordIsOlderThanTheOneBeforeIt() throws Exception {
        try (Queue queue = Queue.open(directory.resolve("queue"))) {
            List<Long> found = new ArrayList<>();
            queue.append(1, _ -> {
                queue.append(new byte[1]);
                queue.advance(Duration.ofHours(1));
            });
            try (Consumer consumer = queue.group("group").consumer()) {
                assertThat(consumer.poll(10, (_, _, _) -> found.add(consumer.time()))).isEqualTo(2);
            }
            assertThat(found).isSorted();
        }
    }

    @Test
    void nobodyElseIsToldATime() {
        try (Queue queue = Queue.open(directory.resolve("queue"));
                Consumer consumer = queue.group("group").consumer()) {
            queue.append(new byte[1]);
            assertThatThrownBy(consumer::time).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("No record is being shown").hasMessageContaining("group");
            assertThat(consumer.poll(1, (_, _, _) -> assertThatThrownBy(
                    () -> CompletableFuture.supplyAsync(consumer::time).join())
                    .hasRootCauseInstanceOf(IllegalStateException.class))).isEqualTo(1);
            assertThatThrownBy(consumer::time).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aQueueKeepsItsId() {
        long id;
        try (Queue queue = Queue.open(directory.resolve("queue"));
                Queue other = Queue.open(directory.resolve("other"))) {
            id = queue.id();
            assertThat(other.id()).isNotEqualTo(id);
        }
        try (Queue queue = Queue.open(directory.resolve("queue"))) {
            assertThat(queue.id()).isEqualTo(id);
        }
    }
}
