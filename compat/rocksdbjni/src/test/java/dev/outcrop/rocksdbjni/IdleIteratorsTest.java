package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SkipListMemTableConfig;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Statistics;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TickerType;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdb.WriteBufferManager;

/** Closed iterators are reused, which only their speed shows. */
// In threads of their own, because one in which another test has counted what RocksDB does uses none again.
@Tag("verify")
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdleIteratorsTest extends DatabaseTest {
    private static final int KEYS = 60;
    private static final int STEPS = TestSize.choose("outcrop.idle.steps", 300, 1500);
    private static final int ITERATORS = 20;
    private static final String[] FAMILIES = {"default", "second"};
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** Of some, iterators see only what was there when RocksDB made them. */
    enum Memtable {
        SKIP_LIST,
        VECTOR,
        HASH_SKIP_LIST,
        HASH_LINKED_LIST,
        STORED_VECTOR,
        VECTOR_AFTER_SKIP_LIST;

        /** All keys have the same prefix, without which hash tables have no order. */
        Options options() {
            if (this == STORED_VECTOR) {
                return stored("vector");
            }
            if (this == VECTOR_AFTER_SKIP_LIST) {
                return stored("{id=skip_list;id=vector}");
            }
            return IdleIteratorsTest.options().setAllowConcurrentMemtableWrite(false)
                    .useFixedLengthPrefixExtractor(3).setMemTableConfig(switch (this) {
                        case SKIP_LIST -> new SkipListMemTableConfig();
                        case HASH_SKIP_LIST -> new HashSkipListMemTableConfig();
                        case HASH_LINKED_LIST -> new HashLinkedListMemTableConfig();
                        default -> new VectorMemTableConfig();
                    });
        }

        private static Options stored(String memtable) {
            Properties properties = new Properties();
            properties.setProperty("memtable_factory", memtable);
            try (DBOptions database = new DBOptions().setAllowConcurrentMemtableWrite(false);
                    ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties)) {
                return new Options(database, family).setCreateIfMissing(true).setAllowFAllocate(false);
            }
        }

        /** Hash tables have no way back. */
        boolean goesBack() {
            return this != HASH_SKIP_LIST && this != HASH_LINKED_LIST;
        }
    }

    /** Goes through everything that changes what an iterator sees, or what it has pointers to. */
    @ParameterizedTest
    @EnumSource
    void aNewIteratorSeesTheCurrentEntries(Memtable memtable) throws RocksDBException {
        Random random = new Random(TestSize.seed(getClass()));
        try (Options options = memtable.options().setMergeOperator(new StringAppendOperator(','));
                FlushOptions flush = new FlushOptions();
                RocksDB db = RocksDB.open(options, path())) {
            List<ColumnFamilyHandle> families = new ArrayList<>(List.of(db.getDefaultColumnFamily()));
            families.add(db
                    .createColumnFamily(new ColumnFamilyDescriptor(b(FAMILIES[1]), new ColumnFamilyOptions(options))));
            List<NavigableMap<String, String>> expected = List.of(new TreeMap<>(), new TreeMap<>());
            RocksIterator open = null;
            for (int step = 0; step < STEPS; step++) {
                int number = random.nextInt(2);
                ColumnFamilyHandle family = families.get(number);
                NavigableMap<String, String> model = expected.get(number);
                String key = key(random.nextInt(KEYS));
                switch (random.nextInt(16)) {
                    case 0, 1, 2, 3, 4 -> {
                        db.put(family, b(key), b("v" + step));
                        model.put(key, "v" + step);
                    }
                    case 5, 6 -> {
                        db.merge(family, b(key), b("m" + step));
                        model.merge(key, "m" + step, (before, added) -> before + "," + added);
                    }
                    case 7, 8 -> {
                        db.delete(family, b(key));
                        model.remove(key);
                    }
                    case 9, 10, 11 -> {
                        String end = key(random.nextInt(KEYS));
                        if (key.compareTo(end) < 0) {
                            db.deleteRange(family, b(key), b(end));
                            model.subMap(key, end).clear();
                        }
                    }
                    case 12 -> db.flush(flush, family);
                    case 13 -> db.compactRange(family);
                    case 14 -> {
                        if (number == 1 && random.nextInt(4) == 0) {
                            db.dropColumnFamily(family);
                            family.close();
                            families.set(1, db.createColumnFamily(
                                    new ColumnFamilyDescriptor(b(FAMILIES[1]), new ColumnFamilyOptions(options))));
                            model.clear();
                        }
                    }
                    default -> {
                        // One more that is open at the same time.
                        if (open == null) {
                            open = db.newIterator(family);
                        } else {
                            open.close();
                            open = null;
                        }
                    }
                }
                check(db, families, expected, random, step, memtable.goesBack());
            }
            if (open != null) {
                open.close();
            }
        }
    }

    private static void check(RocksDB db, List<ColumnFamilyHandle> families,
            List<NavigableMap<String, String>> expected, Random random, int step, boolean goesBack)
            throws RocksDBException {
        int number = random.nextInt(2);
        NavigableMap<String, String> model = expected.get(number);
        String from = key(random.nextInt(KEYS));
        boolean isBackward = goesBack && random.nextBoolean();
        Map<String, String> wanted = isBackward
                ? model.headMap(from, true).descendingMap()
                : model.tailMap(from, true);
        List<String> seen = new ArrayList<>();
        try (RocksIterator iterator = number == 0 && random.nextBoolean()
                ? db.newIterator()
                : db.newIterator(families.get(number))) {
            assertThat(iterator.isValid()).isFalse();
            if (isBackward) {
                for (iterator.seekForPrev(b(from)); iterator.isValid(); iterator.prev()) {
                    seen.add(text(iterator.key()) + "=" + text(iterator.value()));
                }
            } else {
                for (iterator.seek(b(from)); iterator.isValid(); iterator.next()) {
                    seen.add(text(iterator.key()) + "=" + text(iterator.value()));
                }
            }
            if (random.nextBoolean()) {
                iterator.status();
            }
        }
        assertThat(seen).as("step %d", step).isEqualTo(wanted.entrySet().stream().map(Object::toString).toList());
    }

    @Test
    void aFamilyThatIsCreatedLaterMayHaveAnotherMemtable() throws RocksDBException {
        try (Options options = options().setAllowConcurrentMemtableWrite(false);
                RocksDB db = RocksDB.open(options, directory.toString());
                ColumnFamilyOptions vector = new ColumnFamilyOptions().setMemTableConfig(new VectorMemTableConfig());
                ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("later"), vector))) {
            for (int i = 0; i < 10; i++) {
                db.put(family, b("key" + i), b("value"));
                try (RocksIterator iterator = db.newIterator(family)) {
                    int found = 0;
                    for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                        found++;
                    }
                    assertThat(found).isEqualTo(i + 1);
                }
            }
        }
    }

    @Test
    void aClosedIteratorStaysClosed() throws RocksDBException {
        try (Options options = options(); RocksDB db = RocksDB.open(options, path())) {
            db.put(b("a"), b("1"));
            RocksIterator closed = db.newIterator();
            closed.seekToFirst();
            closed.close();
            try (RocksIterator next = db.newIterator()) {
                next.seekToFirst();
                assertThatThrownBy(closed::isValid).hasMessageContaining("closed");
                assertThatThrownBy(closed::key).hasMessageContaining("closed");
                assertThatThrownBy(closed::next).hasMessageContaining("closed");
                closed.close();
                assertThat(text(next.value())).isEqualTo("1");
            }
        }
    }

    @Test
    void oneThatReadASnapshotIsNotUsedAgain() throws RocksDBException {
        try (Options options = options(); RocksDB db = RocksDB.open(options, path())) {
            db.put(b("a"), b("1"));
            Snapshot snapshot = db.getSnapshot();
            db.put(b("a"), b("2"));
            try (RocksIterator iterator = db.newIterator()) {
                iterator.refresh(snapshot);
                iterator.seekToFirst();
                assertThat(text(iterator.value())).isEqualTo("1");
            }
            db.releaseSnapshot(snapshot);
            snapshot.close();
            try (RocksIterator iterator = db.newIterator()) {
                iterator.seekToFirst();
                assertThat(text(iterator.value())).isEqualTo("2");
            }
        }
    }

    /** An iterator does not open a file again that it could not open. */
    @Test
    void oneThatFailedIsNotUsedAgain() throws RocksDBException, IOException {
        // RocksDB can have open ten of the files.
        try (Options options = options().setMaxOpenFiles(20).setDisableAutoCompactions(true);
                FlushOptions flush = new FlushOptions();
                RocksDB db = RocksDB.open(options, path())) {
            for (int i = 0; i < KEYS; i++) {
                db.put(b(key(i)), b("1"));
                db.flush(flush);
            }
            Map<Path, byte[]> whole = new HashMap<>();
            for (Path file : tables()) {
                whole.put(file, Files.readAllBytes(file));
                Files.write(file, new byte[(int) Files.size(file)]);
            }
            try (RocksIterator iterator = db.newIterator()) {
                iterator.seekToFirst();
                assertThat(iterator.isValid()).isFalse();
                assertThatThrownBy(iterator::status).isInstanceOf(RocksDBException.class);
            }
            for (Map.Entry<Path, byte[]> file : whole.entrySet()) {
                Files.write(file.getKey(), file.getValue());
            }
            try (RocksIterator iterator = db.newIterator()) {
                int seen = 0;
                for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                    seen++;
                }
                iterator.status();
                assertThat(seen).isEqualTo(KEYS);
            }
        }
    }

    @Test
    void nothingIsKeptForLong() throws RocksDBException, InterruptedException {
        try (Cache cache = new LRUCache(8 << 20);
                Options options = options().setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
                RocksDB db = RocksDB.open(options, path())) {
            db.put(b("a"), b("1"));
            db.compactRange();
            long before = cache.getPinnedUsage();
            for (int i = 0; i < 3; i++) {
                try (RocksIterator iterator = db.newIterator()) {
                    iterator.seekToFirst();
                    assertThat(iterator.isValid()).isTrue();
                    assertThat(cache.getPinnedUsage()).isGreaterThan(before);
                }
                long end = System.nanoTime() + PATIENCE_NANOS;
                while (cache.getPinnedUsage() > before && System.nanoTime() < end) {
                    Thread.sleep(5);
                }
                assertThat(cache.getPinnedUsage()).as("round %d", i).isLessThanOrEqualTo(before);
            }
        }
    }

    @Test
    void propertiesDoNotShowIdleOnes() throws Exception {
        int late = 0;
        try (Cache cache = new LRUCache(8 << 20);
                Options options = options().setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
                FlushOptions flush = new FlushOptions();
                RocksDB db = RocksDB.open(options, path())) {
            String versions = "rocksdb.num-live-versions";
            for (int i = 0; i < KEYS; i++) {
                db.put(b(key(i)), new byte[100]);
                look(db);
                db.flush(flush);
                late += lateness(() -> db.getLongProperty(versions) == 1);
                look(db);
                db.compactRange();
                late += lateness(() -> db.getLongProperty(versions) == 1);
                look(db);
                late += lateness(
                        () -> db.getLongProperty("rocksdb.block-cache-pinned-usage") == cache.getPinnedUsage());
                look(db);
                late += lateness(() -> db.getProperty(versions).equals("1"));
                look(db);
                late += lateness(() -> db.getAggregatedLongProperty(versions) == 1);
            }
            assertThat(late).isLessThan(KEYS / 10);
        }
    }

    /** Returns 0, or 1 if it had to wait: an iterator that the background thread is freeing at the same moment is still counted. */
    private static int lateness(Callable<Boolean> condition) throws Exception {
        if (condition.call()) {
            return 0;
        }
        while (!condition.call()) {
            Thread.sleep(1);
        }
        return 1;
    }

    /** RocksDB adds what an iterator did to the counters when it frees it. */
    @Test
    void statisticsCountTheWork() throws RocksDBException {
        try (Statistics statistics = new Statistics();
                Options options = options().setStatistics(statistics);
                RocksDB db = RocksDB.open(options, path())) {
            db.put(b("a"), b("1"));
            for (int i = 1; i <= 5; i++) {
                look(db);
                assertThat(statistics.getTickerCount(TickerType.NO_ITERATOR_CREATED)).isEqualTo(i);
                assertThat(statistics.getTickerCount(TickerType.NO_ITERATOR_DELETED)).isEqualTo(i);
                assertThat(statistics.getTickerCount(TickerType.NUMBER_DB_SEEK)).isEqualTo(i);
            }
        }
    }

    @Test
    void closingFreesTheDatabaseWhileThreadsIterate() throws Exception {
        AtomicLong read = new AtomicLong();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (int round = 0; round < 20; round++) {
            Options options = options();
            RocksDB db = RocksDB.open(options, path());
            ColumnFamilyHandle second = db.createColumnFamily(new ColumnFamilyDescriptor(b("f" + round)));
            db.put(b("a"), b("1"));
            db.put(second, b("a"), b("1"));
            List<Thread> threads = new ArrayList<>();
            AtomicLong started = new AtomicLong();
            for (int t = 0; t < 6; t++) {
                ColumnFamilyHandle family = t % 2 == 0 ? db.getDefaultColumnFamily() : second;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        while (true) {
                            try (RocksIterator iterator = db.newIterator(family)) {
                                iterator.seekToFirst();
                                read.addAndGet(iterator.value().length);
                            }
                            started.incrementAndGet();
                        }
                    } catch (IllegalStateException | AssertionError e) {
                        if (!String.valueOf(e.getMessage()).contains("closed")) {
                            failures.add(e);
                        }
                    }
                }));
            }
            try (FlushOptions flush = new FlushOptions()) {
                while (started.get() < 200 && failures.isEmpty()) {
                    db.put(b("b" + started.get()), b("1"));
                    db.flush(flush);
                }
            }
            assertThat(failures).isEmpty();
            db.dropColumnFamily(second);
            db.close();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            options.close();
            try (Options again = options()) {
                List<ColumnFamilyHandle> handles = new ArrayList<>();
                try (DBOptions database = new DBOptions(again);
                        RocksDB reopened = RocksDB.open(database, path(),
                                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)), handles)) {
                    assertThat(reopened.get(b("a"))).isEqualTo(b("1"));
                }
            }
        }
        assertThat(read.get()).isPositive();
    }

    /** Prints how many native iterators were used again, and how many after a thread has begun to count what RocksDB does. */
    static final class Program {
        private Program() {
        }

        static void main(String[] arguments) throws RocksDBException {
            try (Options options = options(); RocksDB db = RocksDB.open(options, arguments[0])) {
                db.put(b("a"), b("1"));
                System.out.println(countUsedAgain(db, ITERATORS) > 0);
                db.setPerfLevel(PerfLevel.ENABLE_COUNT);
                System.out.println(countUsedAgain(db, ITERATORS) > 0);
            }
        }
    }

    /** Runs in a JVM of its own; the main thread counts afterwards. */
    @Test
    void nativeIteratorsAreReusedWithoutStatistics() throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().run(Program.class, path());

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).containsExactly("true", "false");
    }

    /** Writes wait for memory that idle iterators would keep, and closing waits for the writes. */
    @Test
    void noneIsKeptWhileWritesWaitForMemory() throws Exception {
        for (int round = 0; round < 4; round++) {
            AtomicLong written = new AtomicLong();
            AtomicReference<Throwable> end = new AtomicReference<>();
            try (Cache cache = new LRUCache(8 << 20);
                    WriteBufferManager manager = new WriteBufferManager(4 << 20, cache, true);
                    Options options = options().setWriteBufferManager(manager)) {
                RocksDB db = RocksDB.open(options, path());
                Thread writer = Thread.ofPlatform().start(() -> {
                    try {
                        while (true) {
                            try (RocksIterator iterator = db.newIterator()) {
                                iterator.seekToFirst();
                            }
                            db.put(b("key" + written.incrementAndGet()), new byte[10_000]);
                        }
                    } catch (Throwable e) {
                        end.set(e);
                    }
                });
                // Closes while a write waits, if one does.
                long before = -1;
                while (written.get() != before && written.get() < 3_000 && end.get() == null) {
                    before = written.get();
                    Thread.sleep(30);
                }
                db.close();
                writer.join();
                assertThat(end.get()).hasMessageContaining("closed");
            }
        }
    }

    /** Options that could be another iterator's never meet an idle one. */
    @Test
    void optionsAreTheirOwnIterators() throws RocksDBException {
        try (Options options = options(); RocksDB db = RocksDB.open(options, path())) {
            for (int i = 0; i < KEYS; i++) {
                db.put(b(key(i)), b("1"));
            }
            for (int i = 0; i < 5; i++) {
                assertThat(count(db.newIterator())).isEqualTo(KEYS);
                try (ReadOptions bounded = new ReadOptions().setIterateUpperBound(new Slice(key(10)))) {
                    assertThat(count(db.newIterator(bounded))).isEqualTo(10);
                }
            }
        }
    }

    /** Returns how many of so many iterators reused the native one of the iterator before. */
    private static int countUsedAgain(RocksDB db, int iterators) throws RocksDBException {
        int again = 0;
        try (ReadOptions options = new ReadOptions()) {
            for (int i = 0; i < iterators; i++) {
                RocksIterator closed = db.newIterator();
                closed.seekToFirst();
                closed.close();
                try (RocksIterator other = db.newIterator(options); RocksIterator next = db.newIterator()) {
                    again += next.getNativeHandle() == closed.getNativeHandle() ? 1 : 0;
                    assertThat(other.getNativeHandle()).isNotEqualTo(next.getNativeHandle());
                }
            }
        }
        return again;
    }

    private static int count(RocksIterator iterator) {
        try (iterator) {
            int seen = 0;
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                seen++;
            }
            return seen;
        }
    }

    private static void look(RocksDB db) {
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seekToFirst();
            assertThat(iterator.isValid()).isTrue();
            assertThat(iterator.value()).isNotNull();
        }
    }

    private List<Path> tables() {
        try (Stream<Path> files = Files.list(directory.resolve("db"))) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Options options() {
        // Most of what is preallocated is never written.
        return new Options().setCreateIfMissing(true).setAllowFAllocate(false);
    }

    private static String key(int i) {
        return "key%03d".formatted(i);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
