package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch by itself: its content, its limits, and what it refuses. */
class WriteBatchTest {
    private static final byte[] KEY = Bytes.of("key");
    private static final byte[] VALUE = Bytes.of("value");

    /** The records of a batch, as text. */
    static List<String> records(WriteBatch batch) {
        List<String> records = new ArrayList<>();
        batch.forEach(new WriteBatchHandler() {
            @Override
            public void put(int family, MemorySegment key, MemorySegment value) {
                records.add("put " + family + " " + text(key) + "=" + text(value));
            }

            @Override
            public void delete(int family, MemorySegment key) {
                records.add("delete " + family + " " + text(key));
            }

            @Override
            public void singleDelete(int family, MemorySegment key) {
                records.add("single delete " + family + " " + text(key));
            }

            @Override
            public void deleteRange(int family, MemorySegment begin, MemorySegment end) {
                records.add("delete range " + family + " " + text(begin) + "-" + text(end));
            }

            @Override
            public void merge(int family, MemorySegment key, MemorySegment operand) {
                records.add("merge " + family + " " + text(key) + "+" + text(operand));
            }

            @Override
            public void putEntity(int family, MemorySegment key, List<WideColumn> columns) {
                StringBuilder entity = new StringBuilder("entity " + family + " " + text(key));
                columns.forEach(column -> entity.append(" " + text(column.name()) + ":" + text(column.value())));
                records.add(entity.toString());
            }

            @Override
            public void logData(MemorySegment data) {
                records.add("log " + text(data));
            }
        });
        return records;
    }

    private static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private static MemorySegment segment(String text) {
        return Bytes.inNative(Bytes.of(text));
    }

