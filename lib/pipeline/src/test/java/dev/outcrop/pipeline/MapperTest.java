package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.RecordView;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WideColumn;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fault of a mapper stops the pipeline, and touches no record but its own. */
class MapperTest extends PipelineFixture {
    private static final int BAD = 7;

    @BeforeEach
    void append() {
        for (int i = 0; i < 10; i++) {
            queue.append(new byte[10]);
        }
    }

    /** A fault at the bad record, after something was added for it. */
    private interface Deed {
        void commit(RecordWrites writes) throws Exception;
    }

    private static RecordMapper bad(Deed deed) {
        RecordMapper good = Records.mapper();
        return (offset, payload, writes) -> {
            good.map(offset, payload, writes);
            if (offset == BAD) {
                deed.commit(writes);
            }
        };
    }

    private PipelineException stops(RecordMapper mapper) {
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map(mapper).into(db)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("The pipeline 'orders' of ").hasMessageContaining("has stopped");
            assertThat(pipeline.state()).isEqualTo(PipelineState.FAILED);
            assertThatThrownBy(pipeline::resume).isInstanceOf(PipelineException.class);
            assertThatThrownBy(pipeline::pause).isInstanceOf(PipelineException.class);
            PipelineException failure = pipeline.failure();
            return Objects.requireNonNull(failure);
        }
    }

    /** A pipeline with a good mapper goes on as if nothing had been. */
    private void mended() throws InterruptedException {
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(10);
    }

    @Test
    void aMapperThatThrowsLeavesNothingOfItsRecord() throws Exception {
        PipelineException failure = stops(bad(_ -> {
            throw new java.io.IOException("no such customer");
        }));
        assertThat(failure).hasMessageContaining("cannot map record 7").hasMessageContaining("no such customer")
                .hasMessageContaining("startAt(8)").hasCauseInstanceOf(java.io.IOException.class);
        // The records before are there.
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(BAD);
        assertThat(queue.group("orders").position()).isEqualTo(BAD);
        mended();
    }

    @Test
    void whatAMapperKeepsIsOfNoUse() throws Exception {
        List<RecordWrites> kept = new ArrayList<>();
        List<RecordView> views = new ArrayList<>();
        List<Throwable> elsewhere = new ArrayList<>();
        ColumnFamily odd = db.createColumnFamily("odd", new Options());
        RecordMapper good = Records.mapper();
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((record, writes) -> {
            good.map(record.offset(), record.segment(), writes);
            kept.add(writes.in(odd));
            kept.add(writes);
            views.add(record);
            Thread other = new Thread(() -> {
                try {
                    writes.put(Records.key(1000), new byte[1]);
                } catch (Throwable e) {
                    elsewhere.add(e);
                }
            });
            other.start();
            other.join();
        }).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(elsewhere).hasSize(10).hasOnlyElementsOfType(WrongThreadException.class);
            for (RecordWrites writes : kept) {
                assertThatThrownBy(() -> writes.put(Records.key(1000), new byte[1]))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("No record is being mapped");
                assertThatThrownBy(() -> writes.in(odd)).isInstanceOf(IllegalStateException.class);
            }
            assertThatThrownBy(views.getFirst()::offset).isInstanceOf(RuntimeException.class);
            queue.append(new byte[10]);
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(new HashSet<>(kept)).hasSize(2);
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(11);
        assertThat(odd.get(Records.key(1000))).isNull();
    }

    @Test
    void aMapperWritesToItsOwnDatabaseOnly() throws Exception {
        try (RocksDB other = Records.database(directory.resolve("other"))) {
            assertThat(stops(bad(writes -> writes.in(other.defaultColumnFamily()).put(new byte[1], new byte[1]))))
                    .hasMessageContaining("record 7").hasMessageContaining("cannot be used with");
        }
        mended();
    }

    @Test
    void thePositionsAreNotAMappersToWrite() throws Exception {
        db.createColumnFamily(PositionStore.FAMILY, new Options());
        assertThat(stops(bad(writes -> writes.in(db.columnFamily(PositionStore.FAMILY)).delete(new byte[1]))))
                .hasMessageContaining("record 7").hasMessageContaining(PositionStore.FAMILY);
        mended();
    }

    @Test
    void aColumnFamilyThatWasDroppedStopsThePipeline() throws Exception {
        ColumnFamily odd = db.createColumnFamily("odd", new Options());
        assertThat(stops(bad(writes -> {
            writes.in(odd).put(new byte[1], new byte[1]);
            db.dropColumnFamily(odd);
        }))).hasMessageContaining("no column family with the id");
        assertThat(Records.count(db)).isZero();
        mended();
    }

    /** All forms of adding, each of them once. */
    @Test
    void aMapperAddsInEachForm() throws Exception {
        ColumnFamily odd = db.createColumnFamily("odd", new Options().mergeOperator(MergeOperator.UINT64_ADD));
        byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
        ingest(Pipeline.from(queue, "orders").map((record, writes) -> {
            if (record.offset() > 0) {
                return;
            }
            RecordWrites to = writes.in(odd);
            MemorySegment pair = MemorySegment.ofArray(new byte[]{'a', 'b', 'c', 'd'});
            MemorySegment number = MemorySegment.ofArray(one);
            to.put(pair, 0, 1, pair, 2, 2);
            to.put(pair.asSlice(1, 1), pair.asSlice(3));
            to.put(new byte[]{'c'}, new byte[]{'x'});
            to.put(List.of(pair.asSlice(0, 2), pair.asSlice(3)), List.of(pair));
            to.put(ByteBuffer.wrap(new byte[]{'e'}), ByteBuffer.wrap(one));
            for (String gone : new String[]{"f", "g", "h", "i", "j", "k", "l", "m"}) {
                to.put(gone.getBytes(StandardCharsets.UTF_8), one);
            }
            MemorySegment rest = MemorySegment.ofArray("fghijklmno".getBytes(StandardCharsets.UTF_8));
            to.delete(rest, 0, 1);
            to.delete(rest.asSlice(1, 1));
            to.delete(new byte[]{'h'});
            to.delete(List.of(rest.asSlice(3, 1)));
            to.singleDelete(rest.asSlice(4, 1));
            to.singleDelete(new byte[]{'k'});
            to.deleteRange(rest.asSlice(6, 1), rest.asSlice(7, 1));
            to.deleteRange(List.of(rest.asSlice(7, 1)), List.of(rest.asSlice(8, 1)));
            to.merge(rest, 8, 1, number, 0, 8);
            to.merge(rest.asSlice(8, 1), number);
            to.merge(new byte[]{'n'}, one);
            to.merge(List.of(rest.asSlice(8, 1)), List.of(number.asSlice(0, 4), number.asSlice(4)));
            to.putEntity(rest.asSlice(9, 1), List.of(new WideColumn(new byte[]{1}, new byte[]{2})));
            assertThatThrownBy(() -> to.at(number)).isInstanceOf(IllegalArgumentException.class);
            for (long[] wrong : new long[][]{{-1, 1}, {0, -1}, {0, 11}, {10, 1}, {1, Long.MAX_VALUE}}) {
                assertThatThrownBy(() -> to.put(rest, wrong[0], wrong[1], rest, 0, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> to.merge(rest, 0, 1, rest, wrong[0], wrong[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> to.delete(rest, wrong[0], wrong[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }));
        List<String> found = new ArrayList<>();
        odd.scan((key, value) -> {
            found.add(text(key) + "=" + (value.byteSize() == 8 ? value.get(ValueLayout.JAVA_BYTE, 0) : text(value)));
            return true;
        });
        assertThat(found).containsExactly("a=cd", "abd=abcd", "b=d", "c=x", "e=1", "n=4", "o=");
    }

    private static String text(MemorySegment segment) {
        return new String(segment.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Test
    void whatRocksdbRefusesStopsThePipeline() throws Exception {
        PipelineException failure = stops(bad(writes -> writes.deleteRange(MemorySegment.ofArray(Records.key(5)),
                MemorySegment.ofArray(Records.key(3)))));
        assertThat(failure).hasMessageContaining("range").hasMessageContaining("goes on with record");
        mended();
    }

    @Test
    void anErrorStopsThePipeline() throws Exception {
        assertThat(stops(bad(_ -> {
            throw new StackOverflowError("deep");
        }))).hasCauseInstanceOf(StackOverflowError.class);
        assertThat(stops(bad(_ -> {
            throw new InterruptedException();
        }))).hasMessageContaining("interrupted");
        mended();
    }

    /** Also one that comes while the thread does not wait. */
    @Test
    void anInterruptStopsThePipelineBetweenRecords() throws Exception {
        assertThat(stops(bad(_ -> Thread.currentThread().interrupt()))).hasMessageContaining("thread was interrupted")
                .hasMessageContaining("goes on with record");
        mended();
    }

    @Test
    void thePipelineCannotBeClosedByItsMapper() throws Exception {
        Pipeline[] self = new Pipeline[1];
        for (String call : new String[]{"close", "pause", "drain"}) {
            try (Pipeline pipeline = Pipeline.from(queue, call).map((offset, _, _) -> {
                switch (call) {
                    case "close" -> self[0].close();
                    case "pause" -> self[0].pause();
                    default -> self[0].drain(LONG);
                }
            }).startPaused().into(db)) {
                self[0] = pipeline;
                pipeline.resume();
                assertThatThrownBy(() -> pipeline.drain(LONG)).hasMessageContaining("cannot " + call + " it");
            }
        }
    }
}
