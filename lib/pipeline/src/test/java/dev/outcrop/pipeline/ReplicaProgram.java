package dev.outcrop.pipeline;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.util.Random;

/** Changes a database, follows its changes into a queue, and these into a replica, until it is killed. Arguments: a directory, a seed. */
final class ReplicaProgram {
    static final String GROUP = "replica";

    static QueueOptions options() {
        return new QueueOptions().segmentSize(64 << 10).keepBytes(1000);
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Random random = new Random(Long.parseLong(arguments[1]));
        System.out.println("runs");
        RocksDB db = Replicas.database(directory.resolve("db"));
        Queue queue = Queue.open(directory.resolve("queue"), options());
        RocksDB replica = Replicas.database(directory.resolve("replica"));
        ChangeFeed feed = ChangeFeed.from(db)
                .durability(random.nextInt(4) == 0 ? Durability.SYNCED : Durability.PAGE_CACHE).into(queue);
        Pipeline pipeline = Pipeline.from(queue, GROUP).map(ChangeFeed.mapper(replica))
                .batchBytes(random.nextInt(1, 5000)).into(replica);
        System.out.println("works");
        int pause = random.nextInt(1, 10);
        while (pipeline.state() == PipelineState.RUNNING && feed.state() == PipelineState.RUNNING) {
            Replicas.change(db, random);
            if (random.nextInt(pause) == 0) {
                Thread.sleep(1);
            }
        }
        System.out.println("failed: " + pipeline.failure() + ", " + feed.failure());
    }
}
