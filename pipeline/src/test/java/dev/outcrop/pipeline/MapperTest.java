package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a mapper does wrong stops the pipeline, and touches no record but its own. */
class MapperTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int BAD = 7;

    @TempDir
    private Path directory;
    private Queue queue;
    private RocksDB db;

    @BeforeEach
    void open() {
        queue = Queue.open(directory.resolve("queue"));
        db = Records.database(directory.resolve("db"));
        for (int i = 0; i < 10; i++) {
            queue.append(new byte[10]);
        }
    }

    @AfterEach
    void close() {
        db.close();
        queue.close();
    }

    /** What is done with the bad record, after something was added for it. */
    private interface Deed {
        void commit(WriteBatch writes) throws Exception;
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
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map(Records.mapper()).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(10);
    }

    @Test
    void aMapperThatThrowsLeavesNothingOfItsRecord() throws Exception {
        PipelineException failure = stops(bad(_ -> {
            throw new java.io.IOException("no such customer");
        }));
        assertThat(failure).hasMessageContaining("cannot map record 7").hasMessageContaining("no such customer")
                .hasMessageContaining("startAt(8)").hasCauseInstanceOf(java.io.IOException.class);
        // What comes before is there.
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(BAD);
        assertThat(queue.group("orders").position()).isEqualTo(BAD);
        mended();
    }

    @Test
    void neitherIfItHadSavePointsOfItsOwn() throws Exception {
        stops(bad(writes -> {
            writes.setSavePoint();
            writes.put(Records.key(1000), new byte[1]);
            writes.setSavePoint();
            throw new IllegalStateException("half-way");
        }));
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(BAD);
        assertThat(db.get(Records.key(1000))).isNull();
        mended();
    }

    @Test
    void aMapperMayHaveSavePointsOfItsOwn() throws Exception {
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map(bad(writes -> {
            writes.setSavePoint();
            writes.put(Records.key(1000), new byte[1]);
            writes.rollbackToSavePoint();
            writes.setSavePoint();
        })).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(10);
        assertThat(db.get(Records.key(1000))).isNull();
    }

    @Test
    void aMapperMustNotTakeOutWhatOthersHaveAdded() throws Exception {
        assertThat(stops(bad(WriteBatch::clear))).hasMessageContaining("clear()").hasMessageContaining("record 7");
        assertThat(stops(bad(writes -> {
            writes.clear();
            writes.put(Records.key(1000), new byte[10_000]);
        }))).hasMessageContaining("clear()");
        assertThat(stops(bad(writes -> {
            writes.rollbackToSavePoint();
            writes.put(Records.key(1000), new byte[1]);
        }))).hasMessageContaining("save point");
        assertThat(stops(bad(writes -> {
            writes.clear();
            throw new IllegalStateException("and fails");
        }))).hasMessageContaining("clear()");
        assertThat(stops(bad(writes -> {
            writes.popSavePoint();
            throw new IllegalStateException("and fails");
        }))).hasMessageContaining("save point");
        assertThat(db.get(Records.key(1000))).isNull();
        mended();
    }

    @Test
    void whatRocksdbRefusesStopsThePipeline() throws Exception {
        PipelineException failure = stops(
                bad(writes -> writes.deleteRange(java.lang.foreign.MemorySegment.ofArray(Records.key(5)),
                        java.lang.foreign.MemorySegment.ofArray(Records.key(3)))));
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
