package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Comparators written in Java. */
class KeyComparatorTest extends DatabaseTest {
    /** Shorter keys first, then by bytes. */
    private static final KeyComparator BY_LENGTH = KeyComparator.of("test.ByLength",
            Comparator.<MemorySegment>comparingLong(MemorySegment::byteSize).thenComparing(DatabaseTest::text));

    private final CallbackLog log = closeLater(new CallbackLog());

    private RocksDB open(KeyComparator comparator) {
        return RocksDB.open(directory, create().comparator(comparator));
    }

    private static List<String> keys(KeyValueReader reader) {
        List<String> keys = new ArrayList<>();
        reader.scan((key, _) -> keys.add(text(key)));
        return keys;
    }

    @Test
    void keysAreInItsOrderInMemoryInFilesAndAfterReopening() {
        try (RocksDB db = open(BY_LENGTH)) {
            for (String key : List.of("ccc", "z", "aaaa", "bb", "", "a", "aab")) {
                db.put(Bytes.of(key), Bytes.of("value of " + key));
            }
            assertThat(keys(db)).containsExactly("", "a", "z", "bb", "aab", "ccc", "aaaa");
            db.flush();
            db.put(Bytes.of("y"), Bytes.of("value of y"));
            db.delete(Bytes.of("bb"));
        }
        RocksDB db = closeLater(open(BY_LENGTH));
        assertThat(keys(db)).containsExactly("", "a", "y", "z", "aab", "ccc", "aaaa");
        db.compact();
        assertThat(keys(db)).containsExactly("", "a", "y", "z", "aab", "ccc", "aaaa");
        assertThat(db.get(Bytes.of("aaaa"))).asString().isEqualTo("value of aaaa");
        assertThat(db.get(Bytes.of("bb"))).isNull();
    }

    @Test
    void keysThatCompareAs0AreTheSameKey() {
        KeyComparator ignoringCase = KeyComparator.of("test.IgnoringCase",
                Comparator.comparing(DatabaseTest::text, String.CASE_INSENSITIVE_ORDER));
        RocksDB db = closeLater(open(ignoringCase));
        db.put(Bytes.of("Key"), Bytes.of("1"));
        db.flush();
        db.put(Bytes.of("kEY"), Bytes.of("2"));
        db.compact();

        assertThat(keys(db)).hasSize(1);
        assertThat(db.get(Bytes.of("KEY"))).asString().isEqualTo("2");
    }

