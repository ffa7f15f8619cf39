package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFullException;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pausing, closing, draining and refusing do what they say while there is much to do, or no room. */
class StopTest extends PipelineFixture {
    private static final byte[] PAYLOAD = new byte[20];

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            queue.append(PAYLOAD);
        }
    }

    private List<Long> letters(Queue letters) {
        List<Long> offsets = new ArrayList<>();
        try (Tailer tailer = Tailer.open(letters.directory())) {
            while (tailer.poll()) {
                offsets.add(DeadLetter.read(tailer.segment()).offset());
            }
        }
        return offsets;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStopWaitsForOneRecordOnly(boolean isClosed) throws Exception {
        append(3000);
        RecordMapper counting = Records.mapper();
        Semaphore mapped = new Semaphore(0);
        Semaphore mayMap = new Semaphore(3);
        Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            mayMap.acquire();
            counting.map(offset, payload, writes);
            mapped.release();
        }).into(db);
        mapped.acquire(3);
        // The mapper has another record, and gets no permit for it until the other thread waits.
        waitWhile(() -> !mayMap.hasQueuedThreads());
        Thread stopping = Thread.ofPlatform().start(isClosed ? pipeline::close : pipeline::pause);
        waitWhile(() -> stopping.getState() != Thread.State.WAITING);
        mayMap.release(3000);
        stopping.join();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isLessThanOrEqualTo(5);
        assertThat(queue.group("orders").position()).isEqualTo(Records.position(db, queue, "orders"));
        if (!isClosed) {
            assertThat(pipeline.state()).isEqualTo(PipelineState.PAUSED);
            pipeline.resume();
            assertThat(pipeline.drain(LONG)).isTrue();
            pipeline.close();
        }
        ingest();
        assertThat(Records.count(db)).isEqualTo(3000);
        assertThat(Records.position(db, queue, "orders")).isEqualTo(3000);
    }

    @Test
    void aStopDoesNotWaitForRoomForDeadLetters() throws Exception {
        append(5);
        try (Queue letters = Queue.open(directory.resolve("letters"), new QueueOptions().maxRecords(1))) {
            ConsumerGroup readers = letters.group("readers");
            PipelineBuilder failing = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                throw new IllegalArgumentException("no order");
            }).deadLetters(letters);
            try (Pipeline pipeline = failing.into(db)) {
                waitWhile(() -> letters.statistics().waitingAppends() == 0);
                pipeline.pause();
                assertThat(pipeline.state()).isEqualTo(PipelineState.PAUSED);
                pipeline.resume();
                waitWhile(() -> letters.statistics().waitingAppends() == 0);
            }
            assertThat(letters(letters)).containsExactly(0L);
            assertThat(Records.position(db, queue, "orders")).isEqualTo(1);
            try (Pipeline pipeline = failing.into(db)) {
                for (int i = 1; i < 5; i++) {
                    long next = i;
                    waitWhile(() -> letters.nextOffset() < next);
                    assertThat(readers.seek(next)).isEqualTo(next);
                }
                assertThat(pipeline.drain(LONG)).isTrue();
                assertThat(pipeline.state()).isEqualTo(PipelineState.RUNNING);
            }
            assertThat(letters(letters)).containsExactly(0L, 1L, 2L, 3L, 4L);
        }
    }

    @Test
    void aPipelineStopsIfThereIsNoRoomForDeadLettersInTime() throws Exception {
        append(2);
        try (Queue letters = Queue.open(directory.resolve("letters"),
                new QueueOptions().maxRecords(1).fullTimeout(Duration.ZERO));
                Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                    throw new IllegalArgumentException("no order");
                }).deadLetters(letters).into(db)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("Record 1 cannot be mapped").hasMessageContaining("The queue is full");
        }
    }

    @Test
    void drainingDoesNotWaitForLaterRecords() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        append(100);
        // Always records to take, and never enough for a batch.
        Thread producer = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                if (queue.group("orders").lag().records() < 50) {
                    append(1);
                }
            }
        });
        try (Pipeline pipeline = orders().linger(Duration.ofDays(1)).batchBytes(1 << 30).into(db)) {
            for (int i = 0; i < 10; i++) {
                long end = queue.nextOffset();
                assertThat(pipeline.drain(LONG)).isTrue();
                assertThat(queue.group("orders").position()).isGreaterThanOrEqualTo(end);
            }
        } finally {
            isOver.set(true);
            producer.join();
        }
    }

    @Test
    void producersThatWaitForRoomDoNotWaitForTheLinger() throws Exception {
        try (Queue small = Queue.open(directory.resolve("small"), new QueueOptions().maxRecords(10));
                Pipeline pipeline = Pipeline.from(small, "orders").map(Records.mapper()).linger(Duration.ofDays(1))
                        .into(db)) {
            for (int i = 0; i < 200; i++) {
                small.append(PAYLOAD);
            }
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(Records.count(db)).isEqualTo(200);
        }
    }

    @Test
    void producersThatAreRefusedDoNotWaitForTheLinger() throws Exception {
        RecordMapper counting = Records.mapper();
        CountDownLatch isRefused = new CountDownLatch(1);
        try (Queue small = Queue.open(directory.resolve("small"),
                new QueueOptions().maxRecords(100).fullTimeout(Duration.ZERO));
                Pipeline pipeline = Pipeline.from(small, "orders").map((offset, payload, writes) -> {
                    // The first poll takes fewer records than the queue has when the producer is refused.
                    isRefused.await();
                    counting.map(offset, payload, writes);
                }).linger(Duration.ofDays(1)).into(db)) {
            for (int i = 0; i < 100; i++) {
                small.append(PAYLOAD);
            }
            assertThatThrownBy(() -> small.append(PAYLOAD)).isInstanceOf(QueueFullException.class);
            isRefused.countDown();
            waitWhile(() -> small.group("orders").position() < 100);
            small.append(PAYLOAD);
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(Records.count(db)).isEqualTo(101);
        }
    }

    @Test
    void aSlowMapperDoesNotKeepItsRecordsFromTheDatabase() throws Exception {
        append(5000);
        AtomicInteger mapped = new AtomicInteger();
        RecordMapper counting = Records.mapper();
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            Thread.sleep(3);
            counting.map(offset, payload, writes);
            mapped.incrementAndGet();
        }).into(db)) {
            waitWhile(() -> pipeline.position() == 0 && mapped.get() < 2000);
            assertThat(mapped.get()).isLessThan(2000);
        }
    }

    @Test
    void recordsBeforeADeadLetterThatWaitsForRoomAreWritten() throws Exception {
        append(3);
        RecordMapper counting = Records.mapper();
        try (Queue letters = Queue.open(directory.resolve("letters"), new QueueOptions().maxRecords(1))) {
            letters.group("readers");
            letters.append(PAYLOAD);
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                if (offset == 2) {
                    throw new IllegalArgumentException("no order");
                }
                counting.map(offset, payload, writes);
            }).deadLetters(letters).linger(Duration.ofDays(1)).into(db)) {
                waitWhile(() -> letters.statistics().waitingAppends() == 0);
                assertThat(pipeline.position()).isEqualTo(2);
                assertThat(Records.count(db)).isEqualTo(2);
            }
            assertThat(letters.nextOffset()).isEqualTo(1);
        }
    }

    @Test
    void anInterruptedMapperMakesNoDeadLetter() throws Exception {
        append(2);
        try (Queue letters = Queue.open(directory.resolve("letters"));
                Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("the call was interrupted");
                }).deadLetters(letters).into(db)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("The mapper was interrupted at record 0");
            assertThat(letters.nextOffset()).isZero();
        }
    }

    @Test
    void aClosedPipelineRefusesToDrain() throws Exception {
        append(1);
        Pipeline pipeline = orders().into(db);
        assertThat(pipeline.drain(LONG)).isTrue();
        pipeline.close();
        assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void aRefusedStartChangesNothing() throws Exception {
        append(10);
        PipelineBuilder contradiction = orders().durability(Durability.SYNCED).writeOptions(new WriteOptions());
        assertThatThrownBy(() -> contradiction.into(db)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sync(false)");
        assertThatThrownBy(() -> orders().startAt(11).into(db)).isInstanceOf(PipelineException.class)
                .hasMessageContaining("record 11");
        PipelineBuilder nameless = Pipeline.from(queue, "").map((_, _) -> {
        });
        assertThatThrownBy(() -> nameless.into(db)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a name");
        assertThat(queue.findGroup("orders")).isNull();
        assertThat(db.findColumnFamily("outcrop.pipelines")).isNull();
        ingest();
        contradiction.startAt(0).allowReplay();
        assertThatThrownBy(() -> contradiction.into(db)).isInstanceOf(IllegalArgumentException.class);
        assertThat(queue.group("orders").position()).isEqualTo(10);
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(10);
    }

    @Test
    void aGroupCommitThatDoesNotWaitIsSynced() throws Exception {
        append(10);
        ingest(orders().durability(Durability.groupCommit(Duration.ZERO, 4096)));
        assertThat(queue.durableOffset()).isEqualTo(10);
    }

    @Test
    void theClassOfAnErrorIsInTheMessage() throws Exception {
        append(1);
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            throw new NoClassDefFoundError("com/foo/Bar");
        }).into(db)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("java.lang.NoClassDefFoundError: com/foo/Bar");
        }
    }

    @Test
    @Tag("verify")
    void aDatabaseWithATimeToLiveKeepsThePosition() throws Exception {
        append(10);
        try (RocksDB kept = RocksDB.openWithTtl(directory.resolve("ttl"), new Options().createIfMissing(true),
                Duration.ofSeconds(1))) {
            ingestInto(kept, 10);
            // RocksDB's clock cannot be advanced. The time to live has passed, so a compaction drops other entries.
            Thread.sleep(2100);
            kept.columnFamily("outcrop.pipelines").compact();
            ingestInto(kept, 0);
        }
    }

    private void ingestInto(RocksDB kept, long records) throws InterruptedException {
        try (Pipeline pipeline = Pipeline.from(queue, "ttl").map(Records::ignore).into(kept)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().records()).isEqualTo(records);
        }
    }
}
