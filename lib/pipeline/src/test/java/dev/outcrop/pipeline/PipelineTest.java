package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class PipelineTest extends PipelineFixture {
    PipelineTest() {
        queueOptions.keepBytes(1L << 40);
    }

    private void append(int count) {
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            queue.append(Records.payload(random));
        }
    }

    @Test
    void eachRecordHasItsEffectOnce() throws Exception {
        append(3000);
        try (Pipeline pipeline = orders().batchBytes(2000).into(db)) {
            append(2000);
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.position()).isEqualTo(5000);
            assertThat(queue.group("orders").position()).isEqualTo(5000);
            assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(5000);
            assertThat(pipeline.statistics().batches()).isGreaterThan(10);
            assertThat(pipeline.state()).isEqualTo(PipelineState.RUNNING);
        }
    }

    @Test
    void thePipelineGoesOnWhereItWas() throws Exception {
        for (int round = 1; round <= 3; round++) {
            append(100);
            try (Pipeline pipeline = orders().into(db)) {
                assertThat(pipeline.drain(LONG)).isTrue();
                assertThat(pipeline.statistics().records()).isEqualTo(100);
            }
            close();
            open();
            assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(100L * round);
        }
    }

    /** Acknowledgements only follow: the database decides. */
    @Test
    void theGroupFollowsTheDatabase() throws Exception {
        append(50);
        ingest();
        for (long moved : new long[]{0, 20, 50}) {
            assertThat(queue.group("orders").seek(moved)).isEqualTo(moved);
            append(10);
            try (Pipeline pipeline = orders().into(db)) {
                assertThat(pipeline.drain(LONG)).isTrue();
                assertThat(pipeline.statistics().records()).isEqualTo(10);
            }
        }
        // Acknowledged by another one, out of order.
        append(10);
        try (Consumer consumer = queue.group("orders").consumer()) {
            assertThat(consumer.poll(10, (offset, _, _) -> {
                if (offset % 2 == 1) {
                    consumer.acknowledge(offset);
                }
            })).isEqualTo(10);
        }
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(90);
    }

    @Test
    void aRecordWritesAsMuchAsItLikes() throws Exception {
        ColumnFamily odd = db.createColumnFamily("odd", new Options());
        append(100);
        ingest(Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            for (int i = 0; i < offset % 3; i++) {
                writes.put(Records.key(10 * offset + i), payload.toArray(ValueLayout.JAVA_BYTE));
            }
            if (offset % 2 == 1) {
                writes.in(odd).put(Records.key(offset), new byte[0]);
            }
        }));
        for (long offset = 0; offset < 100; offset++) {
            for (int i = 0; i < 3; i++) {
                assertThat(db.get(Records.key(10 * offset + i)) != null).isEqualTo(i < offset % 3);
            }
            assertThat(odd.get(Records.key(offset)) != null).isEqualTo(offset % 2 == 1);
        }
    }

    @Test
    void severalPipelinesShareADatabase() throws Exception {
        ColumnFamily lengths = db.createColumnFamily("lengths", new Options());
        append(1000);
        try (Queue other = Queue.open(directory.resolve("other"));
                Pipeline first = orders().batchBytes(1000).into(db);
                Pipeline second = Pipeline.from(queue, "lengths").map((offset, payload, writes) -> writes.in(lengths)
                        .put(Records.key(offset), Records.key(payload.byteSize()))).batchBytes(500).into(db);
                Pipeline third = Pipeline.from(other, "orders").map((offset, payload, writes) -> writes.in(lengths)
                        .put(("other" + offset).getBytes(StandardCharsets.UTF_8), new byte[0])).into(db)) {
            other.append(new byte[1]);
            assertThat(first.drain(LONG)).isTrue();
            assertThat(second.drain(LONG)).isTrue();
            assertThat(third.drain(LONG)).isTrue();
            assertThat(Records.position(db, other, "orders")).isEqualTo(1);
            assertThat(Records.position(db, queue, "lengths")).isEqualTo(1000);
        }
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(1000);
        assertThat(lengths.get(Records.key(999))).isNotNull();
        assertThat(lengths.get("other0".getBytes(StandardCharsets.UTF_8))).isNotNull();
    }

    @Test
    void recordsThatWereWithdrawnAreLeftOut() throws Exception {
        append(5);
        Records.appendWithdrawn(queue);
        append(5);
        try (Pipeline pipeline = orders().into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().records()).isEqualTo(10);
            // The last one, too.
            Records.appendWithdrawn(queue);
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().lag()).isZero();
            assertThat(pipeline.position()).isEqualTo(12);
        }
        assertThat(Records.count(db)).isEqualTo(10);
        assertThat(Records.position(db, queue, "orders")).isEqualTo(12);
    }

    @Test
    void aQueueThatIsFullOrGivesUpWhatIsDoneIsNoObstacle() throws Exception {
        try (Queue small = Queue.open(directory.resolve("small"), new QueueOptions().segmentSize(8192).maxRecords(7));
                Pipeline pipeline = Pipeline.from(small, "orders").map(Records.mapper()).into(db)) {
            for (int i = 0; i < 2000; i++) {
                small.append(new byte[100]);
            }
            assertThat(pipeline.drain(LONG)).isTrue();
            // The queue deletes its files in the background.
            waitWhile(() -> small.firstOffset() <= 1000);
            assertThat(Records.count(db)).isEqualTo(2000);
        }
    }

    @Test
    void aBatchIsNoLargerThanItShouldBe() throws Exception {
        for (int i = 0; i < 1000; i++) {
            queue.append(new byte[100]);
        }
        try (Pipeline pipeline = orders().batchBytes(1300).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            // 135 bytes or so for each record.
            assertThat(pipeline.statistics().batches()).isBetween(90L, 130L);
            assertThat(pipeline.statistics().meanBatchRecords()).isBetween(7.0, 11.0);
        }
    }

    @Test
    void aBatchLingersForMoreRecords() throws Exception {
        RecordMapper counting = Records.mapper();
        Semaphore mapped = new Semaphore(0);
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            counting.map(offset, payload, writes);
            mapped.release();
        }).linger(Duration.ofDays(1)).into(db)) {
            for (int i = 0; i < 5; i++) {
                append(1);
                // The next one is taken after it was decided whether the ones before are written.
                mapped.acquire();
            }
            assertThat(pipeline.position()).isZero();
            // A thread that waits for it does not wait for more.
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().batches()).isEqualTo(1);
            append(3);
        }
        // Nor does one that closes it.
        assertThat(Records.requireExact(db, queue, "orders", 0)).isBetween(5L, 8L);
    }

    @Test
    void syncedBatchesAreOnTheDiskBehindTheirRecords() throws Exception {
        append(100);
        try (Pipeline pipeline = orders().durability(Durability.SYNCED)
                .writeOptions(new WriteOptions().sync(true)).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(queue.durableOffset()).isEqualTo(100);
            assertThat(queue.group("orders").position()).isEqualTo(100);
        }
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(100);
    }

    @Test
    void manySmallRecordsDoNotFillTheGroupsWindow() throws Exception {
        int count = 200_000;
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map(Records::ignore).startPaused().into(db)) {
            byte[] payload = new byte[1];
            for (int i = 0; i < count; i++) {
                queue.append(payload);
            }
            pipeline.resume();
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().records()).isEqualTo(count);
            assertThat(pipeline.statistics().bytes()).isEqualTo(count);
        }
    }
}
