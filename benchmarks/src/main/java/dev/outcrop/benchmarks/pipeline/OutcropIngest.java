package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;

/** A pipeline. */
final class OutcropIngest implements Side.Work {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Path directory;
    private final Queue queue;
    private int runs;

    OutcropIngest(Path directory, int records, int payloadBytes) {
        this.directory = directory;
        this.queue = Queue.open(directory.resolve("queue"), new QueueOptions().keepBytes(Long.MAX_VALUE));
        Records.appendAll(records, payloadBytes, queue::append);
    }

    @Override
    public long run(long seed) throws Exception {
        Path path = directory.resolve("db");
        String group = "run" + runs++;
        long records;
        try (RocksDB db = RocksDB.open(path, new Options().createIfMissing(true));
                Pipeline pipeline = Pipeline.from(queue, group)
                        .map((offset, payload, writes) -> writes.put(payload.asSlice(0, Records.KEY), payload))
                        .into(db)) {
            if (!pipeline.drain(LONG)) {
                throw new IllegalStateException("Not done within " + LONG);
            }
            records = pipeline.statistics().records();
        }
        queue.deleteGroup(group);
        Directories.delete(path);
        return records;
    }
}
