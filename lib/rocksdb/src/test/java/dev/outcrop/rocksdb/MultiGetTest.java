package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Results of a request, the lifetime and threads of its values, and refused misuse. */
class MultiGetTest extends DatabaseTest {
    private static final byte[] SMALL = Bytes.of("small");
    private static final byte[] LARGE = Bytes.random(1, 20_000);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;
    @SuppressWarnings("NullAway.Init") // before each test
    private ColumnFamily users;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
        users = db.createColumnFamily("users", new Options());
        db.put(Bytes.of("small"), SMALL);
        db.put(Bytes.of("large"), LARGE);
        db.put(Bytes.of("empty"), new byte[0]);
        users.put(Bytes.of("small"), Bytes.of("of users"));
        db.flush();
        users.flush();
    }

    @AfterEach
    void close() {
        db.close();
        assertThat(db.pinnedBytes()).isZero();
        // All leases have been given back, so that the lock has too.
        RocksDB.open(directory).close();
    }

    private MultiGet request(String... keys) {
        MultiGet request = db.multiGet();
        for (String key : keys) {
            request.add(Bytes.of(key));
        }
        return request;
    }

    private static byte[] bytes(MultiGetValues values, int i) {
        return ReadForm.bytes(Objects.requireNonNull(values.get(i)));
    }

    @Test
    void valuesComeInTheOrderOfTheKeys() {
        try (MultiGet request = request("small", "nowhere", "empty", "large", "small");
                MultiGetValues values = request.execute()) {
            assertThat(values.size()).isEqualTo(5);
            assertThat(bytes(values, 0)).isEqualTo(SMALL);
            assertThat(values.get(1)).isNull();
            assertThat(bytes(values, 2)).isEmpty();
            assertThat(bytes(values, 3)).isEqualTo(LARGE);
            assertThat(bytes(values, 4)).isEqualTo(SMALL);
            assertThat(List.of(values.isFound(0), values.isFound(1), values.isFound(2))).containsExactly(true, false,
                    true);
            assertThat(List.of(values.size(0), values.size(1), values.size(2), values.size(3)))
                    .containsExactly(5L, (long) KeyValueReader.NOT_FOUND, 0L, 20_000L);
            assertThat(values.bytes()).isEqualTo(20_010);
            assertThat(values.isPinned()).isTrue();
            assertThat(values.error(0)).isNull();
            assertThat(values.error(1)).isNull();
            assertThat(db.pinnedBytes()).isEqualTo(20_010);
        }
        assertThat(db.pinnedBytes()).isZero();
    }

    @Test
    void familiesMayMix() {
        try (MultiGet request = db.multiGet()) {
            request.add(users, SMALL).add(SMALL).add(users, Bytes.of("large")).add(Bytes.of("large"))
                    .add(users, Bytes.inNative(SMALL)).add(users, ByteBuffer.wrap(SMALL)).add(ByteBuffer.wrap(SMALL))
                    .add(db.defaultColumnFamily(), SMALL);
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(Bytes.of("of users"), SMALL, null, LARGE,
                        Bytes.of("of users"), Bytes.of("of users"), SMALL, SMALL);
            }
        }
        try (MultiGet request = users.multiGet().add(SMALL); MultiGetValues values = request.execute()) {
            assertThat(values.toList()).containsExactly(Bytes.of("of users"));
        }
    }

    @Test
    void aListIsEnoughForFewKeys() {
        assertThat(db.multiGet(List.of(SMALL, Bytes.of("nowhere"), Bytes.of("large")))).containsExactly(SMALL, null,
                LARGE);
        assertThat(users.with(new ReadOptions()).multiGet(List.of(SMALL))).containsExactly(Bytes.of("of users"));
        assertThat(db.multiGet(List.of())).isEmpty();
    }

    @Test
    void noKeysAreNoValues() {
        try (MultiGet request = db.multiGet(); MultiGetValues values = request.execute()) {
            assertThat(values.size()).isZero();
            assertThat(values.bytes()).isZero();
            assertThat(values.toList()).isEmpty();
            assertThatThrownBy(() -> values.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void valuesCanLandInOneSegment() {
        try (MultiGet request = request("small", "nowhere", "large", "empty", "small");
                Arena arena = Arena.ofConfined()) {
            request.add(users, SMALL);
            MemorySegment slab = arena.allocate(21_000);
            try (MultiGetValues values = request.execute(slab)) {
                assertThat(values.isPinned()).isFalse();
                assertThat(values.bytes()).isEqualTo(20_018);
                assertThat(db.pinnedBytes()).isZero();
                assertThat(ReadForm.bytes(slab.asSlice(0, 5))).isEqualTo(SMALL);
                assertThat(ReadForm.bytes(slab.asSlice(5, 20_000))).isEqualTo(LARGE);
                assertThat(ReadForm.bytes(slab.asSlice(20_005, 13))).isEqualTo(Bytes.of("smallof users"));
                assertThat(Objects.requireNonNull(values.get(4)).address() - slab.address()).isEqualTo(20_005);
                assertThat(values.get(1)).isNull();
                assertThat(bytes(values, 3)).isEmpty();
                assertThat(bytes(values, 5)).isEqualTo(Bytes.of("of users"));
            }
        }
        try (MultiGet request = request("small", "small");
                MultiGetValues values = request.execute(MemorySegment.ofArray(new byte[10]))) {
            assertThat(values.toList()).containsExactly(SMALL, SMALL);
            assertThat(values.isPinned()).isFalse();
        }
    }

    @Test
    void valuesThatDoNotFitArePinned() {
        byte[] room = new byte[20_004];
        try (MultiGet request = request("small", "large");
                MultiGetValues values = request.execute(MemorySegment.ofArray(room))) {
            assertThat(values.isPinned()).isTrue();
            assertThat(values.bytes()).isEqualTo(20_005);
            assertThat(values.toList()).containsExactly(SMALL, LARGE);
            assertThat(room).isEqualTo(new byte[20_004]);
        }
    }

    @Test
    void theCallersSegmentMustBeUsable() {
        MemorySegment readOnly = MemorySegment.ofArray(new byte[100]).asReadOnly();
        Arena gone = Arena.ofConfined();
        MemorySegment goneSlab = gone.allocate(100);
        gone.close();
        try (MultiGet request = request("small"); Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(100);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> request.execute(readOnly)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("read-only");
                assertThatThrownBy(() -> request.execute(goneSlab)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> CompletableFuture.runAsync(() -> request.execute(confined)).join())
                        .hasCauseInstanceOf(WrongThreadException.class);
                assertThat(db.pinnedBytes()).isZero();
            }
            try (MultiGetValues values = request.execute(confined)) {
                assertThat(bytes(values, 0)).isEqualTo(SMALL);
            }
        }
    }

    @Test
    void aRequestCanBeUsedAgain() {
        try (MultiGet request = request("small")) {
            for (int i = 0; i < 3; i++) {
                try (MultiGetValues values = request.execute()) {
                    assertThat(bytes(values, 0)).isEqualTo(SMALL);
                }
            }
            assertThat(request.size()).isEqualTo(1);
            request.clear();
            assertThat(request.size()).isZero();
            request.add(users, SMALL).add(Bytes.of("large"));
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(Bytes.of("of users"), LARGE);
            }
            request.clear().add(Bytes.of("large"));
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(LARGE);
            }
        }
    }

    @Test
    void keysMayBeAddedWhileValuesAreOpen() {
        try (MultiGet request = request("small"); MultiGetValues values = request.execute()) {
            request.clear();
            for (int i = 0; i < 1000; i++) {
                request.add(i % 2 == 0 ? users : db.defaultColumnFamily(), Bytes.random(i, 500));
            }
            assertThat(values.toList()).containsExactly(SMALL);
            assertThatThrownBy(request::execute).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("still open").hasMessageContaining("database " + directory);
            assertThat(values.toList()).containsExactly(SMALL);
        }
    }

    @Test
    void sortedKeysAreChecked() {
        try (MultiGet request = request("empty", "large", "small").sorted(true)) {
            request.add(users, SMALL);
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(new byte[0], LARGE, SMALL, Bytes.of("of users"));
            }
            request.add(Bytes.of("small")).add(users, SMALL).add(Bytes.of("large"));
            assertThatThrownBy(request::execute).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sorted").hasMessageContaining("number 4");
            request.sorted(false);
            try (MultiGetValues values = request.execute()) {
                assertThat(values.array(6)).isEqualTo(LARGE);
            }
        }
    }

    @Test
    void sortedKeysOfAReversedFamilyAreSortedTheOtherWay() {
        ColumnFamily reversed = db.createColumnFamily("reversed",
                new Options().set("comparator=rocksdb.ReverseBytewiseComparator"));
        reversed.put(Bytes.of("a"), SMALL);
        reversed.put(Bytes.of("b"), LARGE);
        try (MultiGet request = reversed.multiGet().sorted(true).add(Bytes.of("b")).add(Bytes.of("a"))) {
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(LARGE, SMALL);
            }
            request.add(Bytes.of("b"));
            assertThatThrownBy(request::execute).isInstanceOf(IllegalArgumentException.class);
        }
        db.dropColumnFamily(reversed);
    }

    @Test
    void segmentsEndWithTheValues() {
        try (MultiGet request = request("large")) {
            MultiGetValues values = request.execute();
            MemorySegment segment = Objects.requireNonNull(values.get(0));
            assertThatThrownBy(() -> segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
                    .isInstanceOf(IllegalArgumentException.class);
            values.close();
            values.close();
            assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            for (Runnable use : List.<Runnable>of(values::size, () -> values.get(0), () -> values.size(0),
                    () -> values.isFound(0), () -> values.array(0), values::toList, () -> values.error(0),
                    values::bytes, values::isPinned, () -> values.get(0, MemorySegment.NULL),
                    () -> values.get(0, ValueLayout.JAVA_BYTE, 0), () -> values.get(0, SHORT, 0),
                    () -> values.get(0, INT, 0), () -> values.get(0, LONG, 0))) {
                assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class)
                        .hasMessage("The values of a multi-get request of database " + directory + " are closed");
            }
            // The object is used again, and the old segments do not see that.
            try (MultiGetValues others = request.execute()) {
                assertThat(others).isSameAs(values);
                assertThat(bytes(others, 0)).isEqualTo(LARGE);
                assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
                        .isInstanceOf(IllegalStateException.class);
                assertThat(db.pinnedBytes()).isEqualTo(LARGE.length);
            }
            assertThat(db.pinnedBytes()).isZero();
        }
    }

    @Test
    void valuesAreReadInPlaceAndCopied() {
        for (MemorySegment slab : Arrays.asList(null, MemorySegment.ofArray(new byte[SMALL.length + LARGE.length]),
                Arena.ofAuto().allocate(SMALL.length + LARGE.length))) {
            try (MultiGet request = request("small", "missing", "large");
                    MultiGetValues values = slab == null ? request.execute() : request.execute(slab)) {
                int last = LARGE.length - Long.BYTES;
                MemorySegment large = MemorySegment.ofArray(LARGE);
                assertThat(values.get(2, ValueLayout.JAVA_BYTE, last)).isEqualTo(LARGE[last]);
                assertThat(values.get(2, SHORT, last)).isEqualTo(large.get(SHORT, last));
                assertThat(values.get(2, INT, last)).isEqualTo(large.get(INT, last));
                assertThat(values.get(2, LONG, last)).isEqualTo(large.get(LONG, last));
                byte[] copy = new byte[LARGE.length];
                assertThat(values.get(2, MemorySegment.ofArray(copy))).isEqualTo(LARGE.length);
                assertThat(copy).isEqualTo(LARGE);
                assertThat(values.get(0, MemorySegment.ofArray(new byte[SMALL.length - 1]))).isEqualTo(SMALL.length);
                assertThat(values.get(1, MemorySegment.ofArray(copy))).isEqualTo(KeyValueReader.NOT_FOUND);
                assertThatThrownBy(() -> values.get(1, ValueLayout.JAVA_BYTE, 0))
                        .isInstanceOf(NoSuchElementException.class).hasMessageContaining("Key 1 is not there");
                for (Runnable beyond : List.<Runnable>of(() -> values.get(2, LONG, last + 1),
                        () -> values.get(2, INT, -1), () -> values.get(0, SHORT, SMALL.length - 1),
                        () -> values.get(0, ValueLayout.JAVA_BYTE, Long.MAX_VALUE), () -> values.get(3, LONG, 0),
                        () -> values.get(3, MemorySegment.ofArray(copy)))) {
                    assertThatThrownBy(beyond::run).isInstanceOf(IndexOutOfBoundsException.class);
                }
                assertThatThrownBy(() -> values.get(0, MemorySegment.ofArray(copy).asReadOnly()))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void valuesBelongToTheThreadThatExecuted() {
        try (MultiGet request = request("large"); MultiGetValues values = request.execute()) {
            MemorySegment segment = Objects.requireNonNull(values.get(0));
            for (Runnable use : List.<Runnable>of(values::close, () -> values.get(0), () -> values.size(0),
                    () -> values.array(0), values::toList, () -> values.get(0, ValueLayout.JAVA_BYTE, 0),
                    () -> values.get(0, MemorySegment.NULL), () -> segment.get(ValueLayout.JAVA_BYTE, 0))) {
                assertThatThrownBy(() -> CompletableFuture.runAsync(use).join())
                        .isInstanceOf(CompletionException.class).hasCauseInstanceOf(WrongThreadException.class);
            }
            assertThat(bytes(values, 0)).isEqualTo(LARGE);
        }
    }

    @Test
    void aRequestMayBeHandedToAnotherThread() {
        try (MultiGet request = request("small", "large")) {
            try (MultiGetValues values = request.execute()) {
                assertThat(values.size()).isEqualTo(2);
            }
            assertThat(CompletableFuture.supplyAsync(() -> {
                try (MultiGetValues values = request.execute()) {
                    return values.toList();
                }
            }).join()).containsExactly(SMALL, LARGE);
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(SMALL, LARGE);
            }
        }
    }

    @Test
    void valuesOutliveTheirRequestAndTheirDatabase() {
        MultiGet request = request("large", "small");
        try (MultiGetValues values = request.execute()) {
            request.close();
            request.close();
            db.close();
            assertThat(values.toList()).containsExactly(LARGE, SMALL);
            assertThatThrownBy(() -> RocksDB.open(directory)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("this process");
        }
        for (Runnable use : List.<Runnable>of(() -> request.add(SMALL), () -> request.add(Bytes.inNative(SMALL)),
                () -> request.add(users, SMALL), request::clear, request::size, () -> request.sorted(true),
                request::execute, () -> request.execute(MemorySegment.ofArray(SMALL)))) {
            assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class)
                    .hasMessage("The multi-get request of database " + directory + " is closed");
        }
    }

    @Test
    void aClosedDatabaseOrDroppedFamilyIsNamed() {
        try (MultiGet request = request("small").add(users, SMALL).add(Bytes.of("large"))) {
            db.dropColumnFamily(users);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(request::execute).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("column family users").hasMessageContaining("was dropped");
                assertThat(db.pinnedBytes()).isZero();
            }
            request.clear().add(SMALL);
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(SMALL);
            }
            db.close();
            assertThatThrownBy(request::execute).isInstanceOf(IllegalStateException.class)
                    .hasMessage("The database " + directory + " is closed");
        }
        assertThatThrownBy(db::multiGet).isInstanceOf(IllegalStateException.class)
                .hasMessage("The database " + directory + " is closed");
    }

    @Test
    void foreignFamiliesAreRefused() {
        try (RocksDB other = RocksDB.open(directory.resolve("other"), create());
                MultiGet request = db.multiGet()) {
            assertThatThrownBy(() -> request.add(other.defaultColumnFamily(), SMALL))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("does not belong");
            assertThat(request.size()).isZero();
        }
    }

    @Test
    void keysMustBeUsableWhenTheyAreAdded() {
        Arena gone = Arena.ofConfined();
        MemorySegment goneKey = gone.allocateFrom("key");
        gone.close();
        try (MultiGet request = request("small"); Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocateFrom("key");
            assertThatThrownBy(() -> request.add(goneKey)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> request.add(confined)).join())
                    .hasCauseInstanceOf(WrongThreadException.class);
            assertThatThrownBy(() -> request.add(NativeCalls.view(goneKey.address(), 4L << 30)))
                    .isInstanceOf(RocksDBException.class).hasMessageContaining("split");
            assertThat(request.size()).isEqualTo(1);
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(SMALL);
            }
        }
    }

    @Test
    void aSnapshotIsReadInAllFamilies() {
        Snapshot snapshot = db.snapshot();
        try (MultiGet request = db.with(new ReadOptions().snapshot(snapshot)).multiGet()) {
            db.delete(SMALL);
            users.put(SMALL, Bytes.of("later"));
            request.add(SMALL).add(users, SMALL);
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(SMALL, Bytes.of("of users"));
            }
            snapshot.close();
            assertThatThrownBy(request::execute).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("snapshot");
        }
        assertThat(db.multiGet(List.of(SMALL))).containsExactly((byte[]) null);
    }

    @Test
    void asyncReadsAreRead() {
        try (MultiGet request = db.with(new ReadOptions().asyncIo(true)).multiGet().add(SMALL).add(Bytes.of("large"));
                MultiGetValues values = request.execute()) {
            assertThat(values.toList()).containsExactly(SMALL, LARGE);
        }
    }

    @Test
    void beyondThePinBudgetValuesAreCopied() {
        db.close();
        db = RocksDB.open(directory, new Options().pinBudget(30_000));
        try (MultiGet first = request("large"); MultiGet second = request("large", "small", "nowhere")) {
            MultiGetValues pinned = first.execute();
            MultiGetValues copied = second.execute();
            assertThat(pinned.isPinned()).isTrue();
            assertThat(copied.isPinned()).isFalse();
            assertThat(copied.toList()).containsExactly(LARGE, SMALL, null);
            assertThat(Objects.requireNonNull(copied.get(0)).isReadOnly()).isTrue();
            assertThat(db.pinnedBytes()).isEqualTo(20_000);
            pinned.close();
            assertThat(db.pinnedBytes()).isZero();
            assertThat(copied.toList()).containsExactly(LARGE, SMALL, null);
            MemorySegment kept = Objects.requireNonNull(copied.get(0));
            copied.close();
            assertThatThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            try (MultiGetValues again = second.execute()) {
                assertThat(again.isPinned()).isTrue();
            }
        }
    }
}
