package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gives a group other options says so to those who have given it options before. */
class GroupOptionsTest extends QueueFixture {
    private static List<String> warnings(Runnable work) {
        LoggedWarnings warnings = new LoggedWarnings("Queue");
        try (warnings) {
            work.run();
        }
        return warnings.messages;
    }

    @Test
    void otherOptionsAreNamed() {
        try (Queue queue = Queue.open(directory());
                Queue dead = Queue.open(temporary.resolve("dead"))) {
            GroupOptions first = new GroupOptions().visibilityTimeout(Duration.ofSeconds(30)).deadLetters(5, dead);
            assertThat(warnings(() -> {
                ConsumerGroup _ = queue.group("g");
                ConsumerGroup _ = queue.group("g", first);
                ConsumerGroup _ = queue.group("g", first);
                // The same, made anew.
                ConsumerGroup _ = queue.group("g",
                        new GroupOptions().visibilityTimeout(Duration.ofSeconds(30)).deadLetters(5, dead));
                ConsumerGroup _ = queue.group("g");
                ConsumerGroup _ = queue.group("other", new GroupOptions());
            })).isEmpty();

            assertThat(warnings(() -> {
                // Later changes of the object do not count for the group.
                ConsumerGroup _ = queue.group("g", first.visibilityTimeout(Duration.ofSeconds(60)));
            })).singleElement().asString().contains("Consumer group g of the queue " + queue.directory(),
                    "visibilityTimeout is PT1M and was PT30S").doesNotContain("deadLetters");
            assertThat(warnings(() -> {
                ConsumerGroup _ = queue.group("g", new GroupOptions().delay(Duration.ofSeconds(1)));
            })).singleElement().asString().contains("visibilityTimeout is PT0S and was PT1M",
                    "delay is PT1S and was PT0S", "deadLetters is none and was after 5 deliveries to " + dead);
            assertThat(warnings(() -> {
                queue.deleteGroup("g");
                ConsumerGroup _ = queue.group("g", first);
            })).as("another group of that name").isEmpty();
        }
    }
}
