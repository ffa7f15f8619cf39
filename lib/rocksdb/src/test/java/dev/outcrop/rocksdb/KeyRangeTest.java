package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranges limit scans, iterators and streams. */
class KeyRangeTest extends DatabaseTest {
    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
    }

    @AfterEach
    void closeAndFindTheLockFree() {
        db.close();
        RocksDB.open(directory).close();
    }

    @Test
    void keysInTheWrongOrderAreNamed() {
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> db.deleteRange(Bytes.of("b"), Bytes.of("a")))
                .withMessage(
                        "The range to delete, from \"b\" to before \"a\", ends before it begins, in the order of the"
                                + " database " + directory + "; give the smaller key first");
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> db.compact(Bytes.of("d"), Bytes.of("c")))
                .withMessageContaining("to compact, from \"d\" to before \"c\",");
    }

    private static byte[] key(Random random) {
        // Few different bytes, so that ranges and prefixes hit something; 0xff is where prefixes end otherwise.
        byte[] alphabet = {0, 'a', 'b', (byte) 0x80, (byte) 0xff};
        byte[] key = new byte[random.nextInt(5)];
        for (int i = 0; i < key.length; i++) {
            key[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return key;
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length
                && Arrays.equals(prefix, 0, prefix.length, key, 0, prefix.length);
    }

    private record Case(KeyRange range, List<KeyValue> expected) {
    }

    /** A random range and what is in it. */
    private static Case some(NavigableMap<byte[], byte[]> model, Random random) {
        byte[] a = key(random);
        byte[] b = key(random);
        boolean isInOrder = Arrays.compareUnsigned(a, b) <= 0;
        byte[] from = isInOrder ? a : b;
        byte[] to = isInOrder ? b : a;
        boolean isHeap = random.nextBoolean();
        MemorySegment nativeFrom = Bytes.inNative(from);
        MemorySegment nativeTo = Bytes.inNative(to);
        KeyRange range;
        List<Map.Entry<byte[], byte[]>> in;
        switch (random.nextInt(5)) {
            case 0 -> {
                range = KeyRange.all();
                in = List.copyOf(model.entrySet());
            }
            case 1 -> {
                range = isHeap ? KeyRange.of(from, to) : KeyRange.of(nativeFrom, nativeTo);
                in = List.copyOf(model.subMap(from, true, to, false).entrySet());
            }
            case 2 -> {
                range = isHeap ? KeyRange.from(from) : KeyRange.from(nativeFrom);
                in = List.copyOf(model.tailMap(from, true).entrySet());
            }
            case 3 -> {
                range = isHeap ? KeyRange.to(to) : KeyRange.to(nativeTo);
                in = List.copyOf(model.headMap(to, false).entrySet());
            }
            default -> {
                range = isHeap ? KeyRange.prefix(from) : KeyRange.prefix(nativeFrom);
                in = model.entrySet().stream().filter(entry -> startsWith(entry.getKey(), from)).toList();
            }
        }
        List<KeyValue> expected = new ArrayList<>(
                in.stream().map(entry -> new KeyValue(entry.getKey(), entry.getValue())).toList());
        if (random.nextBoolean()) {
            Collections.reverse(expected);
            return new Case(range.reversed(), expected);
        }
        return new Case(range, expected);
    }

    private static List<KeyValue> scanned(KeyValueReader reader, KeyRange range, int most) {
        List<KeyValue> seen = new ArrayList<>();
        reader.scan(range, (key, value) -> {
            seen.add(new KeyValue(ReadForm.bytes(key), ReadForm.bytes(value)));
            return seen.size() < most;
        });
        return seen;
    }

    private static List<KeyValue> iterated(KeyValueReader reader, KeyRange range) {
        List<KeyValue> seen = new ArrayList<>();
        try (KeyValueIterator entries = reader.iterator(range)) {
            boolean isThere = range.isReversed() ? entries.seekToLast() : entries.seekToFirst();
            while (isThere) {
                seen.add(entries.entry());
                isThere = range.isReversed() ? entries.previous() : entries.next();
            }
        }
        return seen;
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void scansIteratorsAndStreamsSeeTheEntriesOfTheRange(int repetition) {
        long seed = TestSize.seed(getClass()) + repetition;
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        ColumnFamily family = db.createColumnFamily("ranges", new Options());
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 60; i++) {
                byte[] key = key(random);
                if (random.nextInt(3) == 0) {
                    family.delete(key);
                    model.remove(key);
                } else {
                    byte[] value = Bytes.random(random.nextLong(), random.nextInt(100));
                    family.put(key, value);
                    model.put(key, value);
                }
            }
            if (round % 5 == 3) {
                family.flush();
            }
            KeyValueReader reader = round % 2 == 0 ? family : family.with(new ReadOptions().fillCache(false));
            for (int i = 0; i < 30; i++) {
                Case some = some(model, random);
                KeyRange range = some.range;
                assertThat(scanned(reader, range, Integer.MAX_VALUE)).as("seed %d, %s", seed, range)
                        .isEqualTo(some.expected);
                int most = 1 + random.nextInt(3);
                assertThat(scanned(reader, range, most)).as("seed %d, %s", seed, range)
                        .isEqualTo(some.expected.stream().limit(most).toList());
                assertThat(iterated(reader, range)).as("seed %d, %s", seed, range).isEqualTo(some.expected);
                try (Stream<KeyValue> stream = reader.stream(range)) {
                    assertThat(random.nextBoolean() ? stream.parallel().toList() : stream.toList())
                            .as("seed %d, %s", seed, range).isEqualTo(some.expected);
                }
            }
        }
    }

    @Test
    void anIteratorOfARangeCannotLeaveIt() {
        for (String key : List.of("a1", "b1", "b2", "c1")) {
            db.put(Bytes.of(key), Bytes.of("x"));
        }
        try (KeyValueIterator entries = db.iterator(KeyRange.prefix(Bytes.of("b")))) {
            db.close();
            for (int i = 0; i < 3; i++) {
                System.gc();
                assertThat(entries.seek(Bytes.of("a"))).isTrue();
                assertThat(text(entries.key())).isEqualTo("b1");
                assertThat(entries.previous()).isFalse();
                assertThat(entries.seekForPrev(Bytes.of("zz"))).isTrue();
                assertThat(text(entries.key())).isEqualTo("b2");
                assertThat(entries.next()).isFalse();
                assertThat(entries.seek(Bytes.of("c"))).isFalse();
            }
        }
    }

    @Test
    void rangesRespectTheSnapshotAndOtherOptions() {
        db.put(Bytes.of("a"), Bytes.of("1"));
        try (Snapshot snapshot = db.snapshot()) {
            KeyValueReader then = db.with(new ReadOptions().snapshot(snapshot).maxSkippableInternalKeys(5));
            for (int i = 0; i < 50; i++) {
                db.put(Bytes.of("b" + i), Bytes.of("2"));
            }
            assertThat(scanned(then, KeyRange.to(Bytes.of("b")), 9))
                    .containsExactly(new KeyValue(Bytes.of("a"), Bytes.of("1")));
            assertThat(then.stream(KeyRange.to(Bytes.of("b")))).hasSize(1);
            assertThatThrownBy(() -> scanned(then, KeyRange.from(Bytes.of("b")), 9))
                    .isInstanceOf(RocksDBException.class);
            assertThatThrownBy(() -> then.stream(KeyRange.from(Bytes.of("b"))).toList())
                    .isInstanceOf(RocksDBException.class);
        }
    }

    @Test
    void rangesAreCutByTheBoundsOfTheOptions() {
        for (String key : List.of("a", "b", "c", "d", "e")) {
            db.put(Bytes.of(key), Bytes.of("x"));
        }
        ReadOptions bounds = new ReadOptions().iterateLowerBound(Bytes.of("b")).iterateUpperBound(Bytes.of("e"));
        KeyValueReader bounded = db.with(bounds);
        System.gc();
        assertThat(keys(bounded, KeyRange.all())).containsExactly("b", "c", "d");
        assertThat(keys(bounded, KeyRange.from(Bytes.of("c")).reversed())).containsExactly("d", "c");
        assertThat(keys(bounded, KeyRange.to(Bytes.of("z")))).containsExactly("b", "c", "d");
        assertThat(keys(bounded, KeyRange.of(Bytes.of("a"), Bytes.of("c")))).containsExactly("b");
        assertThat(keys(bounded, KeyRange.prefix(Bytes.of("a")))).isEmpty();
        try (KeyValueIterator entries = bounded.iterator()) {
            for (int i = 0; i < 3; i++) {
                System.gc();
                entries.seekToFirst();
                assertThat(text(entries.key())).isEqualTo("b");
                entries.seekToLast();
                assertThat(text(entries.key())).isEqualTo("d");
            }
        }
        assertThatThrownBy(() -> bounds.iterateUpperBound(Bytes.of("z"))).isInstanceOf(IllegalStateException.class);
        assertThat(keys(bounded, KeyRange.all())).containsExactly("b", "c", "d");
    }

    private static List<String> keys(KeyValueReader reader, KeyRange range) {
        return scanned(reader, range, Integer.MAX_VALUE).stream()
                .map(entry -> new String(entry.key(), StandardCharsets.UTF_8)).toList();
    }

    @Test
    void rangesAreWholeWhereThereIsAPrefixExtractor() {
        Options options = new Options().hashSkipListRep(100, 4, 4).set("prefix_extractor=capped:1")
                .allowConcurrentMemtableWrite(false);
        try (RocksDB hashed = RocksDB.open(directory.resolve("hashed"), options.createIfMissing(true))) {
            for (String key : List.of("a1", "a2", "b1", "c1")) {
                hashed.put(Bytes.of(key), Bytes.of("x"));
            }
            assertThat(keys(hashed, KeyRange.all())).containsExactly("a1", "a2", "b1", "c1");
            assertThat(keys(hashed, KeyRange.from(Bytes.of("a2")))).containsExactly("a2", "b1", "c1");
            KeyValueReader samePrefix = hashed.with(new ReadOptions().prefixSameAsStart(true));
            assertThat(keys(samePrefix, KeyRange.from(Bytes.of("a1")))).containsExactly("a1", "a2");
            assertThat(keys(samePrefix, KeyRange.prefix(Bytes.of("a")).reversed())).containsExactly("a2", "a1");
            try (KeyValueIterator entries = samePrefix.iterator()) {
                assertThat(entries.seek(Bytes.of("a2"))).isTrue();
                assertThat(entries.next()).isFalse();
            }
            try (KeyValueIterator entries = hashed.with(new ReadOptions().totalOrderSeek(true)).iterator()) {
                assertThat(entries.seek(Bytes.of("a2"))).isTrue();
                assertThat(entries.next()).isTrue();
                assertThat(entries.seekToLast()).isTrue();
            }
        }
    }

    @Test
    void aStreamThatIsNotReadToItsEndIsClosed() {
        db.put(Bytes.of("a"), Bytes.of("1"));
        db.put(Bytes.of("b"), Bytes.of("2"));
        try (Stream<KeyValue> stream = db.stream(KeyRange.all())) {
            assertThat(stream.findFirst()).hasValueSatisfying(first -> {
                assertThat(first.key()).isEqualTo(Bytes.of("a"));
                assertThat(first.value()).isEqualTo(Bytes.of("1"));
            });
        }
        Stream<KeyValue> closed = db.stream(KeyRange.all());
        closed.close();
        assertThatThrownBy(closed::toList).isInstanceOf(IllegalStateException.class);
        assertThat(db.stream(KeyRange.all().reversed()).map(entry -> entry.value()[0])).containsExactly((byte) '2',
                (byte) '1');
    }

    @Test
    void impossibleRangesAreRefused() {
        KeyRange inverted = KeyRange.of(Bytes.of("b"), Bytes.of("a"));
        List<Runnable> uses = List.of(() -> scanned(db, inverted, 1), () -> db.iterator(inverted),
                () -> db.stream(inverted), () -> db.approximateSizes(List.of(inverted)));
        for (Runnable use : uses) {
            assertThatIllegalArgumentException().isThrownBy(use::run)
                    .withMessageContaining("The range from \"b\" to before \"a\" ends before it begins")
                    .withMessageEndingWith("; give the smaller key first");
        }
        assertThat(scanned(db, KeyRange.of(Bytes.of("a"), Bytes.of("a")), 1)).isEmpty();
    }

    @Test
    void isAValue() {
        byte[] from = Bytes.of("a");
        KeyRange range = KeyRange.of(from, Bytes.of("b"));
        from[0] = 'x';
        assertThat(range).isEqualTo(KeyRange.of(Bytes.inNative(Bytes.of("a")), Bytes.onHeap(Bytes.of("b"))))
                .hasSameHashCodeAs(KeyRange.of(Bytes.of("a"), Bytes.of("b")))
                .isEqualTo(range.reversed().reversed()).hasToString("from \"a\" to before \"b\"");
        List<@Nullable Object> others = Arrays.asList(range.reversed(), KeyRange.from(Bytes.of("a")),
                KeyRange.to(Bytes.of("b")), KeyRange.prefix(Bytes.of("a")), KeyRange.all(), "a", null);
        assertThat(others).doesNotContain(range);
        assertThat(KeyRange.all().reversed()).hasToString("all, reversed");
        assertThat(KeyRange.prefix(new byte[]{(byte) 0xff, 1})).hasToString("begins with 0xff01");
        assertThat(KeyRange.to(new byte[100]).toString()).hasSizeLessThan(130).contains("(100 bytes)");
        assertThat(new KeyValue(new byte[2], new byte[3])).isEqualTo(new KeyValue(new byte[2], new byte[3]))
                .isNotEqualTo(new KeyValue(new byte[3], new byte[2]))
                .hasToString("0x0000 = 0x000000");
    }

    @Test
    void sizesAreEstimated() {
        ColumnFamily family = db.createColumnFamily("sizes", new Options().compression(CompressionType.NONE));
        assertThat(family.approximateSizes(List.of(KeyRange.all(), KeyRange.prefix(Bytes.of("k")))))
                .containsExactly(0, 0);
        for (int i = 0; i < 1000; i++) {
            family.put(Bytes.of("key%03d".formatted(i)), Bytes.random(i, 1000));
        }
        family.flush();
        long[] sizes = family.approximateSizes(List.of(KeyRange.all(), KeyRange.to(Bytes.of("key500")),
                KeyRange.from(Bytes.of("key500")), KeyRange.prefix(Bytes.of("key1")),
                KeyRange.from(Bytes.of("z")), KeyRange.of(Bytes.of("a"), Bytes.of("b")).reversed()));
        assertThat(sizes[0]).isBetween(900_000L, 1_200_000L);
        assertThat(sizes[1]).isBetween(450_000L, 600_000L);
        assertThat(sizes[2]).isBetween(450_000L, 600_000L);
        assertThat(sizes[3]).isBetween(80_000L, 130_000L);
        assertThat(sizes[4]).isZero();
        assertThat(sizes[5]).isZero();
        assertThat(family.approximateSizes(List.of())).isEmpty();
        List<KeyRange> all = List.of(KeyRange.all());
        assertThat(db.approximateSizes(all)).containsExactly(0);
        db.put(Bytes.of("a"), Bytes.random(1, 10_000));
        assertThat(db.approximateSizes(all)).containsExactly(0);
        assertThat(db.approximateSizes(all, new SizeApproximationOptions().includeMemtables(true))[0])
                .isBetween(10_000L, 20_000L);
        assertThatThrownBy(() -> db.approximateSizes(all, new SizeApproximationOptions().includeFiles(false)))
                .isInstanceOf(RocksDBException.class);
    }
}
