package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches that can be read before they are written. */
class WriteBatchWithIndexTest extends DatabaseTest {
    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;
    @SuppressWarnings("NullAway.Init") // before each test
    private ColumnFamily users;
    @SuppressWarnings("NullAway.Init") // before each test
    private ColumnFamily stamped;

    @BeforeEach
    void setUp() {
        db = closeLater(RocksDB.open(directory.resolve("db"), create().createMissingColumnFamilies(true),
                Map.of("users", new Options().mergeOperator(MergeOperator.STRING_APPEND), "stamped",
                        new Options().set("comparator=leveldb.BytewiseComparator.u64ts"))));
        users = db.columnFamily("users");
        stamped = db.columnFamily("stamped");
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static MemorySegment segment(String text) {
        return Bytes.inNative(Bytes.of(text));
    }

    @Test
    void isReadAloneAndOverTheDatabase() {
        db.put(KEY, Bytes.of("old"));
        db.put(Bytes.of("only in db"), VALUE);
        users.put(KEY, Bytes.of("old"));
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(db, true));
        IndexedBatchFamily inUsers = batch.in(users);
        batch.put(KEY, VALUE);
        batch.delete(Bytes.of("only in db"));
        batch.put(List.of(segment("par"), segment("ts")), List.of(segment("a"), MemorySegment.ofArray(Bytes.of("b"))));
        inUsers.merge(KEY, Bytes.of("new"));
        inUsers.put(Bytes.of("x"), VALUE);
        inUsers.merge(segment("x"), segment("more"));
        inUsers.singleDelete(Bytes.of("y"));

        assertThat(text(batch.getFromBatch(KEY))).isEqualTo("value");
        assertThat(text(batch.getFromBatch(Bytes.of("parts")))).isEqualTo("ab");
        assertThat(batch.getFromBatch(Bytes.of("only in db"))).isNull();
        assertThat(batch.getFromBatchAndDB(Bytes.of("only in db"))).isNull();
        assertThat(text(inUsers.getFromBatch(Bytes.of("x")))).isEqualTo("value,more");
        assertThatThrownBy(() -> inUsers.getFromBatch(KEY)).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.status().code()).isEqualTo(Status.Code.MERGE_IN_PROGRESS));
        assertThat(text(inUsers.getFromBatchAndDB(KEY))).isEqualTo("old,new");
        assertThat(text(inUsers.getFromBatchAndDB(segment("x")))).isEqualTo("value,more");
        assertThat(inUsers.getFromBatchAndDB(Bytes.of("nowhere"))).isNull();
        assertThat(text(db.get(KEY))).isEqualTo("old");
        assertThat(batch.count()).isEqualTo(7);

        db.write(batch);

        assertThat(text(db.get(KEY))).isEqualTo("value");
        assertThat(db.get(Bytes.of("only in db"))).isNull();
        assertThat(text(users.get(KEY))).isEqualTo("old,new");
        batch.clear();
        assertThat(batch.count()).isZero();
        assertThat(batch.getFromBatch(KEY)).isNull();
        db.write(batch);
    }

    @Test
    void pinsOutliveTheBatchAndTheDatabase() {
        db.put(KEY, Bytes.of("in the database"));
        db.flush();
        WriteBatchWithIndex batch = new WriteBatchWithIndex(db, false);
        batch.put(Bytes.of("new"), Bytes.of("in the batch"));
        IndexedBatchFamily family = batch.in(db.defaultColumnFamily());
        assertThat(family.getPinnedFromBatchAndDB(segment("nowhere"))).isNull();
        PinnedSlice old = Objects.requireNonNull(family.getPinnedFromBatchAndDB(segment("key")));
        PinnedSlice added = Objects.requireNonNull(family.getPinnedFromBatchAndDB(segment("new")));
        batch.clear();
        batch.close();
        db.close();
        assertThat(text(ReadForm.bytes(old.segment()))).isEqualTo("in the database");
        assertThat(text(ReadForm.bytes(added.segment()))).isEqualTo("in the batch");
        old.close();
        added.close();
        assertThat(db.pinnedBytes()).isZero();
        assertThatThrownBy(() -> old.segment().get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void snapshotsAreReadUnderTheBatch() {
        db.put(KEY, Bytes.of("old"));
        Snapshot snapshot = closeLater(db.snapshot());
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(db, true));
        db.put(KEY, Bytes.of("new"));
        IndexedBatchFamily family = batch.in(db.defaultColumnFamily());
        assertThat(text(family.getFromBatchAndDB(KEY))).isEqualTo("new");
        assertThat(text(family.with(new ReadOptions().snapshot(snapshot)).getFromBatchAndDB(KEY))).isEqualTo("old");
    }

    @Test
    void savePointsAndLogData() {
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(db, true));
        batch.put(KEY, Bytes.of("1"));
        batch.setSavePoint();
        batch.put(KEY, Bytes.of("2"));
        batch.in(users).put(KEY, VALUE);
        batch.putLogData(segment("log"));
        assertThat(WriteBatchTest.records(batch.toWriteBatch())).containsExactly("put 0 key=1", "put 0 key=2",
                "put " + users.id() + " key=value", "log log");
        batch.rollbackToSavePoint();
        assertThat(text(batch.getFromBatch(KEY))).isEqualTo("1");
        assertThat(batch.in(users).getFromBatch(KEY)).isNull();
        assertThat(batch.count()).isEqualTo(1);
        assertThatThrownBy(batch::rollbackToSavePoint).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.status().code()).isEqualTo(Status.Code.NOT_FOUND));
        batch.delete(KEY);
        assertThat(batch.count()).isEqualTo(2);
        db.write(batch.toWriteBatch());
        assertThat(db.get(KEY)).isNull();
    }

    @Test
    void nothingIsRefusedSilently() {
        try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true)) {
            for (ThrowingCallable range : List.<ThrowingCallable>of(() -> batch.deleteRange(KEY, VALUE),
                    () -> batch.deleteRange(List.of(), List.of()), () -> batch.in(users).deleteRange(KEY, VALUE))) {
                assertThatThrownBy(range).isInstanceOfSatisfying(RocksDBException.class,
                        e -> assertThat(e.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED));
            }
            assertThatThrownBy(() -> batch.merge(KEY, VALUE)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("merge operator");
            assertThat(batch.count()).isZero();
        }
        try (WriteBatchWithIndex small = new WriteBatchWithIndex(db, true, 0, 30, false)) {
            small.put(KEY, VALUE);
            for (ThrowingCallable addition : List.<ThrowingCallable>of(() -> small.put(KEY, VALUE),
                    () -> small.putLogData(segment("data that is too long")))) {
                assertThatThrownBy(addition).isInstanceOfSatisfying(RocksDBException.class,
                        e -> assertThat(e.status().subCode()).isEqualTo(Status.SubCode.MEMORY_LIMIT))
                        .hasMessageContaining("30");
            }
            assertThat(small.count()).isEqualTo(1);
            assertThat(text(small.getFromBatch(KEY))).isEqualTo("value");
        }
        assertThatThrownBy(() -> new WriteBatchWithIndex(db, true, -1, 0, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void protectedBatchesAreWritten() {
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(db, true, 1000, 0, true));
        batch.put(KEY, VALUE);
        batch.setSavePoint();
        batch.delete(KEY);
        batch.rollbackToSavePoint();
        db.with(new WriteOptions().protectionBytesPerKey(8)).write(batch);
        assertThat(text(db.get(KEY))).isEqualTo("value");
    }

    @Test
    void timestampsAreSetBeforeWriting() {
        MemorySegment time = Arena.ofAuto().allocate(8).fill((byte) 7);
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(db, true));
        batch.put(KEY, VALUE);
        batch.in(stamped).put(KEY, VALUE);
        assertThatThrownBy(() -> db.write(batch)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("timestamp");
        assertThatThrownBy(() -> batch.updateTimestamps(segment("short"))).isInstanceOf(RocksDBException.class);
        batch.updateTimestamps(time);
        db.write(batch);
        assertThat(stamped.property("rocksdb.num-entries-active-mem-table")).isEqualTo("1");
        assertThat(text(db.get(KEY))).isEqualTo("value");
    }

    @Test
    void aDroppedColumnFamilyIsNoticedBeforeWriting() {
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(db, true));
        batch.put(KEY, VALUE);
        batch.in(users).put(KEY, VALUE);
        db.dropColumnFamily(users);
        assertThatThrownBy(() -> db.write(batch)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("dropped");
        assertThatThrownBy(() -> batch.in(users).getFromBatchAndDB(KEY)).isInstanceOf(IllegalStateException.class);
        assertThat(text(batch.in(users).getFromBatch(KEY))).isEqualTo("value");
        assertThat(db.get(KEY)).isNull();
        batch.clear();
        batch.put(KEY, VALUE);
        db.write(batch);
        assertThat(text(db.get(KEY))).isEqualTo("value");
    }

    @Test
    void aClosedOneSaysSo() {
        WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
        IndexedBatchFamily family = batch.in(users);
        batch.close();
        batch.close();
        for (ThrowingCallable use : List.<ThrowingCallable>of(() -> batch.put(KEY, VALUE), () -> family.delete(KEY),
                batch::clear, batch::count, batch::setSavePoint, batch::toWriteBatch, () -> batch.in(users),
                () -> family.getFromBatch(KEY), () -> family.getFromBatchAndDB(KEY),
                () -> family.getPinnedFromBatchAndDB(segment("key")), () -> db.write(batch))) {
            assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessageContaining("write batch")
                    .hasMessageContaining("closed");
        }
        WriteBatchWithIndex open = new WriteBatchWithIndex(db, true);
        open.put(KEY, VALUE);
        db.close();
        open.put(KEY, Bytes.of("still"));
        assertThat(text(open.getFromBatch(KEY))).isEqualTo("still");
        assertThatThrownBy(() -> db.write(open)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> open.getFromBatchAndDB(KEY)).isInstanceOf(IllegalStateException.class);
        open.close();
    }

    @Test
    void onlyOneThreadAtATime() {
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(db, true));
        List<CompletableFuture<Integer>> threads = List.of(puts(batch), puts(batch));
        int added = threads.stream().mapToInt(CompletableFuture::join).sum();
        assertThat(batch.count()).isEqualTo(added);
    }

    private static CompletableFuture<Integer> puts(WriteBatchWithIndex batch) {
        return CompletableFuture.supplyAsync(() -> {
            int added = 0;
            for (int i = 0; i < 20_000; i++) {
                try {
                    batch.put(KEY, VALUE);
                    added++;
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("another thread");
                }
            }
            return added;
        });
    }

    @Test
    void randomOperationsReadLikeAMap() {
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        for (boolean overwrite : new boolean[]{true, false}) {
            try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, overwrite)) {
                IndexedBatchFamily inUsers = batch.in(users);
                for (int step = 0; step < 3_000; step++) {
                    byte[] key = Bytes.random(random.nextInt(50), 1 + random.nextInt(3));
                    byte[] value = Bytes.random(random.nextLong(), random.nextInt(5_000));
                    switch (random.nextInt(4)) {
                        case 0 -> {
                            inUsers.delete(Bytes.inNative(key));
                            model.remove(key);
                        }
                        case 1 -> {
                            inUsers.put(Bytes.onHeap(key), Bytes.inFile(value));
                            model.put(key, value);
                        }
                        default -> {
                            inUsers.put(key, value);
                            model.put(key, value);
                        }
                    }
                    if (random.nextInt(200) == 0) {
                        db.write(batch);
                        batch.clear();
                    }
                    byte[] asked = Bytes.random(random.nextInt(50), 1 + random.nextInt(3));
                    assertThat(inUsers.getFromBatchAndDB(asked)).as("seed %d", seed).isEqualTo(model.get(asked));
                }
                db.write(batch);
            }
            model.forEach((key, value) -> assertThat(users.get(key)).as("seed %d", seed).isEqualTo(value));
        }
    }

    @Test
    void anEmptyKeyMayLieAnywhere() {
        Options ordered = create().comparator(KeyComparator.of("test.Bytewise", UserComparator.BYTEWISE::compare));
        RocksDB other = closeLater(RocksDB.open(directory.resolve("ordered"), ordered));
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(other, true));
        MemorySegment empty = MemorySegment.ofAddress(-1);
        batch.put(segment("key"), segment("value"));
        batch.put(empty, empty);
        other.put(segment("key"), segment("value"));
        other.put(empty, segment("value"));
        assertThat(batch.getFromBatch(new byte[0])).isEmpty();
        assertThat(text(other.get(empty))).isEqualTo("value");
    }
}
