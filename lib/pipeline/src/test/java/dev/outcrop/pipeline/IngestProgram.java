package dev.outcrop.pipeline;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * Appends to a queue, and has a pipeline write it to a database, until it is killed: in batches of any size, at any pace. Arguments: a
 * directory, a seed.
 */
final class IngestProgram {
    static final String GROUP = "orders";

    static QueueOptions options() {
        return new QueueOptions().segmentSize(64 << 10).keepBytes(1L << 40);
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Random random = new Random(Long.parseLong(arguments[1]));
        System.out.println("runs");
        Queue queue = Queue.open(directory.resolve("queue"), options());
        RocksDB db = Records.database(directory.resolve("db"));
        Pipeline pipeline = Pipeline.from(queue, GROUP).map(Records.mapper())
                .batchBytes(random.nextInt(1, 20_000))
                .linger(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(50) : 0))
                .durability(random.nextInt(8) == 0 ? Durability.SYNCED : Durability.PAGE_CACHE)
                .into(db);
        System.out.println("works");
        int pause = random.nextInt(1, 30);
        while (pipeline.state() == PipelineState.RUNNING) {
            queue.append(Records.payload(random));
            if (random.nextInt(pause) == 0) {
                Thread.sleep(1);
            }
        }
        System.out.println("failed: " + pipeline.failure());
    }
}
