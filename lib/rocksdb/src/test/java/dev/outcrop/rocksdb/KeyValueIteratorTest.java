package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Moves, entries and failures of an iterator. */
class KeyValueIteratorTest extends DatabaseTest {
    private static final int FORMS = 8;

    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
    }

    @AfterEach
    void closeAndFindTheLockFree() {
        db.close();
        // Only if the native database is closed, and that only if no iterator is left.
        RocksDB.open(directory).close();
    }

    private void put(String... keys) {
        for (String key : keys) {
            db.put(Bytes.of(key), Bytes.of("value of " + key));
        }
    }

    private static List<String> rest(KeyValueIterator entries) {
        List<String> keys = new ArrayList<>();
        for (; entries.isValid(); entries.next()) {
            keys.add(text(entries.key()));
        }
        return keys;
    }

    private static List<String> all(KeyValueIterator entries) {
        entries.seekToFirst();
        return rest(entries);
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void goesWhereAModelGoes(int repetition) {
        long seed = TestSize.seed(getClass()) + repetition;
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        int[] sizes = {0, 1, 7, 29, 1023, 1024, 1025, 5000};
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 100; i++) {
                byte[] key = key(random);
                if (random.nextInt(3) == 0) {
                    db.delete(key);
                    model.remove(key);
                } else {
                    byte[] value = Bytes.random(random.nextLong(), sizes[random.nextInt(sizes.length)]);
                    db.put(key, value);
                    model.put(key, value);
                }
            }
            if (round % 4 == 1) {
                db.flush();
            } else if (round == 10) {
                db.compact();
            }
            ReadOptions options = new ReadOptions();
            switch (round % 5) {
                case 0 -> options.pinData(true);
                case 1 -> options.readaheadSize(64 << 10);
                case 2 -> options.asyncIo(true);
                case 3 -> options.adaptiveReadahead(true).backgroundPurgeOnIteratorCleanup(true);
                default -> {
                }
            }
            try (KeyValueIterator entries = db.with(options).iterator()) {
                walk(entries, model, random, seed);
            }
        }
    }

    private static byte[] key(Random random) {
        int number = random.nextInt(500);
        return number == 0 ? new byte[0] : Bytes.random(number, number % 50 == 1 ? 3000 : 1 + number % 4);
    }

    private static void assertEntry(KeyValueIterator entries, Map.Entry<byte[], byte[]> expected, int form, long seed) {
        byte[] key = expected.getKey();
        byte[] value = expected.getValue();
        switch (form) {
            case 0 -> assertThat(ReadForm.bytes(entries.key())).as("seed %d", seed).isEqualTo(key);
            case 1 -> assertThat(ReadForm.bytes(entries.value())).as("seed %d", seed).isEqualTo(value);
            case 2 -> {
                assertThat(ReadForm.bytes(entries.value())).as("seed %d", seed).isEqualTo(value);
                assertThat(ReadForm.bytes(entries.key())).as("seed %d", seed).isEqualTo(key);
            }
            case 3 -> assertCopy(entries::key, key, seed);
            case 4 -> assertCopy(entries::value, value, seed);
            case 5 -> {
                assertCopy(entries::key, key, seed);
                assertCopy(entries::value, value, seed);
            }
            case 6 -> {
                entries.detach();
                assertThat(entries.isValid()).as("seed %d", seed).isTrue();
                assertCopy(entries::value, value, seed);
            }
            default -> {
                KeyValue entry = entries.entry();
                assertThat(entry.key()).as("seed %d", seed).isEqualTo(key);
                assertThat(entry.value()).as("seed %d", seed).isEqualTo(value);
            }
        }
    }

    private static void assertCopy(ToLongFunction<MemorySegment> read, byte[] expected, long seed) {
        for (int room : new int[]{expected.length, expected.length + 7, Math.max(0, expected.length - 1)}) {
            byte[] copy = new byte[room];
            assertThat(read.applyAsLong(MemorySegment.ofArray(copy))).as("seed %d", seed).isEqualTo(expected.length);
            byte[] whole = room < expected.length ? new byte[room] : Arrays.copyOf(expected, room);
            assertThat(copy).as("seed %d", seed).isEqualTo(whole);
        }
    }

    private static void walk(KeyValueIterator entries, NavigableMap<byte[], byte[]> model, Random random, long seed) {
        Map.@Nullable Entry<byte[], byte[]> expected = null;
        int form = random.nextInt(FORMS);
        for (int step = 0; step < 200; step++) {
            byte[] key = key(random);
            boolean moved;
            switch (random.nextInt(expected == null ? 4 : 12)) {
                case 0 -> {
                    moved = entries.seekToFirst();
                    expected = model.firstEntry();
                }
                case 1 -> {
                    moved = entries.seekToLast();
                    expected = model.lastEntry();
                }
                case 2 -> {
                    moved = switch (random.nextInt(4)) {
                        case 0 -> entries.seek(key);
                        case 1 -> entries.seek(Bytes.inNative(key));
                        case 2 -> entries.seek(Bytes.directBuffer(key));
                        default -> entries.seek(Bytes.onHeap(key));
                    };
                    expected = model.ceilingEntry(key);
                }
                case 3 -> {
                    moved = switch (random.nextInt(4)) {
                        case 0 -> entries.seekForPrev(key);
                        case 1 -> entries.seekForPrev(Bytes.inNative(key));
                        case 2 -> entries.seekForPrev(Bytes.heapBuffer(key));
                        default -> entries.seekForPrev(Bytes.inFile(key));
                    };
                    expected = model.floorEntry(key);
                }
                case 4, 5, 6, 7 -> {
                    moved = entries.next();
                    expected = model.higherEntry(Objects.requireNonNull(expected).getKey());
                }
                default -> {
                    moved = entries.previous();
                    expected = model.lowerEntry(Objects.requireNonNull(expected).getKey());
                }
            }
            assertThat(moved).as("seed %d", seed).isEqualTo(expected != null);
            assertThat(entries.isValid()).as("seed %d", seed).isEqualTo(moved);
            // Runs of the same form: what was asked for at the entry before may be made with it.
            int reads = random.nextInt(4);
            for (int i = 0; expected != null && i < reads; i++) {
                assertEntry(entries, expected, (form + random.nextInt(9) / 8) % FORMS, seed);
            }
            if (random.nextInt(8) == 0) {
                form = random.nextInt(FORMS);
            }
        }
    }

    @Test
    void isNowhereUntilItIsMoved() {
        put("a");
        try (KeyValueIterator entries = db.iterator()) {
            assertThat(entries.isValid()).isFalse();
            assertNowhere(entries);
            assertThat(entries.seek(Bytes.of("b"))).isFalse();
            assertNowhere(entries);
            assertThat(entries.seekToLast()).isTrue();
            assertThat(entries.next()).isFalse();
            assertNowhere(entries);
        }
    }

    private static void assertNowhere(KeyValueIterator entries) {
        List<Runnable> uses = List.of(entries::next, entries::previous, entries::key, entries::value,
                entries::timestamp, () -> entries.key(MemorySegment.ofArray(new byte[9])),
                () -> entries.value(MemorySegment.ofArray(new byte[9])));
        for (Runnable use : uses) {
            assertThatIllegalStateException().isThrownBy(use::run).withMessageContaining("is at no entry")
                    .withMessageContaining("iterator of database");
        }
        entries.detach();
    }

    @Test
    void seesTheDatabaseAsItWasUntilItIsRefreshed() {
        put("a", "c");
        Snapshot snapshot = db.snapshot();
        try (KeyValueIterator entries = db.iterator();
                KeyValueIterator then = db.with(new ReadOptions().snapshot(snapshot)).iterator()) {
            put("b");
            db.delete(Bytes.of("c"));
            for (boolean isFlushed : new boolean[]{false, true}) {
                assertThat(all(entries)).containsExactly("a", "c");
                assertThat(all(then)).containsExactly("a", "c");
                if (!isFlushed) {
                    db.flush();
                }
            }
            snapshot.close();
            assertThat(all(then)).containsExactly("a", "c");

            entries.seekToFirst();
            entries.refresh();
            assertThat(entries.isValid()).isFalse();
            assertThat(all(entries)).containsExactly("a", "b");
            then.refresh();
            assertThat(all(then)).containsExactly("a", "b");
            put("d");
            entries.refresh();
            assertThat(all(entries)).containsExactly("a", "b", "d");
        }
    }

    @Test
    void anIteratorThatRefreshesItselfKeepsItsSnapshot() {
        put("a", "b", "c");
        ReadOptions options;
        KeyValueIterator entries;
        try (Snapshot snapshot = db.snapshot()) {
            options = new ReadOptions().snapshot(snapshot).autoRefreshIteratorWithSnapshot(true);
            entries = db.with(options).iterator();
        }
        try (entries) {
            entries.seekToFirst();
            for (int i = 0; i < 10; i++) {
                db.put(Bytes.of("b"), Bytes.of("new"));
                db.delete(Bytes.of("c"));
                db.flush();
                db.compact();
                entries.seekToFirst();
                entries.next();
                assertThat(text(entries.value())).isEqualTo("value of b");
                entries.next();
                assertThat(text(entries.key())).isEqualTo("c");
            }
            assertThat(db.property("rocksdb.num-snapshots")).isEqualTo("1");
        }
        assertThat(db.property("rocksdb.num-snapshots")).isEqualTo("0");
    }

    @Test
    void aTailingIteratorSeesNewEntriesButCannotGoBack() {
        put("a");
        try (KeyValueIterator entries = db.with(new ReadOptions().tailing(true)).iterator()) {
            assertThat(all(entries)).containsExactly("a");
            put("b");
            entries.seek(Bytes.of("b"));
            assertThat(rest(entries)).containsExactly("b");
            db.flush();
            put("c");
            assertThat(all(entries)).containsExactly("a", "b", "c");

            List<Runnable> refused = List.of(entries::seekToLast, () -> entries.seekForPrev(Bytes.of("b")), () -> {
                entries.seek(Bytes.of("b"));
                entries.previous();
            }, entries::refresh);
            for (Runnable use : refused) {
                RocksDBException thrown = catchThrowableOfType(RocksDBException.class, use::run);
                assertThat(thrown).isNotNull();
                assertThat(thrown.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED);
            }
            assertThat(all(entries)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void optionsThatCannotIterateAreRefusedAtOnce() {
        KeyValueReader persisted = db.with(new ReadOptions().readTier(ReadTier.PERSISTED));
        assertThatThrownBy(persisted::iterator).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("not yet supported in iterators");
        assertThatThrownBy(() -> db.iterators(List.of(db.defaultColumnFamily(), db.defaultColumnFamily()),
                new ReadOptions().readTier(ReadTier.PERSISTED))).isInstanceOf(RocksDBException.class);
    }

    @Test
    void aLimitThatIsReachedIsNotTheEnd() {
        put("a");
        for (int i = 0; i < 100; i++) {
            db.put(Bytes.of("b" + i), Bytes.of("x"));
        }
        put("c");
        for (int i = 0; i < 100; i++) {
            db.delete(Bytes.of("b" + i));
        }
        try (KeyValueIterator entries = db.with(new ReadOptions().maxSkippableInternalKeys(10)).iterator()) {
            assertThat(entries.seekToFirst()).isTrue();
            for (int i = 0; i < 2; i++) {
                RocksDBException thrown = catchThrowableOfType(RocksDBException.class, entries::next);
                assertThat(thrown).isNotNull();
                assertThat(thrown.status().code()).isEqualTo(Status.Code.INCOMPLETE);
                assertThatThrownBy(entries::isValid).isInstanceOf(RocksDBException.class);
                assertThatThrownBy(entries::key).isInstanceOf(RocksDBException.class);
            }
            assertThat(entries.seek(Bytes.of("c"))).isTrue();
            assertThat(text(entries.value())).isEqualTo("value of c");
        }
    }

    @Test
    void copiesValuesThatFitAndReturnsTheSizeOfOthers() {
        put("key");
        try (KeyValueIterator entries = db.iterator(); Arena arena = Arena.ofConfined()) {
            entries.seekToFirst();
            for (MemorySegment buffer : List.of(arena.allocate(20), MemorySegment.ofArray(new byte[20]))) {
                assertThat(entries.key(buffer)).isEqualTo(3);
                assertThat(text(buffer.asSlice(0, 3))).isEqualTo("key");
                assertThat(entries.value(buffer)).isEqualTo(12);
                assertThat(text(buffer.asSlice(0, 12))).isEqualTo("value of key");
                assertThat(entries.value(buffer.asSlice(0, 11).fill((byte) 'x'))).isEqualTo(12);
                assertThat(text(buffer.asSlice(0, 11))).isEqualTo("xxxxxxxxxxx");
                assertThat(entries.key(buffer.asSlice(0, 0))).isEqualTo(3);
                assertThatIllegalArgumentException().isThrownBy(() -> entries.key(buffer.asReadOnly()));
                assertThatIllegalArgumentException().isThrownBy(() -> entries.value(buffer.asReadOnly()));
            }
            assertThat(entries.isValid()).isTrue();
        }
    }

    @Test
    void aFamilyWithoutTimestampsSaysSo() {
        put("a");
        try (KeyValueIterator entries = db.iterator()) {
            entries.seekToFirst();
            assertThatThrownBy(entries::timestamp).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("no timestamps");
            entries.seekToLast();
            assertThatThrownBy(entries::timestamp).isInstanceOf(RocksDBException.class);
        }
    }

    private static byte[] time(long time) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(time).array();
    }

    @Test
    void aFamilyWithTimestampsIsSeenAsOfATime() {
        ColumnFamily stamped = db.createColumnFamily("stamped",
                new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
        WriteBatch batch = new WriteBatch();
        for (long time = 10; time <= 30; time += 10) {
            batch.in(stamped).at(MemorySegment.ofArray(time(time))).put(Bytes.of("a"), Bytes.of("at " + time));
        }
        batch.in(stamped).at(MemorySegment.ofArray(time(25))).put(Bytes.of("b"), Bytes.of("at 25"));
        db.write(batch);

        assertThatThrownBy(stamped::iterator).isInstanceOf(RocksDBException.class);
        try (KeyValueIterator entries = stamped.with(new ReadOptions().timestamp(time(20))).iterator()) {
            assertThat(all(entries)).containsExactly("a");
            assertThat(entries.seekToLast()).isTrue();
            assertThat(text(entries.value())).isEqualTo("at 20");
            assertThat(ReadForm.bytes(entries.timestamp())).isEqualTo(time(20));
            assertThat(entries.seek(Bytes.of("a"))).isTrue();
            assertThat(ReadForm.bytes(entries.timestamp())).isEqualTo(time(20));
        }
        KeyValueReader versions = stamped.with(new ReadOptions().timestamp(time(30)).iterStartTs(time(20)));
        try (KeyValueIterator entries = versions.iterator()) {
            List<String> values = new ArrayList<>();
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                values.add(text(entries.value()));
            }
            assertThat(values).containsExactly("at 30", "at 20", "at 25");
        }
        assertThat(stamped.with(new ReadOptions().timestamp(time(30))).stream(KeyRange.prefix(Bytes.of("a"))))
                .containsExactly(new KeyValue(Bytes.of("a"), Bytes.of("at 30")));

        ReadOptions tooShort = new ReadOptions().timestamp(time(30)).iterStartTs(new byte[3]);
        assertThatIllegalArgumentException().isThrownBy(() -> stamped.with(tooShort)).withMessageContaining("3 bytes");
        ReadOptions pointless = new ReadOptions().iterStartTs(time(20));
        assertThatIllegalArgumentException().isThrownBy(() -> db.with(pointless).iterator());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> db.iterators(List.of(db.defaultColumnFamily()), pointless));
        assertThatThrownBy(() -> stamped.with(new ReadOptions().timestamp(new byte[3])).iterator())
                .isInstanceOf(RocksDBException.class);
        db.dropColumnFamily(stamped);
    }

    @Test
    void iteratesReadOnly() {
        put("a", "b");
        db.close();
        try (RocksDB reader = RocksDB.openReadOnly(directory, new Options());
                KeyValueIterator entries = reader.iterator()) {
            assertThat(all(entries)).containsExactly("a", "b");
            assertThatThrownBy(entries::refresh).isInstanceOf(RocksDBException.class);
            assertThat(all(entries)).containsExactly("a", "b");
        }
    }

    @Test
    void goesOnAfterTheDatabaseIsClosedAndHoldsItsLock() {
        put("a", "b");
        KeyValueIterator entries = db.iterator();
        entries.seekToFirst();
        MemorySegment key = entries.key();
        db.close();

        assertThat(text(key)).isEqualTo("a");
        assertThat(rest(entries)).containsExactly("a", "b");
        entries.refresh();
        assertThat(all(entries)).containsExactly("a", "b");
        assertThatThrownBy(() -> RocksDB.open(directory)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("this process");
        assertThatIllegalStateException().isThrownBy(db::iterator).withMessageContaining("is closed");
        entries.close();
        entries.close();
    }

    @Test
    void goesOnAfterItsFamilyIsDropped() {
        ColumnFamily users = db.createColumnFamily("users", new Options());
        users.put(Bytes.of("a"), Bytes.of("1"));
        users.flush();
        users.put(Bytes.of("b"), Bytes.of("2"));
        try (KeyValueIterator entries = users.iterator()) {
            db.dropColumnFamily(users);
            db.compact();
            assertThat(all(entries)).containsExactly("a", "b");
            entries.refresh();
            assertThat(all(entries)).containsExactly("a", "b");
            assertThatIllegalStateException().isThrownBy(users::iterator).withMessageContaining("was dropped");
        }
    }

    @Test
    void iteratorsOverFamiliesSeeTheSameMoment() {
        ColumnFamily users = db.createColumnFamily("users", new Options());
        put("a");
        users.put(Bytes.of("b"), Bytes.of("in users"));
        List<KeyValueIterator> both = db.iterators(List.of(users, db.defaultColumnFamily(), users));
        put("new");
        users.put(Bytes.of("new"), Bytes.of("too"));
        assertThat(all(both.get(0))).containsExactly("b");
        assertThat(all(both.get(1))).containsExactly("a");
        both.get(0).close();
        assertThatIllegalStateException().isThrownBy(() -> both.get(0).isValid())
                .withMessage("The iterator of column family users of database " + directory + " is closed");
        db.close();
        assertThat(all(both.get(2))).containsExactly("b");
        both.forEach(KeyValueIterator::close);

        assertThatIllegalStateException().isThrownBy(() -> db.iterators(List.of(users)))
                .withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(() -> db.iterators(List.of()));
    }

    @Test
    void iteratorsOverFamiliesAreOfOneDatabase() {
        try (RocksDB other = RocksDB.open(directory.resolve("other"), create())) {
            List<ColumnFamily> mixed = List.of(db.defaultColumnFamily(), other.defaultColumnFamily());
            assertThatIllegalArgumentException().isThrownBy(() -> db.iterators(mixed)).withMessageContaining("other");
            try (Snapshot snapshot = other.snapshot()) {
                ReadOptions options = new ReadOptions().snapshot(snapshot);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> db.iterators(List.of(db.defaultColumnFamily()), options));
            }
        }
        assertThat(db.iterators(List.of())).isEmpty();
        ColumnFamily users = db.createColumnFamily("users", new Options());
        db.dropColumnFamily(users);
        assertThatIllegalStateException().isThrownBy(() -> db.iterators(List.of(db.defaultColumnFamily(), users)))
                .withMessageContaining("was dropped");
        try (Snapshot snapshot = db.snapshot()) {
            List<KeyValueIterator> both = db.iterators(List.of(db.defaultColumnFamily(), db.defaultColumnFamily()),
                    new ReadOptions().snapshot(snapshot));
            put("new");
            assertThat(all(both.get(1))).isEmpty();
            both.forEach(KeyValueIterator::close);
        }
    }
}