    @Test
    void partsOfSegmentsAreAddedAsSlicesAre() {
        MemorySegment all = segment("xxkeyyyvaluezz");
        WriteBatch batch = new WriteBatch();
        batch.put(all, 2, 3, all, 7, 5);
        batch.delete(all, 2, 3);
        batch.merge(all, 2, 3, all, 7, 5);
        batch.put(all, 14, 0, all, 0, 0);
        assertThat(records(batch)).containsExactly("put 0 key=value", "delete 0 key", "merge 0 key+value", "put 0 =");
        byte[] before = batch.data().toArray(ValueLayout.JAVA_BYTE);
        for (long[] part : new long[][]{{-1, 1}, {0, -1}, {0, 15}, {14, 1}, {15, 0}, {1, Long.MAX_VALUE},
                {Long.MAX_VALUE, 1}}) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> batch.put(all, part[0], part[1], all, 0, 1),
                    () -> batch.put(all, 0, 1, all, part[0], part[1]), () -> batch.delete(all, part[0], part[1]),
                    () -> batch.merge(all, part[0], part[1], all, 0, 1),
                    () -> batch.merge(all, 0, 1, all, part[0], part[1]))) {
                assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
        assertThat(batch.data().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
    }

    /** One record of each kind. */
    private static WriteBatch ofEachKind() {
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, VALUE);
        batch.delete(KEY);
        batch.singleDelete(KEY);
        batch.deleteRange(Bytes.of("a"), Bytes.of("b"));
        batch.merge(KEY, VALUE);
        batch.putEntity(segment("key"), List.of(new WideColumn(KEY, VALUE)));
        batch.putLogData(segment("log"));
        WriteBatchFamily users = batch.in("users", 7, 0);
        users.put(KEY, VALUE);
        users.delete(KEY);
        users.singleDelete(KEY);
        users.deleteRange(Bytes.of("a"), Bytes.of("b"));
        users.merge(KEY, VALUE);
        users.putEntity(segment("key"), List.of(new WideColumn(KEY, VALUE), new WideColumn(VALUE, KEY)));
        return batch;
    }

    @Test
    void showsItsFirstRecords() {
        WriteBatch batch = new WriteBatch();
        assertThat(batch).hasToString("write batch of 0 records, 12 bytes");
        batch.put(Bytes.of("a"), new byte[]{1, 2});
        batch.delete(Bytes.of("b"));
        assertThat(batch.toString()).startsWith("write batch of 2 records, ")
                .endsWith(" bytes: put \"a\" = 0x0102, delete \"b\"");
        for (int i = 0; i < 20; i++) {
            batch.put(Bytes.of("c"), new byte[100]);
        }
        assertThat(batch.toString()).endsWith("00… (100 bytes), …").hasSizeLessThan(2000);
    }

    @Test
    void showsRecordsInTheOrderOfAdding() {
        WriteBatch batch = ofEachKind();

        assertThat(records(batch)).containsExactly("put 0 key=value", "delete 0 key", "single delete 0 key",
                "delete range 0 a-b", "merge 0 key+value", "entity 0 key key:value", "log log", "put 7 key=value",
                "delete 7 key", "single delete 7 key", "delete range 7 a-b", "merge 7 key+value",
                "entity 7 key key:value value:key");
        assertThat(batch.count()).isEqualTo(12);
        assertThat(batch.byteSize()).isEqualTo(batch.data().byteSize());
    }

    @Test
    void aHandlerThatOverridesNothingSeesNothingAndFailsNowhere() {
        ofEachKind().forEach(new WriteBatchHandler() {
        });
    }

    @Test
    void aHandlerMayStopByThrowingAndMustNotChangeTheBatch() {
        WriteBatch batch = ofEachKind();
        RuntimeException stop = new RuntimeException("stop");
        int[] seen = {0};

        assertThatThrownBy(() -> batch.forEach(new WriteBatchHandler() {
            @Override
            public void delete(int family, MemorySegment key) {
                seen[0]++;
                throw stop;
            }
        })).isSameAs(stop);
        assertThat(seen[0]).isEqualTo(1);
        assertThatThrownBy(() -> batch.forEach(new WriteBatchHandler() {
            @Override
            public void put(int family, MemorySegment key, MemorySegment value) {
                batch.clear();
            }
        })).isInstanceOf(IllegalStateException.class).hasMessageContaining("changed");
        assertThat(batch.count()).isZero();
    }

    @Test
    void anEmptyBatchHasAHeaderAndNothingElse() {
        WriteBatch batch = new WriteBatch();

        assertThat(batch.count()).isZero();
        assertThat(batch.byteSize()).isEqualTo(12);
        assertThat(batch.data().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(new byte[12]);
        assertThat(records(batch)).isEmpty();
    }

    @Test
    void clearForgetsRecordsAndSavePointsAndKeepsTheMemory() {
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, new byte[100_000]);
        batch.setSavePoint();
        long address = batch.data().address();

        batch.clear();

        assertThat(batch.byteSize()).isEqualTo(12);
        assertThatThrownBy(batch::rollbackToSavePoint).isInstanceOf(RocksDBException.class);
        batch.put(KEY, VALUE);
        assertThat(batch.data().address()).isEqualTo(address);
        assertThat(records(batch)).containsExactly("put 0 key=value");
    }

    @Test
    void savePointsNest() {
        WriteBatch batch = new WriteBatch();
        for (String key : List.of("a", "b", "c", "d")) {
            batch.put(Bytes.of(key), VALUE);
            batch.setSavePoint();
        }
        batch.put(KEY, VALUE);
        batch.popSavePoint();
        batch.rollbackToSavePoint();
        assertThat(records(batch)).containsExactly("put 0 a=value", "put 0 b=value", "put 0 c=value");
        batch.rollbackToSavePoint();
        assertThat(records(batch)).containsExactly("put 0 a=value", "put 0 b=value");
        batch.rollbackToSavePoint();
        assertThat(batch.count()).isEqualTo(1);
        for (ThrowingCallable withoutSavePoint : List.<ThrowingCallable>of(batch::rollbackToSavePoint,
                batch::popSavePoint)) {
            assertThatThrownBy(withoutSavePoint).isInstanceOfSatisfying(RocksDBException.class,
                    e -> assertThat(e.status().code()).isEqualTo(Status.Code.NOT_FOUND))
                    .hasMessageContaining("setSavePoint()");
        }
        assertThat(records(batch)).containsExactly("put 0 a=value");
    }

    @Test
    void theLimitHoldsAndTheBatchStaysAsItWas() {
        // Room for one record of 2 + 3 + 1 + 5 bytes.
        WriteBatch batch = new WriteBatch(0, 12 + 11);
        batch.put(KEY, VALUE);
        byte[] before = batch.data().toArray(ValueLayout.JAVA_BYTE);
        List<ThrowingCallable> additions = List.of(() -> batch.delete(new byte[0]), () -> batch.put(KEY, VALUE),
                () -> batch.put(KEY, new byte[5_000]), () -> batch.putLogData(segment("")),
                () -> batch.deleteRange(KEY, VALUE), () -> batch.delete(List.of()),
                () -> batch.putEntity(segment(""), List.of()));
        for (ThrowingCallable addition : additions) {
            assertThatThrownBy(addition).isInstanceOfSatisfying(RocksDBException.class,
                    e -> assertThat(e.status().subCode()).isEqualTo(Status.SubCode.MEMORY_LIMIT))
                    .hasMessageContaining("23");
        }
        assertThat(batch.data().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        batch.clear();
        batch.delete(KEY);
        assertThat(batch.count()).isEqualTo(1);
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        for (ThrowingCallable making : List.<ThrowingCallable>of(() -> new WriteBatch(-1), () -> new WriteBatch(0, 11),
                () -> new WriteBatch(100, 99), () -> new WriteBatch(0, 1L << 32), () -> new WriteBatch(1L << 40))) {
            assertThatThrownBy(making).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Bytes must be");
        }
    }

    @Test
    void keysAndValuesThatAreTooLongAreRefused() {
        WriteBatch batch = new WriteBatch();
        MemorySegment value = NativeCalls.view(8, Long.MAX_VALUE);
        for (ThrowingCallable addition : List.<ThrowingCallable>of(() -> batch.put(value, value),
                () -> batch.delete(value),
                () -> batch.put(segment("a"), value), () -> batch.putLogData(value),
                () -> batch.deleteRange(value, value),
                () -> batch.put(List.of(value, value), List.of()), () -> batch.delete(List.of(value, value, value)),
                () -> batch.putEntity(segment("a"), List.of(new WideColumn(value, value))))) {
            assertThatThrownBy(addition).isInstanceOfSatisfying(RocksDBException.class,
                    e -> assertThat(e.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT));
        }
        assertThat(batch.byteSize()).isEqualTo(12);
    }

    @Test
    void memoryThatIsGoneOrOfAnotherThreadLeavesTheBatchAsItWas() {
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, VALUE);
        Arena arena = Arena.ofConfined();
        MemorySegment gone = arena.allocate(10);
        arena.close();
        assertThatThrownBy(() -> batch.put(segment("key"), gone)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> batch.delete(gone)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> batch.put(List.of(segment("a"), gone), List.of()))
                .isInstanceOf(IllegalStateException.class);
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment foreign = confined.allocate(10);
            CompletableFuture.runAsync(() -> assertThatThrownBy(() -> batch.put(foreign, foreign))
                    .isInstanceOf(WrongThreadException.class)).join();
        }
        assertThat(records(batch)).containsExactly("put 0 key=value");
    }

    @Test
    void twoColumnsOfOneNameAreRefused() {
        WriteBatch batch = new WriteBatch();

        assertThatThrownBy(() -> batch.putEntity(segment("key"),
                List.of(new WideColumn(KEY, VALUE), new WideColumn(VALUE, KEY), new WideColumn(KEY, KEY))))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("same name");
        assertThat(batch.count()).isZero();
    }

    @Test
    void theBytesShownAreReadOnly() {
        WriteBatch batch = ofEachKind();
        assertThat(batch.data().isReadOnly()).isTrue();
        batch.forEach(new WriteBatchHandler() {
            @Override
            public void put(int family, MemorySegment key, MemorySegment value) {
                assertThat(key.isReadOnly()).isTrue();
                assertThat(value.isReadOnly()).isTrue();
            }
        });
    }

    @Test
    void timestampsAreSetForTheFamiliesThatHaveThem() {
        WriteBatch batch = new WriteBatch();
        WriteBatchFamily stamped = batch.in("stamped", 3, 2);
        batch.put(KEY, VALUE);
        stamped.put(KEY, VALUE);
        stamped.deleteRange(Bytes.of("a"), Bytes.of("b"));
        stamped.at(segment("xy")).merge(KEY, VALUE);

        batch.updateTimestamps(segment("ts"));

        assertThat(records(batch)).containsExactly("put 0 key=value", "put 3 keyts=value", "delete range 3 ats-bts",
                "merge 3 keyts+value");
        assertThatThrownBy(() -> batch.updateTimestamps(segment("long"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stamped").hasMessageContaining("4 bytes");
        assertThatThrownBy(() -> stamped.at(segment("long"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> batch.in("users", 1, 0).at(segment("ts")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> batch.in("users", 1, 0).at(segment(""))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stamped.putEntity(segment("key"), List.of())).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("stamped");
        assertThat(records(batch)).hasSize(4);
    }

    @Test
    void aDefaultFamilyWithTimestampsMustBeKnownFromTheStart() {
        WriteBatch late = new WriteBatch();
        late.put(KEY, VALUE);
        assertThatThrownBy(() -> late.in("default", 0, 2)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("defaultColumnFamily()");
        WriteBatch batch = new WriteBatch();
        batch.in("default", 0, 2);
        batch.put(KEY, VALUE);
        batch.updateTimestamps(segment("ts"));
        assertThat(records(batch)).containsExactly("put 0 keyts=value");
    }

    @Test
    @Tag("verify")
    void threadsThatDoNotTakeTurnsSpoilTheBatchAtWorst() {
        for (int round = 0; round < 20; round++) {
            WriteBatch batch = new WriteBatch();
            WriteBatchFamily users = batch.in("users", 300, 0);
            List<CompletableFuture<?>> threads = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                int number = thread;
                threads.add(CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 5_000; i++) {
                        byte[] key = new byte[i % 50];
                        byte[] value = new byte[(i * 7 + number) % 200];
                        attempt(() -> users.put(key, value));
                        attempt(() -> batch.put(MemorySegment.ofArray(key), MemorySegment.ofArray(value)));
                        if (i % 100 == 0) {
                            attempt(batch::setSavePoint);
                            attempt(() -> records(batch));
                            attempt(batch::rollbackToSavePoint);
                        }
                        if (i % 1_000 == 999) {
                            attempt(batch::clear);
                        }
                    }
                }));
            }
            threads.forEach(CompletableFuture::join);
            attempt(() -> records(batch));
            batch.clear();
            batch.put(KEY, VALUE);
            assertThat(records(batch)).containsExactly("put 0 key=value");
        }
    }

    /** Whatever is thrown is an exception, and not the end of the JVM. */
    private static void attempt(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            assertThat(e).isInstanceOfAny(RocksDBException.class, IndexOutOfBoundsException.class,
                    IllegalStateException.class);
        }
    }
}
