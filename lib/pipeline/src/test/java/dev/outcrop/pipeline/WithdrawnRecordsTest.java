package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue keeps withdrawn records until the position of the pipeline is behind them, at whatever moment it stops. */
class WithdrawnRecordsTest extends PipelineFixture {
    private static final byte[] SMALL = new byte[20];
    private static final byte[] LARGE = new byte[20 << 10];

    private void withdraw() {
        assertThatIllegalStateException().isThrownBy(() -> queue.append(30 << 10, _ -> {
            throw new IllegalStateException("on purpose");
        }));
    }

    /** Appends three records and two withdrawn ones in the first segment, and three records in the next one. */
    private void fill() {
        for (int i = 0; i < 3; i++) {
            queue.append(SMALL);
        }
        withdraw();
        withdraw();
        for (int i = 0; i < 3; i++) {
            queue.append(LARGE);
        }
    }

    private void requireAll() throws InterruptedException {
        waitWhile(() -> queue.firstOffset() == 0);
        ingest();
        assertThat(Records.count(db)).isEqualTo(6);
        assertThat(Records.position(db, queue, "orders")).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStopBeforeThem(boolean isClosed) throws Exception {
        queue.group("orders");
        fill();
        RecordMapper counting = Records.mapper();
        CountDownLatch isThere = new CountDownLatch(1);
        Semaphore mayMap = new Semaphore(0);
        Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            if (offset == 2) {
                isThere.countDown();
                mayMap.acquire();
            }
            counting.map(offset, payload, writes);
        }).into(db);
        isThere.await();
        Thread stopping = Thread.ofPlatform().start(isClosed ? pipeline::close : pipeline::pause);
        waitWhile(() -> stopping.getState() != Thread.State.WAITING);
        mayMap.release();
        stopping.join();
        assertThat(pipeline.failure()).isNull();
        assertThat(pipeline.position()).isIn(3L, 5L);
        if (!isClosed) {
            pipeline.resume();
            assertThat(pipeline.drain(LONG)).isTrue();
            pipeline.close();
        }
        requireAll();
    }

    @Test
    void aRefusedRecordBehindThem() throws Exception {
        fill();
        RecordMapper counting = Records.mapper();
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            if (offset == 5) {
                throw new IllegalArgumentException("no order");
            }
            counting.map(offset, payload, writes);
        }).into(db)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).hasMessageContaining("cannot map record 5");
        }
        assertThat(Records.position(db, queue, "orders")).isEqualTo(5);
        requireAll();
    }

    @Test
    void aStopWhileADeadLetterBehindThemWaitsForRoom() throws Exception {
        fill();
        try (Queue letters = Queue.open(directory.resolve("letters"), new QueueOptions().maxRecords(1))) {
            letters.group("readers");
            letters.append(SMALL);
            try (Pipeline _ = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                if (offset == 5) {
                    throw new IllegalArgumentException("no order");
                }
                writes.put(Records.key(offset), SMALL);
            }).deadLetters(letters).into(db)) {
                waitWhile(() -> letters.statistics().waitingAppends() == 0);
            }
        }
        assertThat(Records.position(db, queue, "orders")).isEqualTo(5);
        waitWhile(() -> queue.firstOffset() == 0);
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map(Records::ignore).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().records()).isEqualTo(3);
        }
    }

    @Test
    void aRunningPipelineGoesOn() throws Exception {
        try (Pipeline pipeline = orders().into(db)) {
            for (int i = 0; i < 60; i++) {
                queue.append(SMALL);
                assertThat(pipeline.drain(LONG)).isTrue();
                withdraw();
                withdraw();
                queue.append(LARGE);
                assertThat(pipeline.drain(LONG)).isTrue();
            }
            // At the end too: the last record that was withdrawn is skipped.
            withdraw();
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.position()).isEqualTo(queue.nextOffset());
            assertThat(queue.group("orders").position()).isEqualTo(queue.nextOffset());
        }
        waitWhile(() -> queue.firstOffset() == 0);
        reopen();
        queue.append(SMALL);
        ingest();
        assertThat(Records.count(db)).isEqualTo(121);
    }
}
