package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Column families with timestamps. */
class TimestampsTest extends DatabaseTest {
    private static final byte[] OTHER = Bytes.of("other");

    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;
    @SuppressWarnings("NullAway.Init") // before each test
    private ColumnFamily family;

    private static Options withTimestamps() {
        return new Options().set("comparator=leveldb.BytewiseComparator.u64ts");
    }

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
        family = db.createColumnFamily("versions", withTimestamps());
    }

    @AfterEach
    void close() {
        db.close();
        RocksDB.open(directory, new Options(), Map.of("versions", withTimestamps())).close();
    }

    private KeyValueReader asOf(long timestamp) {
        return family.with(new ReadOptions().timestamp(timestamp));
    }

    private static @Nullable String text(byte @Nullable [] value) {
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    @Test
    void everyVersionIsReadAsOfItsTime() {
        family.at(10).put(KEY, Bytes.of("ten"));
        family.with(new WriteOptions().sync(true)).at(20).put(KEY, Bytes.of("twenty"));
        family.at(30).delete(KEY);
        family.at(40).put(KEY, Bytes.of("forty"));
        for (boolean flushed : List.of(false, true)) {
            if (flushed) {
                family.flush();
            }
            assertThat(text(asOf(9).get(KEY))).isNull();
            assertThat(text(asOf(10).get(KEY))).isEqualTo("ten");
            assertThat(text(asOf(29).get(KEY))).isEqualTo("twenty");
            assertThat(text(asOf(30).get(KEY))).isNull();
            assertThat(text(asOf(-1).get(KEY))).isEqualTo("forty");
            assertThat(asOf(25).<byte[]>getPinned(Bytes.inNative(KEY), segment -> ReadForm.bytes(segment)))
                    .isEqualTo(Bytes.of("twenty"));
            assertThat(asOf(9).keyMayExist(KEY)).isFalse();
            assertThat(asOf(10).keyMayExist(KEY)).isTrue();
            byte[] buffer = new byte[6];
            assertThat(asOf(22).get(KEY, buffer)).isEqualTo(6);
            assertThat(text(buffer)).isEqualTo("twenty");
        }
    }

    @Test
    void aValueIsReadWithItsTimestamp() {
        family.at(10).put(KEY, Bytes.of("ten"));
        family.at(MemorySegment.ofArray(new byte[]{20, 0, 0, 0, 0, 0, 0, 0})).put(KEY, Bytes.of("twenty"));
        family.at(20).put(OTHER, new byte[0]);
        TimestampedValue found = Objects.requireNonNull(asOf(15).getTimestamped(KEY));
        assertThat(text(found.value())).isEqualTo("ten");
        assertThat(found.timestampAsLong()).isEqualTo(10);
        assertThat(found.timestamp()).isEqualTo(new byte[]{10, 0, 0, 0, 0, 0, 0, 0});
        TimestampedValue empty = Objects.requireNonNull(asOf(20).getTimestamped(Bytes.inNative(OTHER)));
        assertThat(empty.value()).isEmpty();
        assertThat(empty.timestampAsLong()).isEqualTo(20);
        assertThat(asOf(5).getTimestamped(KEY)).isNull();

        List<@Nullable TimestampedValue> several = asOf(20)
                .multiGetTimestamped(List.of(KEY, Bytes.of("nowhere"), OTHER, KEY));
        assertThat(several).hasSize(4);
        assertThat(text(Objects.requireNonNull(several.get(0)).value())).isEqualTo("twenty");
        assertThat(several.get(1)).isNull();
        assertThat(Objects.requireNonNull(several.get(2)).value()).isEmpty();
        assertThat(Objects.requireNonNull(several.get(3)).timestampAsLong()).isEqualTo(20);
        assertThat(asOf(20).multiGetTimestamped(List.of())).isEmpty();
    }

    @Test
    void singleDeletesHaveTimestampsToo() {
        family.at(10).put(KEY, Bytes.of("ten"));
        family.at(20).singleDelete(KEY);
        assertThat(text(asOf(19).get(KEY))).isEqualTo("ten");
        assertThat(asOf(20).get(KEY)).isNull();
    }

    @Test
    void manyKeysAreReadAsOfOneTime() {
        family.at(10).put(KEY, Bytes.of("ten"));
        family.at(20).put(OTHER, Bytes.of("twenty"));
        assertThat(asOf(15).multiGet(List.of(KEY, OTHER))).containsExactly(Bytes.of("ten"), null);
        try (MultiGet request = asOf(20).multiGet().sorted(true).add(KEY).add(OTHER)) {
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(Bytes.of("ten"), Bytes.of("twenty"));
            }
            assertThatThrownBy(() -> request.add(db.defaultColumnFamily(), KEY)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("no timestamps");
        }
        try (MultiGet request = db.multiGet()) {
            assertThatThrownBy(() -> request.add(family, KEY)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("timestamp(...)");
            assertThat(request.size()).isZero();
        }
    }

    @Test
    void timestampsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> family.at(MemorySegment.ofArray(new byte[4])))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("4 bytes").hasMessageContaining("8");
        assertThatThrownBy(() -> db.at(1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no timestamps");
        assertThatThrownBy(() -> db.with(new ReadOptions().timestamp(1))).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("no timestamps");
        assertThatThrownBy(() -> family.with(new ReadOptions().timestamp(new byte[4])))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("one of 4");
        assertThatThrownBy(() -> db.getTimestamped(KEY)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("no timestamps");
        assertThatThrownBy(() -> db.multiGetTimestamped(List.of(KEY))).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("no timestamps");
    }

    @Test
    void withoutATimestampNothingWorksAndTheMessageSaysWhy() {
        MemorySegment key = Bytes.inNative(KEY);
        for (Runnable read : List.<Runnable>of(() -> family.get(KEY), () -> family.get(key), () -> family.get(KEY, KEY),
                () -> family.getPinned(key), () -> family.getHybrid(key, MemorySegment.NULL),
                () -> family.keyMayExist(KEY), () -> family.keyMayExist(KEY, new byte[1]), family::multiGet,
                () -> family.multiGet(List.of(KEY)), () -> family.getTimestamped(KEY),
                () -> family.scan((k, v) -> true), () -> family.with(new ReadOptions()).get(KEY))) {
            assertThatThrownBy(read::run).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("column family versions").hasMessageContaining("ReadOptions().timestamp");
        }
        for (Runnable write : List.<Runnable>of(() -> family.put(KEY, KEY), () -> family.delete(KEY),
                () -> family.singleDelete(KEY), () -> family.deleteRange(KEY, OTHER), () -> family.merge(KEY, KEY))) {
            assertThatThrownBy(write::run).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("column family versions").hasMessageContaining("at(timestamp)");
        }
        for (Runnable write : List.<Runnable>of(() -> family.at(1).deleteRange(KEY, OTHER),
                () -> family.at(1).merge(KEY, KEY))) {
            assertThatThrownBy(write::run).isInstanceOf(RocksDBException.class).hasMessageContaining("batch");
        }
        family.at(1).put(KEY, KEY);
        assertThat(asOf(1).get(KEY)).isEqualTo(KEY);
    }

    @Test
    void memoryThatIsGoneOrOfAnotherThreadIsRefused() {
        family.at(1).put(KEY, KEY);
        KeyValueReader reader = asOf(1);
        Arena arena = Arena.ofConfined();
        MemorySegment key = arena.allocateFrom(ValueLayout.JAVA_BYTE, KEY);
        MemorySegment timestamp = arena.allocate(8);
        List<Runnable> uses = List.of(() -> family.at(timestamp), () -> family.at(1).put(key, Bytes.inNative(KEY)),
                () -> family.at(1).put(Bytes.inNative(KEY), key), () -> family.at(1).delete(key),
                () -> family.at(1).singleDelete(key), () -> reader.getTimestamped(key), () -> reader.keyMayExist(key),
                () -> reader.keyMayExist(Bytes.inNative(KEY), key));
        for (Runnable use : uses) {
            assertThatThrownBy(() -> CompletableFuture.runAsync(use).join())
                    .hasCauseInstanceOf(WrongThreadException.class);
        }
        arena.close();
        for (Runnable use : uses) {
            assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class);
        }
        assertThat(reader.get(KEY)).isEqualTo(KEY);
    }

    @Test
    void aDroppedFamilyIsNamed() {
        KeyValueWriter writer = family.at(1);
        KeyValueReader reader = asOf(1);
        db.dropColumnFamily(family);
        for (Runnable use : List.<Runnable>of(() -> writer.put(KEY, KEY), () -> writer.delete(KEY),
                () -> writer.singleDelete(KEY), () -> writer.merge(KEY, KEY), () -> reader.getTimestamped(KEY),
                () -> reader.multiGetTimestamped(List.of(KEY)), () -> reader.keyMayExist(KEY))) {
            assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("versions").hasMessageContaining("was dropped");
        }
        family = db.createColumnFamily("versions", withTimestamps());
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void aModelAgrees(int repetition) {
        long seed = TestSize.seed(getClass()) + repetition;
        Random random = new Random(seed);
        List<TreeMap<Long, @Nullable String>> model = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            model.add(new TreeMap<>());
        }
        for (long time = 1; time <= 500; time++) {
            int i = random.nextInt(model.size());
            if (random.nextInt(4) == 0) {
                family.at(time).delete(Bytes.of("key" + i));
                model.get(i).put(time, null);
            } else {
                family.at(time).put(Bytes.of("key" + i), Bytes.of("value" + time));
                model.get(i).put(time, "value" + time);
            }
            if (random.nextInt(100) == 0) {
                family.flush();
            }
        }
        for (int round = 0; round < 300; round++) {
            long time = random.nextLong(520);
            int i = random.nextInt(model.size());
            Map.Entry<Long, @Nullable String> version = model.get(i).floorEntry(time);
            String expected = version == null ? null : version.getValue();
            TimestampedValue found = asOf(time).getTimestamped(Bytes.of("key" + i));
            assertThat(found == null ? null : text(found.value())).as("seed %d, key %d as of %d", seed, i, time)
                    .isEqualTo(expected);
            if (found != null && version != null) {
                assertThat(found.timestampAsLong()).isEqualTo(version.getKey());
            }
            assertThat(asOf(time).multiGet(List.of(Bytes.of("key" + i))).stream().map(TimestampsTest::text).toList())
                    .as("seed %d, key %d as of %d", seed, i, time).containsExactly(expected);
        }
    }
}
