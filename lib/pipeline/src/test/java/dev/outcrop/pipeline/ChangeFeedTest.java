package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.CompressionType;
import dev.outcrop.rocksdb.Env;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteOptions;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of a database come into a queue, each once, and out of it into a replica. */
class ChangeFeedTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};
    private static final QueueOptions KEEPING = new QueueOptions().segmentSize(1 << 20).keepBytes(1 << 20);

    @TempDir
    private Path directory;
    private RocksDB db;
    private Queue queue;
    private RocksDB replica;

    @BeforeEach
    void open() {
        db = Replicas.database(directory.resolve("db"));
        queue = Queue.open(directory.resolve("queue"), KEEPING);
        replica = Replicas.database(directory.resolve("replica"));
    }

    @AfterEach
    void close() {
        replica.close();
        queue.close();
        db.close();
    }

    private void change(int count, int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            Replicas.change(db, random);
        }
    }

    private void feed() throws InterruptedException {
        feed(ChangeFeed.from(db));
    }

    private void feed(ChangeFeedBuilder options) throws InterruptedException {
        try (ChangeFeed feed = options.into(queue)) {
            assertThat(feed.drain(LONG)).isTrue();
            assertThat(feed.position()).isEqualTo(db.latestSequenceNumber() + 1);
            assertThat(feed.lag()).isZero();
        }
    }

    private void replicate() throws InterruptedException {
        try (Pipeline pipeline = Pipeline.from(queue, "replica").map(ChangeFeed.mapper(replica)).into(replica)) {
            assertThat(pipeline.drain(LONG)).isTrue();
        }
    }

    private void refused(ChangeFeedBuilder options, String... parts) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> options.into(queue)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("The feed of the changes of ").hasMessageContaining("does not start")
                    .hasMessageContainingAll(parts);
        }
    }

    private int records() {
        int records = 0;
        try (Tailer tailer = Tailer.open(queue.directory())) {
            while (tailer.poll()) {
                records++;
            }
        }
        return records;
    }

    @Test
    void aDatabaseInMemoryHasOneToo() throws Exception {
        try (RocksDB memory = RocksDB.open(Path.of("/no such directory/db"),
                new Options().createIfMissing(true).env(Env.inMemory()));
                ChangeFeed feed = ChangeFeed.from(memory).into(queue)) {
            memory.put(ONE, ONE);
            assertThat(feed.drain(LONG)).isTrue();
            assertThat(queue.nextOffset()).isEqualTo(1);
        }
    }

    @Test
    void changesReachFamiliesWithNamesThatAreNoText() throws Exception {
        byte[] key = {1};
        for (byte name : new byte[]{-1, -2}) {
            String family = ColumnFamily.nameOf(new byte[]{name, 1});
            db.createColumnFamily(family, new Options()).put(key, new byte[]{name});
            replica.createColumnFamily(family, new Options());
        }
        feed();
        replicate();
        for (byte name : new byte[]{-1, -2}) {
            assertThat(replica.columnFamily(ColumnFamily.nameOf(new byte[]{name, 1})).get(key)).containsExactly(name);
        }
    }

    @Test
    void aReplicaIsEqual() throws Exception {
        change(500, 1);
        try (ChangeFeed feed = ChangeFeed.from(db).into(queue);
                Pipeline pipeline = Pipeline.from(queue, "replica").map(ChangeFeed.mapper(replica)).into(replica)) {
            change(500, 2);
            assertThat(feed.state()).isEqualTo(PipelineState.RUNNING);
            assertThat(feed.drain(LONG)).isTrue();
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(records()).isEqualTo(1000);
        assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db)).hasSizeGreaterThan(100);
    }

    @Test
    void theFeedGoesOnWhereItWas() throws Exception {
        for (int round = 1; round <= 3; round++) {
            change(100, round);
            feed();
            feed();
            assertThat(records()).isEqualTo(100 * round);
            replicate();
            assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
            close();
            open();
        }
    }

    /** RocksDB does not count empty ranges when it recovers its log: the numbers of some changes are used twice. */
    @Test
    void changesThatRecoveryDoesNotCountAreNoGap() throws Exception {
        for (int ranges : new int[]{1, 3}) {
            for (boolean isBehind : new boolean[]{false, true}) {
                count(1, ranges);
                if (!isBehind) {
                    feed();
                }
                close();
                open();
                if (!isBehind) {
                    feed();
                }
                count(1, 0);
                count(1, 0);
                feed();
                replicate();
                assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
            }
        }
        assertThat(records()).isEqualTo(12);
    }

    @Test
    void batchesOfEmptyRangesAloneAreLeftOut() throws Exception {
        count(1, 0);
        count(0, 2);
        close();
        open();
        count(1, 0);
        feed();
        count(0, 1);
        feed();
        replicate();
        assertThat(records()).isEqualTo(2);
        assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
    }

    /** RocksDB finds one only of two files that begin with the same number. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChangeThatTheLogDoesNotShowIsNotLostSilently(boolean isWrittenBefore) throws Exception {
        close();
        open();
        count(0, 1);
        close();
        open();
        if (isWrittenBefore) {
            count(1, 0);
            count(1, 0);
        }
        try (ChangeFeed feed = ChangeFeed.from(db).into(queue)) {
            if (!isWrittenBefore) {
                count(1, 0);
                count(1, 0);
            }
            boolean isDrained = feed.drain(LONG);
            assertThat(isDrained).isTrue();
            replicate();
            assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
        } catch (PipelineException e) {
            assertThat(e).hasMessageContaining("more than one change 1").hasMessageContaining("checkpoint");
        }
    }

    @Test
    void emptyRangesOfThisProcessAreNoGap() throws Exception {
        try (ChangeFeed feed = ChangeFeed.from(db).into(queue)) {
            for (int round = 0; round < 3; round++) {
                count(0, 2);
                count(2, 1);
                assertThat(feed.drain(LONG)).isTrue();
            }
        }
        replicate();
        assertThat(records()).isEqualTo(3);
        assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
    }

    @Test
    void aCheckpointThatDoesNotCountEmptyRangesIsAStart() throws Exception {
        count(1, 1);
        db.checkpoint(directory.resolve("checkpoint"));
        count(1, 0);
        replica.close();
        replica = Replicas.database(directory.resolve("checkpoint"));
        assertThat(replica.latestSequenceNumber()).isLessThan(2);
        feed(ChangeFeed.from(db).startAt(replica.latestSequenceNumber() + 1));
        replicate();
        assertThat(records()).isEqualTo(1);
        assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
        replica.close();
        replica = Replicas.database(directory.resolve("replica"));
    }

    @Test
    void aFeedBeginsWithAWholeBatch() {
        count(3, 0);
        try (ChangeFeed feed = ChangeFeed.from(db).startAt(2).into(queue)) {
            assertThatThrownBy(() -> feed.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("in the middle of a batch").hasMessageContaining("changes 1 to 3")
                    .hasMessageContaining("startAt(4)");
        }
        assertThat(records()).isZero();
    }

    /** With empty ranges in the middle of batches, and as often as anything else. */
    @Test
    void numbersThatAreUsedAgainLoseNothing() throws Exception {
        Random random = new Random(TestSize.seed(getClass()));
        for (int round = 0; round < 30; round++) {
            // The first one has changes: a file that begins with none is the business of another test.
            count(1, random.nextInt(3));
            for (int i = random.nextInt(4); i > 0; i--) {
                if (random.nextBoolean()) {
                    Replicas.change(db, random);
                } else {
                    count(random.nextInt(3), random.nextInt(1, 3));
                }
            }
            if (random.nextBoolean()) {
                feed();
            }
            if (random.nextBoolean()) {
                close();
                open();
            }
        }
        feed();
        replicate();
        assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
    }

    /** Writes one batch with so many additions to a counter, and as many empty ranges behind them. */
    private void count(int additions, int emptyRanges) {
        WriteBatch batch = new WriteBatch();
        for (int i = 0; i < additions; i++) {
            batch.in(db.columnFamily("counters")).merge(Records.key(1), ONE);
        }
        for (int i = 0; i < emptyRanges; i++) {
            MemorySegment key = MemorySegment.ofArray(Records.key(i));
            batch.deleteRange(key, key);
        }
        db.write(batch);
    }

    @Test
    void columnFamiliesAreFoundByTheirNames() throws Exception {
        replica.createColumnFamily("something before, so that ids differ", new Options());
        ColumnFamily made = db.createColumnFamily("made", new Options());
        ColumnFamily dropped = db.createColumnFamily("dropped", new Options());
        made.put("key".getBytes(StandardCharsets.UTF_8), "value".getBytes(StandardCharsets.UTF_8));
        dropped.put("key".getBytes(StandardCharsets.UTF_8), "value".getBytes(StandardCharsets.UTF_8));
        db.dropColumnFamily(dropped);
        feed();
        replicate();
        assertThat(replica.columnFamily("made").get("key".getBytes(StandardCharsets.UTF_8)))
                .asString(StandardCharsets.UTF_8).isEqualTo("value");
        assertThat(replica.findColumnFamily("dropped")).isNull();
    }

    /** A database can be written by a pipeline and followed by a feed. */
    @Test
    void thePositionsOfPipelinesAreLeftOut() throws Exception {
        try (Queue orders = Queue.open(directory.resolve("orders"));
                Pipeline pipeline = Pipeline.from(orders, "orders").map((offset, payload, writes) -> {
                    if (offset % 2 == 1) {
                        writes.put(Records.key(offset), new byte[1]);
                    }
                }).batchBytes(1).into(db)) {
            for (int i = 0; i < 10; i++) {
                orders.append(new byte[1]);
            }
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        feed();
        replicate();
        assertThat(records()).isLessThanOrEqualTo(6);
        assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db)).hasSize(5);
    }

    @Test
    void aFeedMayBeginWithACheckpoint() throws Exception {
        change(100, 1);
        db.checkpoint(directory.resolve("checkpoint"));
        change(100, 2);
        replica.close();
        replica = Replicas.database(directory.resolve("checkpoint"));
        feed(ChangeFeed.from(db).startAt(replica.latestSequenceNumber() + 1).durability(Durability.SYNCED));
        replicate();
        assertThat(records()).isEqualTo(100);
        assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
        replica.close();
        replica = Replicas.database(directory.resolve("replica"));
    }

    @Test
    void aLogThatIsGoneIsMissed() throws Exception {
        db.close();
        db = RocksDB.open(directory.resolve("short"), new Options().createIfMissing(true));
        db.put(Records.key(1), new byte[1]);
        db.flush();
        db.put(Records.key(2), new byte[1]);
        db.flush();
        refused(ChangeFeed.from(db), "the log of the database has no longer change 1", "checkpoint", "WALTtlSeconds");
        feed(ChangeFeed.from(db).startAt(db.latestSequenceNumber() + 1));
        assertThat(records()).isZero();
    }

    @Test
    void whatIsWrittenWithoutTheLogStopsTheFeed() throws Exception {
        try (ChangeFeed feed = ChangeFeed.from(db).into(queue)) {
            db.put(Records.key(1), new byte[1]);
            db.with(new WriteOptions().disableWAL(true)).put(Records.key(2), new byte[1]);
            db.put(Records.key(3), new byte[1]);
            assertThatThrownBy(() -> feed.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("no longer change 2");
            assertThat(feed.state()).isEqualTo(PipelineState.FAILED);
            assertThat(feed.failure()).isNotNull();
        }
    }

    @Test
    void aDatabaseThatHasLostChangesIsRefused() throws Exception {
        change(10, 1);
        db.close();
        KilledProgram.copy(directory.resolve("db"), directory.resolve("old"));
        db = Replicas.database(directory.resolve("db"));
        change(10, 2);
        feed();
        db.close();
        db = Replicas.database(directory.resolve("old"));
        refused(ChangeFeed.from(db), "the queue has changes up to", "lost", "checkpoint");
        change(30, 3);
        refused(ChangeFeed.from(db), "is not the one in the log of the database");
    }

    @Test
    void aQueueThatHasOtherRecordsIsRefused() {
        queue.append(new byte[100]);
        assertThatThrownBy(() -> ChangeFeed.from(db).into(queue)).isInstanceOf(PipelineException.class)
                .hasMessageContaining("not a change of a database");
        try (Pipeline pipeline = Pipeline.from(queue, "replica").map(ChangeFeed.mapper(replica)).into(replica)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).hasMessageContaining("not a change of a database");
        }
    }

    @Test
    void aQueueHasOneFeedAndGoesOnAtItsEnd() throws Exception {
        change(10, 1);
        try (ChangeFeed feed = ChangeFeed.from(db).into(queue)) {
            refused(ChangeFeed.from(db), "runs already");
            assertThat(feed.drain(LONG)).isTrue();
            feed.pause();
            change(1, 2);
            assertThat(feed.state()).isEqualTo(PipelineState.PAUSED);
            assertThat(feed.lag()).isPositive();
            feed.resume();
            assertThat(feed.drain(LONG)).isTrue();
        }
        refused(ChangeFeed.from(db).startAt(1), "cannot go on with change 1");
        feed(ChangeFeed.from(db).startAt(db.latestSequenceNumber() + 1));
        assertThatThrownBy(() -> ChangeFeed.from(db).startAt(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChangeFeed.from(db).durability(Durability.groupCommit(LONG, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLastChangeStaysInAQueueThatKeepsSome() throws Exception {
        try (Queue small = Queue.open(directory.resolve("small"),
                new QueueOptions().segmentSize(64 << 10).keepBytes(1000));
                Consumer consumer = small.group("all").consumer()) {
            for (int round = 0; round < 20; round++) {
                change(50, round);
                try (ChangeFeed feed = ChangeFeed.from(db).into(small)) {
                    assertThat(feed.drain(LONG)).isTrue();
                }
                while (consumer.poll(100, (offset, _, _) -> consumer.acknowledge(offset)) > 0) {
                    assertThat(small.nextOffset()).isEqualTo(50L * (round + 1));
                }
            }
            while (small.firstOffset() == 0) {
                Thread.sleep(1);
            }
        }
    }

    @Test
    void closingAFeedTwiceDoesNotEndTheNextOne() throws Exception {
        ChangeFeed first = ChangeFeed.from(db).into(queue);
        first.close();
        try (ChangeFeed _ = ChangeFeed.from(db).into(queue)) {
            first.close();
            refused(ChangeFeed.from(db), "runs already");
        }
        feed();
    }

    @Test
    void aDatabaseWithATimeToLiveIsRefused() {
        try (RocksDB kept = RocksDB.openWithTtl(directory.resolve("ttl"), new Options().createIfMissing(true),
                Duration.ofDays(1))) {
            kept.put(ONE, ONE);
            refused(ChangeFeed.from(kept), "time to live");
        }
    }

    @Test
    void aFeedDoesNotWaitForRoomWhileItPausesAndCloses() throws Exception {
        try (Queue small = Queue.open(directory.resolve("small"),
                new QueueOptions().segmentSize(1 << 20).keepBytes(1 << 20).maxRecords(10))) {
            small.group("reader");
            change(100, 1);
            try (ChangeFeed feed = ChangeFeed.from(db).into(small)) {
                for (int i = 0; i < 3; i++) {
                    PipelineFixture.waitWhile(() -> small.statistics().waitingAppends() == 0);
                    feed.pause();
                    assertThat(feed.state()).isEqualTo(PipelineState.PAUSED);
                    feed.resume();
                }
                PipelineFixture.waitWhile(() -> small.statistics().waitingAppends() == 0);
            }
            assertThat(small.nextOffset()).isEqualTo(10);
            try (ChangeFeed feed = ChangeFeed.from(db).into(small);
                    Pipeline pipeline = Pipeline.from(small, "reader").map(ChangeFeed.mapper(replica)).into(replica)) {
                PipelineFixture.waitWhile(() -> small.statistics().waitingAppends() == 0 && feed.lag() > 0);
                feed.pause();
                feed.resume();
                assertThat(feed.drain(LONG)).isTrue();
                assertThat(pipeline.drain(LONG)).isTrue();
            }
            assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
        }
    }

    @Test
    void aCompressedLogIsRefused() {
        Options options = new Options().createIfMissing(true).WALTtlSeconds(Duration.ofDays(1));
        Path path = directory.resolve("compressed");
        try (RocksDB compressed = RocksDB.open(path, options.copy().walCompression(CompressionType.ZSTD))) {
            compressed.put(ONE, ONE);
            refused(ChangeFeed.from(compressed), "walCompression is kZSTD");
        }
        try (RocksDB plain = RocksDB.open(path, options); ChangeFeed feed = ChangeFeed.from(plain).into(queue)) {
            assertThat(feed.state()).isEqualTo(PipelineState.RUNNING);
        }
    }
}
