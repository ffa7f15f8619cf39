package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With SYNCED, the database never has the effect of a record that the queue does not have on the disk. */
class SyncedTest {
    private static final int RECORDS = 3000;

    @TempDir
    private Path directory;

    @Test
    void theQueueIsOnTheDiskBeforeTheDatabaseIsWritten() throws Exception {
        try (Queue queue = Queue.open(directory.resolve("queue"), new QueueOptions().segmentSize(64 << 10));
                RocksDB db = Records.database(directory.resolve("db"));
                Pipeline pipeline = Pipeline.from(queue, "orders").map(Records.mapper()).batchBytes(1000)
                        .durability(Durability.SYNCED).into(db)) {
            AtomicBoolean isDone = new AtomicBoolean();
            Thread producer = new Thread(() -> {
                Random random = new Random(1);
                for (int i = 0; i < RECORDS; i++) {
                    queue.append(Records.payload(random));
                }
                isDone.set(true);
            });
            producer.start();
            long looks = 0;
            for (long seen = 0; seen < RECORDS; looks++) {
                boolean isLast = isDone.get();
                seen = Records.position(db, queue, "orders");
                // Afterwards: the disk only gains records.
                assertThat(queue.durableOffset()).as("on the disk when the database had records before %d", seen)
                        .isGreaterThanOrEqualTo(seen);
                if (isLast) {
                    assertThat(pipeline.drain(Duration.ofMinutes(5))).isTrue();
                }
            }
            producer.join();
            // The database has a position before the group has it.
            assertThat(pipeline.drain(Duration.ofMinutes(5))).isTrue();
            assertThat(looks).isPositive();
            assertThat(queue.group("orders").position()).isEqualTo(RECORDS);
        }
    }
}
