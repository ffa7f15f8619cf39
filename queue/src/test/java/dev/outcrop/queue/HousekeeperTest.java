package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The background thread goes on after failures. */
class HousekeeperTest {
    private static final Logger LOGGER = Logger.getLogger("dev.outcrop.queue.Housekeeper");

    @TempDir
    private Path directory;

    /** Writes no log, and fails. */
    private static final class FailingHandler extends Handler {
        private final CountDownLatch hasFailed = new CountDownLatch(1);

        @Override
        public void publish(LogRecord said) {
            hasFailed.countDown();
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".segment")).sorted().toList();
        }
    }

    @Test
    @Timeout(60)
    void goesOnWhenLoggingAFailureFails() throws Exception {
        FailingHandler handler = new FailingHandler();
        LOGGER.addHandler(handler);
        try (Queue queue = Sample.open(directory); Consumer consumer = queue.group("group").consumer()) {
            for (int i = 0; i < 3; i++) {
                fillSegment(queue);
            }
            while (consumer.poll(1000, (_, _, _) -> {
            }) > 0) {
                // And the next ones.
            }
            List<Path> segments = segments();
            // A directory that is not empty cannot be deleted as a segment is.
            Files.delete(segments.getFirst());
            Files.createFile(Files.createDirectory(segments.getFirst()).resolve("file"));
            consumer.acknowledgeUpTo(Long.MAX_VALUE);
            handler.hasFailed.await();
            while (Files.exists(segments.get(1))) {
                Thread.sleep(5);
            }
            assertThat(queue.firstOffset()).isPositive();
        } finally {
            LOGGER.removeHandler(handler);
        }
    }

    private static void fillSegment(Queue queue) {
        for (int i = 0; i <= Sample.PER_SEGMENT; i++) {
            queue.append(new Payload(1, i).bytes(Sample.LENGTH));
        }
    }
}
