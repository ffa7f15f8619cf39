package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.FlightRecordings;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

class SlowReadEventTest extends DatabaseTest {
    private static final MemorySegment KEY = Bytes.inNative(Bytes.of("key"));
    private static final List<byte[]> KEYS = List.of(Bytes.of("key"), Bytes.of("keys"), Bytes.of("yek"));

    @Test
    void recordsEachFormOfReadBeyondTheThreshold() throws Exception {
        List<RecordedEvent> events = record(Duration.ZERO, SlowReadEventTest::read);

        assertThat(events).hasSize(6).allSatisfy(event -> {
            assertThat(event.getString("columnFamily")).contains("database", directory.getFileName().toString());
            assertThat(event.getInt("keys")).isEqualTo(1);
            assertThat(event.getLong("keySize")).isEqualTo(3);
        });
        assertThat(events.getFirst().getStackTrace().getFrames())
                .anySatisfy(frame -> assertThat(frame.getMethod().getName()).isEqualTo("read"));
    }

    @Test
    void recordsNothingBelowTheThreshold() throws Exception {
        assertThat(record(Duration.ofDays(1), db -> {
            read(db);
            readMany(db);
            readThroughABatch(db);
        })).isEmpty();
    }

    @Test
    void recordsReadsOfManyKeysAsOne() throws Exception {
        List<RecordedEvent> events = record(Duration.ZERO, SlowReadEventTest::readMany);

        assertThat(events).hasSize(3).allSatisfy(event -> {
            assertThat(event.getInt("keys")).isEqualTo(3);
            assertThat(event.getLong("keySize")).isEqualTo(10);
        });
        assertThat(events).extracting(event -> event.getString("columnFamily")).satisfiesExactly(
                first -> assertThat(first).startsWith("database"), second -> assertThat(second).startsWith("database"),
                third -> assertThat(third).startsWith("2 column families of database"));
    }

    @Test
    void recordsReadsThroughABatch() throws Exception {
        assertThat(record(Duration.ZERO, SlowReadEventTest::readThroughABatch)).hasSize(3)
                .allSatisfy(event -> assertThat(event.getLong("keySize")).isEqualTo(3));
    }

    @Test
    void recordsReadsOfTransactions() throws Exception {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording();
                TransactionDB db = TransactionDB.open(directory.resolve("db"), create())) {
            recording.enable("dev.outcrop.SlowRead").withThreshold(Duration.ZERO);
            db.put(KEY, KEY);
            recording.start();
            assertThat(db.get(KEY)).hasSize(3); // 1
            try (Transaction transaction = db.begin()) {
                assertThat(transaction.get(Bytes.of("key"))).hasSize(3); // 2
                assertThat(transaction.get(KEY, MemorySegment.NULL)).isEqualTo(3); // 3
                assertThat(transaction.getForUpdate(Bytes.of("key"))).hasSize(3); // 4
                try (PinnedSlice pinned = transaction.getPinned(KEY)) { // 5
                    assertThat(pinned).isNotNull();
                }
                assertThat(transaction.multiGetForUpdate(KEYS)).hasSize(3); // 6
                assertThat(transaction.multiGet(KEYS)).hasSize(3); // 7
            }
            recording.stop();
            recording.dump(file);
        }
        assertThat(events(file)).extracting(event -> event.getInt("keys")).containsExactly(1, 1, 1, 1, 1, 3, 3);
    }

    @Test
    void recordsReadsWithTimestamps() throws Exception {
        List<RecordedEvent> events = record(Duration.ZERO, db -> {
            ColumnFamily family = db.findColumnFamily("versions");
            if (family == null) {
                family = db.createColumnFamily("versions",
                        new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
            }
            KeyValueReader reader = family.with(new ReadOptions().timestamp(7));
            assertThat(reader.getTimestamped(KEY)).isNull();
            assertThat(reader.multiGetTimestamped(KEYS)).hasSize(3);
        });

        assertThat(events).extracting(event -> event.getInt("keys")).containsExactly(1, 3);
        assertThat(events).extracting(event -> event.getLong("keySize")).containsExactly(3L, 10L);
    }

    private interface Work {
        void in(RocksDB db);
    }

    private List<RecordedEvent> record(Duration threshold, Work work) throws Exception {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording();
                RocksDB db = RocksDB.open(directory.resolve("db"), create())) {
            recording.enable("dev.outcrop.SlowRead").withThreshold(threshold);
            db.put(KEY, KEY);
            work.in(db); // before the start: not recorded
            recording.start();
            work.in(db);
            recording.stop();
            recording.dump(file);
        }
        return events(file);
    }

    private static List<RecordedEvent> events(Path file) throws Exception {
        return FlightRecordings.named(FlightRecordings.read(file), "dev.outcrop.SlowRead");
    }

    private static void readMany(RocksDB db) {
        ColumnFamily users = db.findColumnFamily("users");
        if (users == null) {
            users = db.createColumnFamily("users", new Options());
        }
        assertThat(db.multiGet(KEYS)).hasSize(3);
        try (MultiGet request = db.multiGet()) {
            KEYS.forEach(request::add);
            request.execute(Bytes.inNative(new byte[100])).close();
            request.clear().add(KEYS.getFirst()).add(users, KEYS.get(1)).add(KEYS.getLast()).execute().close();
        }
    }

    private static void readThroughABatch(RocksDB db) {
        try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true)) {
            IndexedBatchFamily family = batch.in(db.columnFamily("default"));
            assertThat(family.getFromBatchAndDB(Bytes.of("key"))).hasSize(3);
            assertThat(family.getFromBatchAndDB(KEY)).hasSize(3);
            try (PinnedSlice pinned = family.getPinnedFromBatchAndDB(KEY)) {
                assertThat(pinned).isNotNull();
            }
        }
    }

    private static void read(RocksDB db) {
        MemorySegment buffer = Bytes.inNative(new byte[100]);
        assertThat(db.get(Bytes.of("key"))).hasSize(3);
        assertThat(db.get(KEY)).hasSize(3);
        assertThat(db.get(KEY, buffer)).isEqualTo(3);
        assertThat(db.get(KEY, Bytes.onHeap(new byte[100]))).isEqualTo(3);
        try (PinnedSlice pinned = db.getPinned(KEY); PinnedSlice hybrid = db.getHybrid(KEY, buffer)) {
            assertThat(pinned).isNotNull();
            assertThat(hybrid).isNotNull();
        }
    }
}
