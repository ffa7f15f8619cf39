package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The job by a pipeline. */
final class OutcropIngest implements Ingest {
    private static final String GROUP = "ingest";
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Path path;
    private final Queue queue;
    private @Nullable RocksDB db;
    private @Nullable Pipeline pipeline;

    OutcropIngest(Path directory, int records, int payloadBytes) {
        this.path = directory.resolve("db");
        this.queue = Queue.open(directory.resolve("queue"), new QueueOptions().keepBytes(Long.MAX_VALUE));
        Ingest.appendAll(records, payloadBytes, queue::append);
    }

    @Override
    public void open() {
        RocksDB empty = RocksDB.open(path, new Options().createIfMissing(true));
        db = empty;
        pipeline = Pipeline.from(queue, GROUP).map((record, writes) -> {
            MemorySegment in = record.memory();
            writes.put(in, record.at(0, KEY), KEY, in, record.at(0, record.size()), record.size());
        }).startPaused().into(empty);
    }

    @Override
    public long run() throws Exception {
        Pipeline running = Objects.requireNonNull(pipeline);
        running.resume();
        if (!running.drain(LONG)) {
            throw new IllegalStateException("Not done within " + LONG);
        }
        return running.statistics().records();
    }

    @Override
    public void close() {
        Objects.requireNonNull(pipeline).close();
        Objects.requireNonNull(db).close();
        queue.deleteGroup(GROUP);
        Directories.delete(path);
    }
}
