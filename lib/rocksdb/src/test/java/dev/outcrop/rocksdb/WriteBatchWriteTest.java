package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Written batches: the resulting database, and what is refused before it can do harm. */
class WriteBatchWriteTest extends DatabaseTest {
    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;
    @SuppressWarnings("NullAway.Init") // before each test
    private ColumnFamily users;
    @SuppressWarnings("NullAway.Init") // before each test
    private ColumnFamily reversed;
    @SuppressWarnings("NullAway.Init") // before each test
    private ColumnFamily stamped;

    private static Map<String, Options> families() {
        return Map.of("users", new Options().mergeOperator(MergeOperator.STRING_APPEND), "reversed",
                new Options().set("comparator=rocksdb.ReverseBytewiseComparator"), "stamped",
                new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
    }

    @BeforeEach
    void setUp() {
        db = closeLater(RocksDB.open(directory.resolve("db"), create().createMissingColumnFamilies(true), families()));
        users = family("users");
        reversed = family("reversed");
        stamped = family("stamped");
    }

    private ColumnFamily family(String name) {
        return db.columnFamily(name);
    }

    private void reopen() {
        db.close();
        setUp();
    }

    private static @Nullable String get(KeyValueReader from, String key) {
        byte[] value = from.get(Bytes.of(key));
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private static MemorySegment segment(String text) {
        return Bytes.inNative(Bytes.of(text));
    }

    @Test
    void everyKindOfOperationReachesItsColumnFamily() {
        for (String key : List.of("a", "b", "c", "d", "e")) {
            db.put(Bytes.of(key), VALUE);
            users.put(Bytes.of(key), VALUE);
        }
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, Bytes.of("1"));
        batch.delete(Bytes.of("a"));
        batch.singleDelete(Bytes.of("b"));
        batch.deleteRange(Bytes.of("c"), Bytes.of("d"));
        batch.putEntity(segment("entity"), List.of(new WideColumn(Bytes.of("x"), Bytes.of("2")),
                new WideColumn(Bytes.of(""), Bytes.of("3"))));
        batch.putLogData(segment("not to be seen"));
        batch.in(users).put(KEY, Bytes.of("4"));
        batch.in(users).delete(Bytes.of("b"));
        batch.in(users).deleteRange(List.of(segment("c"), segment("c")), List.of(segment("e")));
        batch.in(users).merge(KEY, Bytes.of("5"));
        batch.in(users).merge(List.of(segment("me"), segment("rged")), List.of(segment("6")));
        batch.in(users).putEntity(segment("entity"), List.of(new WideColumn(Bytes.of("x"), Bytes.of("7"))));
        batch.in(reversed).put(KEY, Bytes.of("8"));
        batch.in(reversed).deleteRange(Bytes.of("z"), Bytes.of("l"));

        db.write(batch);

        for (int round = 0; round < 2; round++) {
            assertThat(all(db)).isEqualTo("d=value e=value entity=3 key=1 ");
            assertThat(all(users)).isEqualTo("a=value c=value e=value entity= key=4,5 merged=6 ");
            assertThat(all(reversed)).isEqualTo("key=8 ");
            reopen();
        }
    }

    private static String all(KeyValueReader from) {
        StringBuilder all = new StringBuilder();
        from.scan((key, value) -> {
            all.append(new String(ReadForm.bytes(key), StandardCharsets.UTF_8)).append('=')
                    .append(new String(ReadForm.bytes(value), StandardCharsets.UTF_8)).append(' ');
            return true;
        });
        return all.toString();
    }

    @Test
    void aBatchCanBeWrittenAgainAndElsewhereAndUsedAgain() {
        WriteBatch batch = new WriteBatch();
        batch.in(users).merge(KEY, VALUE);
        db.write(batch);
        db.with(new WriteOptions().disableWAL(true)).write(batch);
        db.with(new WriteOptions().sync(true).protectionBytesPerKey(8)).write(batch);
        assertThat(get(users, "key")).isEqualTo("value,value,value");
        batch.clear();
        db.write(batch);
        batch.put(KEY, VALUE);
        db.write(batch);
        assertThat(get(db, "key")).isEqualTo("value");
        assertThat(get(users, "key")).isEqualTo("value,value,value");
        RocksDB other = closeLater(RocksDB.open(directory.resolve("other"), create()));
        WriteBatch plain = new WriteBatch();
        plain.put(KEY, VALUE);
        db.write(plain);
        other.write(plain);
        assertThat(get(other, "key")).isEqualTo("value");
        other.write(WriteBatch.of(plain.data()));
        assertThatThrownBy(() -> other.write(batch)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other").hasMessageContaining(directory.resolve("db").toString());
        assertThatThrownBy(() -> batch.in(other.defaultColumnFamily())).isInstanceOf(IllegalArgumentException.class);
    }

    /** The batch is refused with that word, nothing of it is there, and the database can be written as before. */
    private void assertRefused(WriteBatch batch, String word) {
        WriteBatch whole = batch;
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> db.write(whole));
        assertThat(thrown).isNotNull().hasMessageContaining(word);
        assertThat(thrown.status().code()).isIn(Status.Code.INVALID_ARGUMENT, Status.Code.NOT_SUPPORTED,
                Status.Code.CORRUPTION);
        assertThat(get(db, "first")).isNull();
        db.put(Bytes.of("second"), VALUE);
        assertThat(get(db, "second")).isEqualTo("value");
    }

    private static WriteBatch withFirst() {
        WriteBatch batch = new WriteBatch();
        batch.put(Bytes.of("first"), VALUE);
        return batch;
    }

    @Test
    void writesThatWouldStopTheDatabaseAreRefused() {
        WriteBatch merge = withFirst();
        merge.merge(KEY, VALUE);
        assertRefused(merge, "merge operator");
        WriteBatch mergeInFamily = withFirst();
        mergeInFamily.in(reversed).merge(KEY, VALUE);
        assertRefused(mergeInFamily, "reversed");
        WriteBatch range = withFirst();
        range.deleteRange(Bytes.of("b"), Bytes.of("a"));
        assertRefused(range, "from \"b\" to before \"a\"");
        assertRefused(range, "ends before it begins; give the smaller key first");
        WriteBatch reversedRange = withFirst();
        reversedRange.in(reversed).deleteRange(Bytes.of("a"), Bytes.of("b"));
        assertRefused(reversedRange, "ends before it begins");
        WriteBatch unknown = withFirst();
        unknown.in("unknown", 77, 0).put(KEY, VALUE);
        assertRefused(unknown, "77");
        reopen();
        assertThat(all(db)).isEqualTo("second=value ");
    }

    /** Records that can stand in RocksDB's own log; in hexadecimal digits. */
    @Test
    void recordsThatOnlyRocksDBMayWriteAreRefused() {
        List<String> records = List.of("09", "0a0161", "0b0161", "0c0161", "12", "13", "1501610161");
        for (String record : records) {
            assertRefused(batch(0, record), "prepared transaction");
        }
        assertRefused(batch(1, "1101610162"), "blob file");
        assertRefused(batch(1, "10010161" + "0162"), "blob file");
        assertRefused(batch(1, "1801610162"), "write time");
        assertRefused(batch(1, "1601610102"), "entity");
        db.write(batch(0, "0d"));
    }

    private static WriteBatch batch(int count, String record) {
        return WriteBatch.of(MemorySegment.ofArray(
                HexFormat.of().parseHex("0000000000000000" + "%02x000000".formatted(count) + record)));
    }

    @Test
    void aMissingColumnFamilyCanBeIgnored() {
        WriteBatch batch = withFirst();
        batch.in("unknown", 77, 0).put(KEY, VALUE);

        db.with(new WriteOptions().ignoreMissingColumnFamilies(true)).write(batch);

        assertThat(get(db, "first")).isEqualTo("value");
    }

    @Test
    void aDroppedColumnFamilyIsRefused() {
        WriteBatch batch = withFirst();
        batch.in(users).put(KEY, VALUE);
        db.dropColumnFamily(users);

        assertRefused(batch, "no column family with the id " + users.id());
        db.createColumnFamily("users", new Options());
        assertRefused(batch, "no column family with the id " + users.id());
        db.with(new WriteOptions().ignoreMissingColumnFamilies(true)).write(batch);
        assertThat(get(db, "first")).isEqualTo("value");
    }

    @Test
    void aClosedDatabaseIsNamed() {
        WriteBatch batch = withFirst();
        batch.in(users).put(KEY, VALUE);
        DatabaseWriter writer = db.with(new WriteOptions());
        db.close();

        for (DatabaseWriter closed : List.of(db, writer)) {
            assertThatThrownBy(() -> closed.write(batch)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        batch.in(users).put(KEY, VALUE);
        assertThat(batch.count()).isEqualTo(3);
    }

    @Test
    void timestampsMustBeThereAndOfTheRightSize() {
        WriteBatch batch = withFirst();
        batch.in(stamped).put(KEY, VALUE);
        assertRefused(batch, "updateTimestamps");
        assertThatThrownBy(() -> batch.updateTimestamps(segment("short"))).isInstanceOf(IllegalArgumentException.class);
        assertRefused(batch, "updateTimestamps");
        WriteBatch entity = withFirst();
        entity.in("stamped", stamped.id(), 0).putEntity(segment("key of some length"), List.of());
        assertRefused(entity, "timestamps");
        WriteBatch tooShort = withFirst();
        tooShort.in("stamped", stamped.id(), 0).put(KEY, VALUE);
        assertRefused(tooShort, "shorter than a timestamp");
        WriteBatch shortEnd = withFirst();
        shortEnd.in("stamped", stamped.id(), 0).deleteRange(new byte[8], KEY);
        assertRefused(shortEnd, "shorter than a timestamp");
        WriteBatch range = withFirst();
        range.in(stamped).at(time(9)).deleteRange(Bytes.of("b"), Bytes.of("a"));
        assertRefused(range, "ends before it begins");
    }

    private static MemorySegment time(long time) {
        MemorySegment bytes = Arena.ofAuto().allocate(8);
        bytes.set(BatchFormat.LONG, 0, time);
        return bytes;
    }

    @Test
    void valuesAreReadAsOfTheirTime() {
        WriteBatch batch = new WriteBatch();
        batch.in(stamped).at(time(10)).put(KEY, Bytes.of("ten"));
        batch.in(stamped).at(time(20)).put(segment("key"), segment("twenty"));
        batch.in(stamped).at(time(30)).delete(KEY);
        db.write(batch);
        batch.clear();
        batch.in(stamped).put(KEY, Bytes.of("forty"));
        batch.updateTimestamps(time(40));
        db.write(batch);

        assertThat(getAt(9)).isNull();
        assertThat(getAt(10)).isEqualTo("ten");
        assertThat(getAt(29)).isEqualTo("twenty");
        assertThat(getAt(39)).isNull();
        assertThat(getAt(99)).isEqualTo("forty");
        batch.clear();
        batch.in(stamped).at(time(50)).deleteRange(Bytes.of("a"), Bytes.of("z"));
        db.write(batch);
        assertThat(getAt(49)).isEqualTo("forty");
        assertThat(getAt(50)).isNull();
    }

    private @Nullable String getAt(long time) {
        try (Arena arena = Arena.ofConfined()) {
            long options = CApi.rocksdb_readoptions_create();
            CApi.rocksdb_readoptions_set_timestamp(options, time(time), 8);
            MemorySegment out = arena.allocate(24);
            MemorySegment key = arena.allocateFrom("key");
            long value = CApi.rocksdb_get_cf(db.database().db, options, stamped.family().handle, key, 3, out.address(),
                    out.address() + 8);
            CApi.rocksdb_readoptions_destroy(options);
            assertThat(out.get(ValueLayout.JAVA_LONG, 8)).isZero();
            return value == 0
                    ? null
                    : new String(
                            NativeCalls.view(value, out.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE),
                            StandardCharsets.UTF_8);
        }
    }

    @Test
    void aDefaultFamilyWithTimestampsTakesOnlyBatchesThatKnowIt() {
        Options options = create().set("comparator=leveldb.BytewiseComparator.u64ts");
        RocksDB timed = closeLater(RocksDB.open(directory.resolve("timed"), options));
        WriteBatch plain = new WriteBatch();
        plain.put(Bytes.of("a key that is long enough"), VALUE);
        assertThatThrownBy(() -> timed.write(plain)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("defaultColumnFamily()");
        WriteBatch knowing = new WriteBatch();
        knowing.in(timed.defaultColumnFamily());
        knowing.put(KEY, VALUE);
        knowing.updateTimestamps(time(5));
        timed.write(knowing);
        timed.write(WriteBatch.of(knowing.data()));
        assertThat(timed.property("rocksdb.num-entries-active-mem-table")).isEqualTo("2");
    }

    @Test
    void aBatchThatIsChangedWhileItIsWrittenDoesNotHarmTheDatabase() {
        AtomicBoolean stop = new AtomicBoolean();
        WriteBatch batch = new WriteBatch();
        WriteBatchFamily inUsers = batch.in(users);
        CompletableFuture<?> changes = CompletableFuture.runAsync(() -> {
            for (int i = 0; !stop.get(); i++) {
                try {
                    byte[] key = new byte[i % 60];
                    batch.put(key, new byte[i % 300]);
                    inUsers.put(key, VALUE);
                    batch.deleteRange(key, new byte[60]);
                    if (i % 50 == 0) {
                        batch.clear();
                    }
                } catch (RuntimeException e) {
                    // The other thread clears too.
                }
            }
        });
        int refused = 0;
        for (int i = 0; i < 3_000; i++) {
            try {
                db.write(batch);
                batch.clear();
            } catch (RocksDBException e) {
                // Half of a change may look like damage, like a range that ends before it begins, or like another kind of entry.
                assertThat(e.status().code()).isIn(Status.Code.CORRUPTION, Status.Code.INVALID_ARGUMENT,
                        Status.Code.NOT_SUPPORTED);
                refused++;
            } catch (IndexOutOfBoundsException e) {
                refused++;
            }
        }
        stop.set(true);
        changes.join();
        System.out.println("WriteBatchWriteTest: " + refused + " spoilt batches");
        db.put(KEY, VALUE);
        assertThat(get(db, "key")).isEqualTo("value");
        reopen();
        assertThat(get(db, "key")).isEqualTo("value");
    }

    @Test
    void droppingAColumnFamilyThatIsWrittenDoesNotStopTheDatabase() {
        for (int round = 0; round < 30; round++) {
            ColumnFamily family = db.createColumnFamily("round " + round, new Options());
            WriteBatch batch = new WriteBatch();
            batch.in(family).put(KEY, VALUE);
            AtomicInteger written = new AtomicInteger();
            List<CompletableFuture<?>> writers = List.of(CompletableFuture.runAsync(() -> {
                while (true) {
                    family.put(KEY, VALUE);
                    written.incrementAndGet();
                }
            }), CompletableFuture.runAsync(() -> {
                while (true) {
                    db.write(batch);
                    written.incrementAndGet();
                }
            }));
            while (written.get() < 50) {
                Thread.onSpinWait();
            }
            db.dropColumnFamily(family);
            assertThatThrownBy(() -> writers.get(0).join()).hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was dropped");
            // The batch finds that it was dropped, or that it is gone.
            assertThatThrownBy(() -> writers.get(1).join()).hasMessageContaining("column family");
            db.put(Integer.toString(round).getBytes(StandardCharsets.UTF_8), VALUE);
        }
        assertThat(db.columnFamilies()).hasSize(4);
    }

    @Test
    void databasesWithTransactionsAreWrittenAsTheirRulesSay() {
        Options options = create().createMissingColumnFamilies(true);
        WriteBatch batch = withFirst();
        WriteBatch range = withFirst();
        range.deleteRange(Bytes.of("a"), Bytes.of("b"));
        TransactionDB locking = closeLater(TransactionDB.open(directory.resolve("locking"), options,
                new TransactionDBOptions(),
                Map.of("stamped", new Options().set("comparator=leveldb.BytewiseComparator.u64ts"))));
        OptimisticTransactionDB optimistic = closeLater(OptimisticTransactionDB.open(directory.resolve("optimistic"),
                options));
        WriteBatchWithIndex indexed = closeLater(new WriteBatchWithIndex(locking, true));
        indexed.put(Bytes.of("first"), Bytes.of("indexed"));
        for (RocksDB database : List.of(locking, optimistic)) {
            database.write(batch);
            assertThat(get(database, "first")).isEqualTo("value");
            assertThatThrownBy(() -> database.write(range)).isInstanceOf(RocksDBException.class);
            database.put(Bytes.of("first"), Bytes.of("still written"));
        }
        try (Transaction transaction = locking.begin()) {
            transaction.put(Bytes.of("first"), Bytes.of("locked"));
            assertThatThrownBy(() -> locking.write(batch)).isInstanceOf(RocksDBException.class);
            assertThatThrownBy(() -> locking.write(indexed)).isInstanceOf(RocksDBException.class);
            transaction.rollback();
        }
        assertThat(get(locking, "first")).isEqualTo("still written");
        locking.write(indexed);
        assertThat(get(locking, "first")).isEqualTo("indexed");
        WriteBatch timed = withFirst();
        timed.in(locking.columnFamily("stamped")).at(time(1)).put(KEY, VALUE);
        assertThatThrownBy(() -> locking.write(timed)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("timestamps");
    }

    @Test
    void aLargeBatchIsWrittenWhole() {
        WriteBatch batch = new WriteBatch();
        for (int i = 0; i < 300_000; i++) {
            byte[] key = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
            batch.put(key, key);
        }
        db.write(batch);
        int[] seen = {0};
        db.scan((key, value) -> {
            assertThat(key.mismatch(value)).isEqualTo(-1);
            seen[0]++;
            return true;
        });
        assertThat(seen[0]).isEqualTo(300_000);
    }
}
