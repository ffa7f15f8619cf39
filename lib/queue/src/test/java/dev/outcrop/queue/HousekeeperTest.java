package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The background thread goes on although something fails. */
class HousekeeperTest extends QueueFixture {
    @Test
    void goesOnWhenLoggingAFailureFails() throws Exception {
        CountDownLatch hasFailed = new CountDownLatch(1);
        LoggedWarnings failing = new LoggedWarnings("Housekeeper", () -> {
            hasFailed.countDown();
            throw new IllegalStateException("on purpose");
        });
        try (failing; Queue queue = Sample.open(directory()); Consumer consumer = queue.group("group").consumer()) {
            Sample.append(queue, 3 * (Sample.PER_SEGMENT + 1));
            Polls.all(consumer, 1000, Polls.SKIP);
            List<Path> segments = Sample.files(directory(), ".segment");
            // A directory that is not empty cannot be deleted as a segment is.
            Files.delete(segments.getFirst());
            Files.createFile(Files.createDirectory(segments.getFirst()).resolve("file"));
            consumer.acknowledgeUpTo(Long.MAX_VALUE);
            hasFailed.await();
            Polls.waitWhile(() -> Files.exists(segments.get(1)));
            assertThat(queue.firstOffset()).isPositive();
        }
    }
}
