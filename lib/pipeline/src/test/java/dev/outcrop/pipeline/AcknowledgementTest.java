package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue gives up only records that the database has on its disk, also in the middle of much work. */
class AcknowledgementTest {
    /** More than a group may leave unacknowledged. */
    private static final int RECORDS = 60_000;

    @TempDir
    private Path directory;

    @Test
    void whatIsAcknowledgedIsInTheLogOnTheDisk() throws Exception {
        CountDownLatch isThere = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        // RocksDB keeps its log in its own memory until it is told to write it: a copy of the files is what a kill leaves.
        try (Queue queue = Queue.open(directory.resolve("queue"), new QueueOptions().keepBytes(1L << 40));
                RocksDB db = RocksDB.open(directory.resolve("db"),
                        new Options().createIfMissing(true).manualWalFlush(true))) {
            for (int i = 0; i < RECORDS; i++) {
                queue.append(new byte[1]);
            }
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, _, _) -> {
                if (offset == RECORDS - 1) {
                    isThere.countDown();
                    goOn.await();
                }
            }).into(db)) {
                isThere.await();
                long acknowledged = queue.group("orders").position();
                Path copy = directory.resolve("copy");
                KilledProgram.copy(directory.resolve("db"), copy);
                goOn.countDown();
                assertThat(acknowledged).isPositive().isLessThan(RECORDS);
                try (RocksDB killed = RocksDB.open(copy)) {
                    assertThat(Records.position(killed, queue, "orders")).isGreaterThanOrEqualTo(acknowledged);
                }
                assertThat(pipeline.drain(Duration.ofMinutes(5))).isTrue();
                assertThat(queue.group("orders").position()).isEqualTo(RECORDS);
            }
        }
    }
}
