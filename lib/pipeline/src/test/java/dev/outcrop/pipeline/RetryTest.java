package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Transaction;
import dev.outcrop.rocksdb.TransactionDB;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write that has to wait for a transaction of somebody else is tried again, until it is written; but closing does not wait for that. A
 * batch that is full is written by another thread than one that is not.
 */
class RetryTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final byte[] PAYLOAD = {1, 2, 3};

    private final CountDownLatch isMapped = new CountDownLatch(1);

    @TempDir
    private Path directory;
    private Queue queue;
    private TransactionDB db;
    /** Has the lock of a key that the pipeline writes. */
    private Transaction other;

    @BeforeEach
    void open() {
        queue = Queue.open(directory.resolve("queue"));
        db = TransactionDB.open(directory.resolve("db"), new Options().createIfMissing(true));
        other = db.begin();
        other.put(Records.key(0), PAYLOAD);
        queue.append(PAYLOAD);
    }

    @AfterEach
    void close() {
        other.close();
        db.close();
        queue.close();
    }

    private Pipeline start(long batchBytes) {
        return Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            writes.put(Records.key(offset), PAYLOAD);
            isMapped.countDown();
        }).batchBytes(batchBytes).into(db);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1000})
    void goesOnWhenTheLockIsFree(long batchBytes) throws Exception {
        try (Pipeline pipeline = start(batchBytes)) {
            isMapped.await();
            other.rollback();
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(db.get(Records.key(0))).isEqualTo(PAYLOAD);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1000})
    void closingEndsTheWaiting(long batchBytes) throws Exception {
        Pipeline pipeline = start(batchBytes);
        isMapped.await();
        pipeline.close();

        assertThat(pipeline.state()).isEqualTo(PipelineState.CLOSED);
        requireEndedEarly(Objects.requireNonNull(pipeline.failure()));
        requireNothingLost(batchBytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1000})
    void soDoesAnInterrupt(long batchBytes) throws Exception {
        try (Pipeline pipeline = start(batchBytes)) {
            isMapped.await();
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("outcrop-pipeline-orders")).forEach(Thread::interrupt);
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class);
            requireEndedEarly(Objects.requireNonNull(pipeline.failure()));
        }
        requireNothingLost(batchBytes);
    }

    private static void requireEndedEarly(PipelineException failure) {
        assertThat(failure.getCause()).isInstanceOfSatisfying(RocksDBException.class,
                refusal -> assertThat(refusal.isRetryable()).isTrue());
        assertThat(failure).hasMessageContaining("it goes on with record 0")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("tried 12 times"));
    }

    private void requireNothingLost(long batchBytes) throws InterruptedException {
        assertThat(db.get(Records.key(0))).isNull();
        other.rollback();
        try (Pipeline pipeline = start(batchBytes)) {
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(db.get(Records.key(0))).isEqualTo(PAYLOAD);
    }
}
