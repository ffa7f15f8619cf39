package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.ReadOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Transaction;
import dev.outcrop.rocksdb.TransactionDB;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Records are mapped while the batch before is written, and each effect is still there once, in order, whatever fails. */
class WriteBehindTest extends PipelineFixture {
    private void append(int count) {
        for (int i = 0; i < count; i++) {
            queue.append(new byte[]{(byte) i, 1, 2});
        }
    }

    /** A lock of somebody else keeps the first batch from being written. */
    @Test
    void theNextBatchIsFilledMeanwhile() throws Exception {
        append(10);
        CountDownLatch isSecondMapped = new CountDownLatch(2);
        try (TransactionDB db = TransactionDB.open(directory.resolve("transactions"),
                new Options().createIfMissing(true));
                Transaction other = db.begin()) {
            other.put(Records.key(0), new byte[1]);
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                writes.put(Records.key(offset), Records.key(offset));
                isSecondMapped.countDown();
            }).batchBytes(1).into(db)) {
                isSecondMapped.await();
                assertThat(pipeline.position()).isZero();
                assertThat(db.get(Records.key(1))).isNull();
                other.rollback();
                assertThat(pipeline.drain(LONG)).isTrue();
                assertThat(pipeline.position()).isEqualTo(10);
            }
            for (int i = 0; i < 10; i++) {
                assertThat(db.get(Records.key(i))).isEqualTo(Records.key(i));
            }
        }
    }

    /** RocksDB refuses the batch of record 5. */
    @Test
    void behindABatchThatFailsNothingIsWritten() throws Exception {
        append(10);
        AtomicBoolean isBad = new AtomicBoolean(true);
        RecordMapper counting = Records.mapper();
        RecordMapper mapper = (offset, payload, writes) -> {
            counting.map(offset, payload, writes);
            if (offset == 5 && isBad.get()) {
                writes.deleteRange(MemorySegment.ofArray(Records.key(5)), MemorySegment.ofArray(Records.key(3)));
            }
        };
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map(mapper).batchBytes(1).into(db)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class);
            assertThat(pipeline.position()).isEqualTo(5);
            assertThat(Objects.requireNonNull(pipeline.failure())).hasMessageContaining("behind record 4")
                    .hasMessageContaining("goes on with record 5");
        }
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(5);
        isBad.set(false);
        ingest(Pipeline.from(queue, "orders").map(mapper).batchBytes(1));
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(10);
    }

    /** A mapper fails while the batch before is written: that one counts, and the pipeline has not ended before it is written. */
    @Test
    void aMapperThatFailsMeanwhileTakesNothingAway() throws Exception {
        append(10);
        RecordMapper counting = Records.mapper();
        for (int round = 0; round < 20; round++) {
            Path path = directory.resolve("db" + round);
            try (RocksDB db = Records.database(path)) {
                try (Pipeline pipeline = Pipeline.from(queue, "group" + round).map((offset, payload, writes) -> {
                    if (offset == 7) {
                        throw new AssertionError("at once");
                    }
                    counting.map(offset, payload, writes);
                }).batchBytes(1).into(db)) {
                    assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class);
                    assertThat(pipeline.position()).isEqualTo(7);
                    assertThat(Objects.requireNonNull(pipeline.failure()))
                            .hasMessageContaining("goes on with record 7");
                }
                assertThat(Records.requireExact(db, queue, "group" + round, 0)).isEqualTo(7);
            }
        }
    }

    @Test
    void aMapperAddsToTheSameObjectsInEachBatch() throws Exception {
        append(10);
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        Map<Long, RecordWrites> kept = new ConcurrentHashMap<>();
        ColumnFamily other = db.createColumnFamily("other", new Options());
        ingest(Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            seen.add(System.identityHashCode(writes));
            seen.add(System.identityHashCode(writes.in(db.defaultColumnFamily())));
            seen.add(System.identityHashCode(writes.in(other)));
            // Asked for once, and used in both batches.
            kept.computeIfAbsent(0L, _ -> writes.in(other)).put(Records.key(offset),
                    payload.toArray(ValueLayout.JAVA_BYTE));
        }).batchBytes(1));
        assertThat(seen).as("one of the default column family, one of the other one").hasSize(2);
        for (int i = 0; i < 10; i++) {
            assertThat(other.get(Records.key(i))).containsExactly(i, 1, 2);
        }
    }

    /** Also a view at a time, which is asked for once and used in both batches. */
    @Test
    void timestampsGoWithEachBatch() throws Exception {
        append(10);
        byte[] time = {7, 0, 0, 0, 0, 0, 0, 0};
        Map<Long, RecordWrites> kept = new ConcurrentHashMap<>();
        ColumnFamily timed = db.createColumnFamily("timed",
                new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
        ingest(Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
            byte[] given = time.clone();
            RecordWrites at = kept.computeIfAbsent(0L, _ -> writes.in(timed).at(MemorySegment.ofArray(given)));
            given[0] = 0;
            at.put(Records.key(offset), Records.key(offset));
        }).batchBytes(1));
        for (int i = 0; i < 10; i++) {
            assertThat(timed.with(new ReadOptions().timestamp(7)).get(Records.key(i))).isEqualTo(Records.key(i));
            assertThat(timed.with(new ReadOptions().timestamp(6)).get(Records.key(i))).isNull();
        }
    }

    /** In the default column family the batch must learn of timestamps before anything is in it. */
    @Test
    void theDefaultColumnFamilyMayHaveTimestamps() throws Exception {
        append(10);
        try (RocksDB db = RocksDB.open(directory.resolve("timed"),
                new Options().createIfMissing(true).set("comparator=leveldb.BytewiseComparator.u64ts"))) {
            ColumnFamily other = db.createColumnFamily("other", new Options());
            MemorySegment time = MemorySegment.ofArray(new byte[]{7, 0, 0, 0, 0, 0, 0, 0});
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                writes.in(other).put(Records.key(offset), Records.key(offset));
                writes.at(time).put(Records.key(offset), Records.key(offset));
            }).batchBytes(1).into(db)) {
                assertThat(pipeline.drain(LONG)).isTrue();
            }
            for (int i = 0; i < 10; i++) {
                assertThat(db.with(new ReadOptions().timestamp(7)).get(Records.key(i))).isEqualTo(Records.key(i));
                assertThat(other.get(Records.key(i))).isEqualTo(Records.key(i));
            }
        }
    }

    /** It does not wait for others, however long unfilled batches linger. */
    @Test
    void aFullBatchCountsAtOnce() throws Exception {
        append(10);
        try (Pipeline pipeline = orders().batchBytes(1).linger(Duration.ofDays(1)).into(db)) {
            waitWhile(() -> pipeline.position() < 10 || queue.group("orders").position() < 10);
            assertThat(pipeline.statistics().records()).isEqualTo(10);
        }
    }

    @Test
    void aFullBatchThatFailsSaysSoAtOnce() throws Exception {
        append(1);
        try (Pipeline pipeline = Pipeline.from(queue, "orders")
                .map((offset, payload, writes) -> writes.deleteRange(
                        MemorySegment.ofArray(Records.key(5)), MemorySegment.ofArray(Records.key(3))))
                .batchBytes(1).linger(Duration.ofDays(1)).into(db)) {
            waitWhile(() -> pipeline.failure() == null);
            assertThat(pipeline.failure()).hasMessageContaining("range");
        }
    }

    /** The batch before waits for a lock of somebody else, in vain from then on. */
    @Test
    void aMapperThatFailsDoesNotHideWhyABatchIsNotWritten() throws Exception {
        append(2);
        try (TransactionDB db = TransactionDB.open(directory.resolve("transactions"),
                new Options().createIfMissing(true));
                Transaction other = db.begin()) {
            other.put(Records.key(0), new byte[1]);
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                if (offset == 1) {
                    throw new AssertionError("meanwhile");
                }
                writes.put(Records.key(offset), new byte[1]);
            }).batchBytes(1).into(db)) {
                assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class);
                assertThat(pipeline.position()).isZero();
                Throwable cause = Objects.requireNonNull(Objects.requireNonNull(pipeline.failure()).getCause());
                assertThat(pipeline.failure()).hasMessageContaining("goes on with record 0")
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("tried"));
                assertThat(cause).isInstanceOf(AssertionError.class).hasMessage("meanwhile");
                assertThat(cause.getSuppressed()).singleElement().isInstanceOf(RocksDBException.class);
            }
        }
    }

    @Test
    void itsThreadEndsWithThePipeline() throws Exception {
        append(10);
        Thread writer;
        try (Pipeline pipeline = Pipeline.from(queue, "ends").map(Records.mapper()).batchBytes(1).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            writer = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("outcrop-pipeline-write-ends")).findFirst()
                    .orElseThrow();
        }
        writer.join();
    }
}
