package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A pipeline starts where the effect of each record is there once, or not at all. */
class ResumePointTest extends PipelineFixture {
    ResumePointTest() {
        // Without a thread in the background, files go exactly when their records are acknowledged.
        queueOptions = new QueueOptions().segmentSize(8192).backgroundThread(false);
    }

    private void append(int count, int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[100];
            random.nextBytes(payload);
            queue.append(payload);
        }
    }

    /** A tailer keeps the files, so the queue still begins with records that it has retired. */
    @Test
    void theLastRecordMayBeRetiredAndNotGoneYet() throws InterruptedException {
        try (Tailer tailer = Tailer.open(queue.directory())) {
            for (int round = 0; round < 20; round++) {
                // Each in a segment of its own, so that all before it can be retired.
                queue.append(new byte[5000]);
                ingest();
            }
            assertThat(queue.firstOffset()).isZero();
            assertThat(tailer.poll()).isTrue();
            assertThat(tailer.offset()).isZero();
        }
        assertThat(Records.count(db)).isEqualTo(20);
    }

    private void refused(PipelineBuilder options, String... parts) {
        assertThatThrownBy(() -> options.into(db)).isInstanceOf(PipelineException.class)
                .hasMessageContainingAll(parts).hasMessageContaining("The pipeline 'orders' of ")
                .hasMessageContaining("does not start");
        // It was not refused for running already.
        assertThatThrownBy(() -> options.into(db)).hasMessageContainingAll(parts);
    }

    @Test
    void aDatabaseThatKnowsNothingOfWhatWasAcknowledgedIsRefused() throws Exception {
        append(20, 1);
        ingest();
        db.close();
        db = Records.database(directory.resolve("db2"));
        append(5, 2);
        refused(orders(), "records before 20 were acknowledged", "another database", "startAt(20)");
        ingest(orders().startAt(20));
        assertThat(Records.count(db)).isEqualTo(5);
        assertThat(Records.position(db, queue, "orders")).isEqualTo(25);
        ingest();
    }

    @Test
    void aNewGroupBeginsWithWhatIsKept() throws Exception {
        try (Consumer consumer = queue.group("others").consumer()) {
            append(500, 1);
            assertThat(consumer.poll(500, (_, _, _) -> {
            })).isEqualTo(500);
            assertThat(consumer.acknowledgeUpTo(499)).isEqualTo(500);
        }
        reopen();
        long first = queue.firstOffset();
        assertThat(first).isPositive();
        ingest();
        assertThat(Records.count(db)).isEqualTo(500 - first);
    }

    @Test
    void whatTheQueueHasGivenUpIsMissed() throws Exception {
        append(10, 1);
        ingest();
        close();
        copy("db", "old");
        open();
        append(500, 2);
        ingest();
        close();
        // A backup of the database, but not of the queue.
        delete("db");
        copy("old", "db");
        open();
        long first = queue.firstOffset();
        assertThat(first).isGreaterThan(10);
        refused(orders(), "cannot go on with record 10", "begins with record " + first, "startAt(" + first + ")");
        ingest(orders().startAt(first));
        assertThat(Records.count(db)).isEqualTo(10 + 510 - first);
    }

    @Test
    void anOlderDatabaseGetsWhatItMissesAsLongAsTheQueueHasIt() throws Exception {
        append(10, 1);
        ingest();
        close();
        copy("db", "old");
        open();
        append(10, 2);
        ingest();
        close();
        delete("db");
        copy("old", "db");
        open();
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(20);
    }

    @Test
    void aQueueThatHasLostRecordsIsRefused() throws Exception {
        append(10, 1);
        ingest();
        close();
        copy("queue", "old");
        open();
        append(10, 2);
        ingest();
        close();
        delete("queue");
        copy("old", "queue");
        open();
        refused(orders(), "the queue has lost records", "before 20", "next record to be appended to the queue is 10",
                "startAt(offset)", "Durability.SYNCED");
        // Others in their place, as many or more.
        append(10, 3);
        refused(orders(), "record 19 of the queue is not the one", "startAt(offset)");
        append(1, 4);
        refused(orders(), "record 19 of the queue is not the one", "allowReplay()");
        refused(orders().startAt(10), "the effects of all records before 20", "allowReplay()");
        ingest(orders().startAt(10).allowReplay());
        assertThat(Records.count(db)).isEqualTo(20 + 11);
        ingest();
    }

    @Test
    void oneMayStartElsewhere() throws Exception {
        append(20, 1);
        ingest(orders().startAt(5));
        assertThat(Records.count(db)).isEqualTo(15);
        refused(orders().startAt(21), "cannot start at record 21", "is 20");
        refused(orders().startAt(5), "the effects of all records before 20", "allowReplay()");
        ingest(orders().startAt(20));
        ingest(orders().startAt(18).allowReplay());
        assertThat(Records.count(db)).isEqualTo(17);
        append(20, 2);
        ingest(orders().startAt(30));
        assertThat(Records.count(db)).isEqualTo(27);
        assertThat(db.get(Records.key(29))).isNull();
        assertThat(db.get(Records.key(30))).isNotNull();
    }

    @Test
    void aGroupHasOnePipeline() throws Exception {
        append(1, 1);
        try (Pipeline first = orders().into(db)) {
            refused(orders(), "a pipeline of this group runs already");
            try (RocksDB other = Records.database(directory.resolve("other"))) {
                assertThatThrownBy(() -> orders().into(other)).isInstanceOf(PipelineException.class);
            }
            assertThat(first.drain(LONG)).isTrue();
        }
        ingest();
    }

    @Test
    void aStartThatIsRefusedChangesNothing() throws Exception {
        append(20, 1);
        ingest();
        for (long offset : new long[]{3, 20}) {
            append(1, 2);
            try (Consumer _ = queue.group("orders").consumer()) {
                refused(orders().startAt(offset + 1).allowReplay(), "exclusive");
            }
        }
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(22);
    }

    @Test
    void closingAgainSaysNothingAboutTheNextOne() throws Exception {
        Pipeline first = orders().into(db);
        first.close();
        try (Pipeline second = orders().into(db)) {
            first.close();
            refused(orders(), "a pipeline of this group runs already");
            assertThat(second.state()).isEqualTo(PipelineState.RUNNING);
        }
    }

    /** Each of them has the effect of each record once. */
    @Test
    void twoDatabasesInTurns() throws Exception {
        queue.close();
        queue = Queue.open(directory.resolve("queue"), new QueueOptions().segmentSize(8192).keepBytes(1L << 30));
        append(500, 1);
        ingest();
        try (RocksDB other = Records.database(directory.resolve("other"))) {
            assertThatThrownBy(() -> orders().into(other)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("another database");
            try (Pipeline pipeline = orders().startAt(0).into(other)) {
                append(10, 2);
                assertThat(pipeline.drain(LONG)).isTrue();
            }
            assertThat(Records.requireExact(other, queue, "orders", 0)).isEqualTo(510);
        }
        append(10, 3);
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(520);
    }

    @Test
    void aQueueThatWasMadeAnewIsAnotherOne() throws Exception {
        append(20, 1);
        ingest();
        long id = queue.id();
        close();
        delete("queue");
        open();
        assertThat(queue.id()).isNotEqualTo(id);
        append(20, 1);
        ingest();
        assertThat(Records.count(db)).isEqualTo(40);
        assertThat(Records.position(db, queue, "orders")).isEqualTo(20);
    }

    /** The queue may give it up with its file, and then no record shows that it was withdrawn. */
    @Test
    void aWithdrawnRecordAtTheEndOfAFileIsNotMissed() throws Exception {
        append(5, 1);
        try (Pipeline pipeline = orders().into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            Records.appendWithdrawn(queue);
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(Records.position(db, queue, "orders")).isEqualTo(6);
        // Too large for the rest of the file.
        long last = queue.append(new byte[7900]);
        reopen();
        assertThat(queue.firstOffset()).isEqualTo(last);
        ingest();
        assertThat(Records.count(db)).isEqualTo(6);
    }

    @Test
    void whatCannotBeOnceIsRefusedAtOnce() {
        PipelineBuilder options = orders();
        assertThatThrownBy(() -> options.writeOptions(new WriteOptions().disableWAL(true)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("disableWAL");
        assertThatThrownBy(() -> orders().writeOptions(new WriteOptions()).durability(Durability.SYNCED).into(db))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("sync(true)");
        assertThatThrownBy(() -> options.durability(Durability.groupCommit(Duration.ofMillis(1), 1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("SYNCED or Durability.PAGE_CACHE");
        assertThatThrownBy(() -> options.batchBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.linger(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.stallLimit(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.startAt(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.allowReplay().into(db)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("startAt");
    }

    /** As after a power cut that has set the clock back to the same time. */
    @Test
    void anotherRecordOfTheSameTimeAndSizeIsNotTakenForTheOneThatIsGone() throws Exception {
        ingest();
        close();
        copy("queue", "old");
        open();
        append(5, 1);
        ingest();
        close();
        delete("queue");
        copy("old", "queue");
        open();
        append(5, 2);
        byte[] position = Objects.requireNonNull(positions().get(key()));
        ByteBuffer.wrap(position).order(ByteOrder.LITTLE_ENDIAN).putLong(24, time(4));
        positions().put(key(), position);
        refused(orders(), "record 4 of the queue is not the one", "allowReplay()");
    }

    @Test
    void aPositionOfAnEarlierVersionGoesOn() throws Exception {
        append(5, 1);
        ingest();
        byte[] position = Arrays.copyOf(Objects.requireNonNull(positions().get(key())), 40);
        position[0] = 1;
        positions().put(key(), position);
        append(5, 2);
        ingest();
        assertThat(Records.count(db)).isEqualTo(10);
        assertThat(positions().get(key())).hasSize(48);
    }

    private ColumnFamily positions() {
        return db.columnFamily("outcrop.pipelines");
    }

    private byte[] key() {
        byte[] key = new byte[Long.BYTES + 6];
        System.arraycopy(Records.key(queue.id()), 0, key, 0, Long.BYTES);
        System.arraycopy("orders".getBytes(StandardCharsets.UTF_8), 0, key, Long.BYTES, 6);
        return key;
    }

    private long time(long offset) {
        try (Tailer tailer = Tailer.open(queue.directory())) {
            tailer.seek(offset);
            assertThat(tailer.poll()).isTrue();
            return tailer.time();
        }
    }

    @Test
    void aPositionOfALaterVersionIsRefused() throws Exception {
        append(1, 1);
        ingest();
        byte[] key = key();
        assertThat(db.columnFamily("outcrop.pipelines").get(key)).isNotNull();
        db.columnFamily("outcrop.pipelines").put(key, new byte[]{9, 0, 0, 0, 0, 0, 0, 0, 1});
        assertThatThrownBy(() -> orders().into(db)).isInstanceOf(PipelineException.class)
                .hasMessageContaining("later version");
    }

    private void copy(String from, String to) throws IOException {
        KilledProgram.copy(directory.resolve(from), directory.resolve(to));
    }

    private void delete(String name) throws IOException {
        KilledProgram.delete(directory.resolve(name));
    }
}