    @Test
    void manyRandomKeysAreSortedAsJavaSortsThem() {
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        List<String> expected = new ArrayList<>(IntStream.range(0, 5000)
                .mapToObj(_ -> Integer.toString(random.nextInt(1 << random.nextInt(1, 31)))).distinct().toList());
        RocksDB db = closeLater(open(BY_LENGTH));
        for (String key : expected) {
            db.put(Bytes.of(key), Bytes.of(key));
            if (random.nextInt(1000) == 0) {
                db.flush();
            }
        }
        expected.sort(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
        assertThat(keys(db)).isEqualTo(expected);
        db.compact();
        assertThat(keys(db)).isEqualTo(expected);
        assertThat(expected).allSatisfy(key -> assertThat(db.get(Bytes.of(key))).asString().isEqualTo(key));
    }

    @Test
    void aDatabaseIsNotOpenedWithAnotherOne() {
        open(BY_LENGTH).close();

        KeyComparator other = KeyComparator.of("test.Other", BY_LENGTH::compare);
        assertThatThrownBy(() -> open(other)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("test.ByLength");
        assertThatThrownBy(() -> RocksDB.open(directory)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("test.ByLength");
        open(BY_LENGTH).close();
    }

    @Test
    void itIsCalledFromRocksDBsOwnThreadsToo() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        KeyComparator counting = KeyComparator.of("test.Counting", (a, b) -> {
            threads.add(Thread.currentThread());
            return a.mismatch(b) < 0 ? 0 : text(a).compareTo(text(b));
        });
        try (RocksDB db = open(counting)) {
            for (int i = 0; i < 1000; i++) {
                db.put(Bytes.of("key " + i % 100), Bytes.of("value " + i));
                if (i % 250 == 249) {
                    db.flush();
                }
            }
            db.compact();
            assertThat(keys(db)).hasSize(100);
        }
        assertThat(threads).contains(Thread.currentThread()).hasSizeGreaterThan(1);
        assertThat(threads).filteredOn(thread -> !thread.equals(Thread.currentThread())).allMatch(Thread::isDaemon);
    }

    @Test
    void itCanBeCalledByVirtualThreads() throws InterruptedException {
        RocksDB db = closeLater(open(BY_LENGTH));
        List<Thread> threads = IntStream.range(0, 20).mapToObj(number -> Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 200; i++) {
                db.put(Bytes.of(number + " " + i), Bytes.of("value"));
            }
        })).toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(keys(db)).hasSize(20 * 200)
                .isSortedAccordingTo(Comparator.comparingInt(String::length).thenComparing(String::compareTo));
    }

    /** Throws {@link #thrown} if there is one. */
    private static final class Failing implements KeyComparator {
        volatile @Nullable Throwable thrown;

        @Override
        public String name() {
            return "test.Failing";
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            Throwable next = thrown;
            if (next != null) {
                Failing.<RuntimeException>throwAs(next);
            }
            return text(a).compareTo(text(b));
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void throwAs(Throwable thrown) throws T {
            throw (T) thrown;
        }
    }

    @Test
    void itsExceptionsReachTheCaller() {
        for (Throwable thrown : List.of(new IllegalStateException("on purpose"), new OutOfMemoryError("on purpose"),
                new IOException("on purpose"))) {
            Failing comparator = new Failing();
            Path path = directory.resolve(thrown.getClass().getSimpleName());
            try (RocksDB db = RocksDB.open(path, create().comparator(comparator))) {
                db.put(Bytes.of("a"), Bytes.of("1"));
                comparator.thrown = thrown;
                AbstractThrowableAssert<?, ? extends Throwable> failed = assertThatThrownBy(
                        () -> db.put(Bytes.of("c"), Bytes.of("3")));
                if (thrown instanceof IOException) {
                    failed.isInstanceOf(UndeclaredThrowableException.class).hasCause(thrown);
                } else {
                    failed.isSameAs(thrown);
                }
                assertThat(log.records()).extracting(LogRecord::getMessage).last().asString()
                        .contains("comparator test.Failing has thrown");
                assertThat(log.records()).last().extracting(LogRecord::getThrown).isSameAs(thrown);
            }
        }
    }

    /** The order of its keys may be wrong, so nothing that depends on the order is done; a comparator that works finds all. */
    @Test
    void aDatabaseOnlyReadsAfterItsComparatorHasThrown() {
        Failing comparator = new Failing();
        try (RocksDB db = open(comparator); KeyValueIterator before = db.iterator()) {
            db.put(Bytes.of("a"), Bytes.of("1"));
            db.put(Bytes.of("b"), Bytes.of("2"));
            comparator.thrown = new IllegalStateException("on purpose");
            assertThatThrownBy(() -> db.put(Bytes.of("c"), Bytes.of("3"))).isSameAs(comparator.thrown);
            Throwable first = comparator.thrown;
            comparator.thrown = null;

            WriteBatch batch = new WriteBatch();
            batch.put(Bytes.of("d"), Bytes.of("4"));
            for (ThrowingCallable refused : List.<ThrowingCallable>of(() -> db.put(Bytes.of("d"), Bytes.of("4")),
                    () -> db.delete(Bytes.of("a")), () -> db.write(batch), db::flush, db::compact,
                    () -> db.createColumnFamily("other", new Options()), () -> db.checkpoint(directory.resolve("copy")),
                    db::iterator, before::seekToFirst, () -> db.scan((_, _) -> true))) {
                assertThatThrownBy(refused).isInstanceOf(IllegalStateException.class).hasCause(first)
                        .hasMessageContaining(db.path().toString())
                        .hasMessageContaining("open it with a comparator that works");
            }
            assertThat(db.get(Bytes.of("b"))).asString().isEqualTo("2");
            assertThat(db.property("rocksdb.estimate-num-keys")).isNotNull();
        }
        RocksDB db = closeLater(open(new Failing()));
        assertThat(keys(db)).contains("a", "b").doesNotContain("d");
        db.put(Bytes.of("e"), Bytes.of("5"));
        db.compact();
        assertThat(keys(db)).contains("a", "b", "e");
    }

    /** Otherwise opening writes the log into tables in a wrong order, or leaves tables out, and repairing puts the log aside. */
    @Test
    void nothingOnTheDiskChangesIfItThrowsBeforeOpeningOrRepairing() throws IOException {
        Failing comparator = new Failing();
        Options options = new Options().comparator(comparator);
        Options family = new Options().comparator(new Failing());
        Set<String> keys = new TreeSet<>();
        try (RocksDB db = open(comparator)) {
            ColumnFamily other = db.createColumnFamily("other", family);
            for (int i = 0; i < 300; i++) {
                keys.add("key" + i);
                db.put(Bytes.of("key" + i), Bytes.of("value"));
                other.put(Bytes.of("key" + i), Bytes.of("value"));
                if (i == 100) {
                    db.flush();
                }
            }
        }
        Map<String, Long> before = files();
        comparator.thrown = new IllegalStateException("on purpose");
        for (ThrowingCallable refused : List.<ThrowingCallable>of(() -> open(comparator).close(),
                () -> RocksDB.open(directory, options, Map.of("other", family)).close(),
                () -> OptimisticTransactionDB.open(directory, options).close(),
                () -> TransactionDB.open(directory, options).close(),
                () -> RocksDB.repair(directory, options))) {
            assertThatThrownBy(refused).isSameAs(comparator.thrown);
            assertThat(files()).isEqualTo(before);
        }
        comparator.thrown = null;
        RocksDB db = closeLater(RocksDB.open(directory, options, Map.of("other", family)));
        assertThat(keys(db)).containsExactlyElementsOf(keys);
        assertThat(keys(db.columnFamily("other"))).containsExactlyElementsOf(keys);
    }

    /** The calling thread compacts itself then, and what it writes is never written anew. */
    @Test
    void oneThatFailsWhileFilesAreCompactedLosesNothing() {
        for (boolean lies : List.of(true, false)) {
            Path path = directory.resolve("db" + lies);
            AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
            KeyComparator comparator = KeyComparator.of("test.Failing", (a, b) -> {
                if (left.decrementAndGet() > 0) {
                    return text(a).compareTo(text(b));
                }
                if (lies) {
                    return 0;
                }
                throw new IllegalStateException("on purpose");
            });
            Options options = create().comparator(comparator).disableAutoCompactions(true);
            try (RocksDB db = RocksDB.open(path, options)) {
                for (int i = 0; i < 500; i++) {
                    db.put(Bytes.of("key" + i), Bytes.of("value"));
                    if (i % 100 == 99) {
                        db.flush();
                    }
                }
                List<Path> files = db.liveFiles().stream().map(LiveFile::path).toList();
                left.set(100);
                assertThatThrownBy(() -> db.compactFiles(files, 1, new CompactionOptions()))
                        .isInstanceOf(RuntimeException.class);
                assertThatThrownBy(() -> db.put(Bytes.of("another"), Bytes.of("value")))
                        .isInstanceOf(IllegalStateException.class);
            }
            left.set(Integer.MAX_VALUE);
            try (RocksDB db = RocksDB.open(path, options)) {
                assertThat(keys(db)).hasSize(500).isSorted();
            }
        }
    }

    @Test
    void oneThatHasFailedInAnOpenDatabaseOpensNoOther() throws IOException {
        Failing comparator = new Failing();
        Options options = create().comparator(comparator);
        try (RocksDB db = RocksDB.open(directory, options)) {
            db.put(Bytes.of("a"), Bytes.of("1"));
            db.put(Bytes.of("b"), Bytes.of("2"));
        }
        Map<String, Long> before = files();
        Path path = directory.resolve("other");
        try (RocksDB other = RocksDB.open(path, options)) {
            other.put(Bytes.of("a"), Bytes.of("1"));
            comparator.thrown = new IllegalStateException("on purpose");
            assertThatThrownBy(() -> other.put(Bytes.of("b"), Bytes.of("2"))).isSameAs(comparator.thrown);
            comparator.thrown = null;
            assertThatThrownBy(() -> RocksDB.open(directory, options)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is not opened").hasRootCauseMessage("on purpose");
            assertThat(files()).isEqualTo(before);
        }
        RocksDB db = closeLater(RocksDB.open(directory, options));
        assertThat(keys(db)).containsExactly("a", "b");
    }

    /** The files of the database, with their sizes, but for RocksDB's own messages. */
    private Map<String, Long> files() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (Files.isRegularFile(file) && !file.getFileName().toString().startsWith("LOG")) {
                    sizes.put(file.getFileName().toString(), Files.size(file));
                }
            }
        }
        return sizes;
    }

    private static int recurse(long depth) {
        return depth < 0 ? 0 : recurse(depth + 1) + 1;
    }

    /** Each operation throws by itself what was thrown during it, and the next one knows nothing of it. */
    @Test
    void itsExceptionsReachTheCallerOfEveryOperation() {
        for (int operation = 0; operation < operations(null, null, null, null).size(); operation++) {
            Failing comparator = new Failing();
            Options options = create().comparator(comparator);
            try (RocksDB db = RocksDB.open(directory.resolve("operation" + operation), options);
                    KeyValueIterator entries = db.iterator();
                    MultiGet request = db.multiGet();
                    WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true)) {
                for (String key : List.of("a", "b", "c")) {
                    db.put(Bytes.of(key), Bytes.of("1"));
                    batch.put(Bytes.of(key), Bytes.of("1"));
                }
                request.add(Bytes.of("b"));
                comparator.thrown = new IllegalStateException("on purpose");
                assertThatThrownBy(operations(db, entries, request, batch).get(operation)).isSameAs(comparator.thrown);
                comparator.thrown = null;
                assertThat(db.get(Bytes.of("a"))).asString().isEqualTo("1");
            }
        }
    }

    @SuppressWarnings("NullAway") // they are only counted without objects
    private static List<ThrowingCallable> operations(@Nullable RocksDB db, @Nullable KeyValueIterator entries,
            @Nullable MultiGet request, @Nullable WriteBatchWithIndex batch) {
        MemorySegment key = MemorySegment.ofArray(Bytes.of("b"));
        return List.of(() -> db.get(Bytes.of("b")), () -> db.getPinned(key),
                () -> db.get(key, MemorySegment.ofArray(new byte[9])), () -> db.keyMayExist(key),
                () -> db.keyMayExist(key, MemorySegment.ofArray(new byte[9])), () -> entries.seek(Bytes.of("b")),
                () -> db.scan(KeyRange.from(Bytes.of("b")), (_, _) -> true), () -> request.execute(),
                () -> batch.put(Bytes.of("b"), Bytes.of("2")), () -> batch.getFromBatchAndDB(Bytes.of("b")),
                () -> batch.in(db.defaultColumnFamily()).getPinnedFromBatchAndDB(key), () -> db.write(batch),
                () -> db.delete(Bytes.of("b")));
    }

    @Test
    void itsExceptionDuringAScanIsThrownInSpiteOfReadsByTheVisitor() {
        Failing comparator = new Failing();
        RocksDB db = closeLater(open(comparator));
        for (String key : List.of("a", "b", "c")) {
            db.put(Bytes.of(key), Bytes.of("1"));
        }
        RuntimeException thrown = new IllegalStateException("on purpose");
        comparator.thrown = thrown;
        assertThatThrownBy(() -> db.scan(KeyRange.from(Bytes.of("b")), (_, _) -> {
            comparator.thrown = null;
            return db.get(Bytes.of("a")) != null;
        })).isSameAs(thrown);
    }

    @Test
    void anEndlessRecursionInItReachesTheCaller() {
        KeyComparator recursing = KeyComparator.of("test.Recursing", (a, _) -> recurse(a.byteSize()));
        RocksDB db = closeLater(open(recursing));
        db.put(Bytes.of("a"), Bytes.of("1"));
        assertThatThrownBy(() -> db.put(Bytes.of("b"), Bytes.of("2"))).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void keysThatItKeepsAreUnusableAfterwards() {
        List<MemorySegment> kept = new ArrayList<>();
        KeyComparator keeping = KeyComparator.of("test.Keeping", (a, b) -> {
            kept.add(a);
            kept.add(b);
            assertThatThrownBy(() -> a.fill((byte) 0)).isInstanceOf(IllegalArgumentException.class);
            return text(a).compareTo(text(b));
        });
        RocksDB db = closeLater(open(keeping));
        db.put(Bytes.of("a"), Bytes.of("1"));
        db.put(Bytes.of("b"), Bytes.of("2"));
        assertThat(kept).hasSizeGreaterThan(1)
                .allSatisfy(key -> assertThatThrownBy(() -> key.get(ValueLayout.JAVA_BYTE, 0))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed"));
    }

    @Test
    void itsNameMustBeStorable() {
        for (String name : List.of("", " ", "a;b", "a=b", "{a}", "a#b", "a\nb", "a\0b", " a", "a ", "é", "a\\b",
                "nullptr", "rocksdb.ReverseBytewiseComparator", "leveldb.X")) {
            assertThatIllegalArgumentException().as(name)
                    .isThrownBy(() -> new Options().comparator(KeyComparator.of(name, BY_LENGTH::compare)))
                    .withMessageContaining(name);
        }
        for (String name : List.of("a", "a b", "com.acme.Order/2", "[x]:y,\"z\"!$%&'()*+-<>?@^_`|~")) {
            Path path = directory.resolve(Integer.toHexString(name.hashCode()));
            KeyComparator comparator = KeyComparator.of(name, BY_LENGTH::compare);
            for (int i = 0; i < 2; i++) {
                RocksDB.open(path, create().comparator(comparator)).close();
            }
        }
    }

    @Test
    void itsTimestampsMustHaveASensibleSize() {
        for (int size : new int[]{-1, 1025, Integer.MAX_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Options().comparator(new KeyComparator() {
                @Override
                public String name() {
                    return "test.Timestamps";
                }

                @Override
                public int compare(MemorySegment a, MemorySegment b) {
                    return 0;
                }

                @Override
                public int timestampSize() {
                    return size;
                }
            })).withMessageContaining(Integer.toString(size));
        }
    }

    /** As {@link #BY_LENGTH}, with timestamps of 8 bytes, in the order of RocksDB's own. */
    private static final KeyComparator WITH_TIMESTAMPS = new KeyComparator() {
        @Override
        public String name() {
            return "test.ByLength.u64";
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            return BY_LENGTH.compare(a, b);
        }

        @Override
        public int timestampSize() {
            return Long.BYTES;
        }
    };

    private static MemorySegment time(long time) {
        return Bytes.inNative(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(time).array());
    }

    private static void write(RocksDB db, String key, long... times) {
        for (long time : times) {
            WriteBatch batch = new WriteBatch();
            batch.in(db.defaultColumnFamily()).at(time(time)).put(Bytes.of(key), Bytes.of(key + "@" + time));
            db.write(batch);
        }
    }

    private static List<String> valuesAt(RocksDB db, long time) {
        List<String> values = new ArrayList<>();
        db.with(new ReadOptions().timestamp(time(time).toArray(ValueLayout.JAVA_BYTE)))
                .scan((_, value) -> values.add(text(value)));
        return values;
    }

    @Test
    void versionsWithTimestampsAreFoundByTheTimeOfTheReader() {
        try (RocksDB db = open(WITH_TIMESTAMPS)) {
            write(db, "bb", 1, 3, 5);
            write(db, "a", 2, 4);
            write(db, "ccc", 9);
            for (int i = 0; i < 3; i++) {
                assertThat(valuesAt(db, 0)).isEmpty();
                assertThat(valuesAt(db, 1)).containsExactly("bb@1");
                assertThat(valuesAt(db, 4)).containsExactly("a@4", "bb@3");
                assertThat(valuesAt(db, 100)).containsExactly("a@4", "bb@5", "ccc@9");
                assertThat(db.with(new ReadOptions().timestamp(time(3).toArray(ValueLayout.JAVA_BYTE)))
                        .get(Bytes.of("a"))).asString().isEqualTo("a@2");
                if (i == 0) {
                    db.flush();
                } else {
                    db.compact();
                }
            }
        }
        RocksDB db = closeLater(open(WITH_TIMESTAMPS));
        assertThat(valuesAt(db, 3)).containsExactly("a@2", "bb@3");
        // Timestamps are counted without a sign.
        write(db, "a", -1);
        assertThat(valuesAt(db, Long.MAX_VALUE)).containsExactly("a@4", "bb@5", "ccc@9");
        assertThat(valuesAt(db, -1)).containsExactly("a@-1", "bb@5", "ccc@9");
    }

    @Test
    void timestampsOfAnyLengthAreNumbersWithTheLeastSignificantByteFirst() {
        byte[][] ascending = {{0, 0, 0}, {1, 0, 0}, {(byte) 0xff, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, (byte) 0x80}};
        for (int i = 0; i < ascending.length; i++) {
            for (int j = 0; j < ascending.length; j++) {
                assertThat(Integer.signum(WITH_TIMESTAMPS.compareTimestamps(MemorySegment.ofArray(ascending[i]),
                        MemorySegment.ofArray(ascending[j])))).isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void aRangeToDeleteIsInItsOrder() {
        RocksDB db = closeLater(open(BY_LENGTH));
        for (String key : List.of("z", "aa", "bb", "ccc")) {
            db.put(Bytes.of(key), Bytes.of("value"));
        }
        db.deleteRange(Bytes.of("z"), Bytes.of("bb"));
        assertThat(keys(db)).containsExactly("bb", "ccc");
        assertThatThrownBy(() -> db.deleteRange(Bytes.of("aaa"), Bytes.of("z"))).isInstanceOf(RocksDBException.class);
        db.put(Bytes.of("still"), Bytes.of("writable"));
    }
}
