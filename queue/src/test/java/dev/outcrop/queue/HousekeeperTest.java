package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the background thread does although something fails. */
class HousekeeperTest {
    private static final Logger LOGGER = Logger.getLogger("dev.outcrop.queue.Housekeeper");
    private static final int SPARES = 50;

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

    private Path spare(int number) {
        return directory.resolve(number + ".spare");
    }

    @Test
    @Timeout(60)
    void goesOnWhenLoggingAFailureFails() throws Exception {
        FailingHandler handler = new FailingHandler();
        LOGGER.addHandler(handler);
        try (Queue queue = Sample.open(directory); Consumer consumer = queue.group("group").consumer()) {
            // The first one is the first segment, and there is no other before something was appended.
            queue.append(new Payload(1, 0).bytes(Sample.LENGTH));
            while (!Files.exists(spare(2))) {
                Thread.sleep(5);
            }
            for (int i = 3; i < SPARES; i++) {
                Files.createDirectory(spare(i));
            }
            fillSegment(queue);
            handler.hasFailed.await();
            for (int i = 3; i < SPARES; i++) {
                Files.deleteIfExists(spare(i));
            }
            fillSegment(queue);
            while (consumer.poll(1000, (_, _, _) -> {
            }) > 0) {
                // And the next ones.
            }
            consumer.acknowledgeUpTo(Long.MAX_VALUE);
            while (queue.firstOffset() == 0) {
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
