package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A queue and a database that are open while a test runs. */
abstract class PipelineFixture {
    static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path directory;
    Queue queue;
    RocksDB db;
    QueueOptions queueOptions = new QueueOptions().segmentSize(64 << 10);

    @BeforeEach
    void open() {
        queue = Queue.open(directory.resolve("queue"), queueOptions);
        db = Records.database(directory.resolve("db"));
    }

    @AfterEach
    void close() {
        db.close();
        queue.close();
    }

    void reopen() {
        close();
        open();
    }

    PipelineBuilder orders() {
        return Pipeline.from(queue, "orders").map(Records.mapper());
    }

    /** Runs a pipeline until it has written all records. */
    void ingest(PipelineBuilder options) throws InterruptedException {
        try (Pipeline pipeline = options.into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
        }
    }

    void ingest() throws InterruptedException {
        ingest(orders());
    }

    static void waitWhile(BooleanSupplier condition) throws InterruptedException {
        while (condition.getAsBoolean()) {
            Thread.sleep(1);
        }
    }
}
