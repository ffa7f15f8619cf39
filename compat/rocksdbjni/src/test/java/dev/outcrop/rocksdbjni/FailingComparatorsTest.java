package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactionOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Logger;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Comparators that throw or contradict themselves lose no key, and no call hides it. */
class FailingComparatorsTest extends DatabaseTest {
    private static final int KEYS = 500;

    private final ComparatorOptions shown = closeLater(new ComparatorOptions());
    private final Failing order = closeLater(new Failing(shown));
    private final Options options = closeLater(options(order));
    private final FlushOptions flush = closeLater(new FlushOptions());
    private String path;

    @BeforeEach
    void setPath() {
        path = path();
    }

    /** Without a stack trace: a search that goes round in circles throws it thousands of times. */
    private static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1;

        OnPurpose() {
            super("on purpose", null, false, false);
        }
    }

    /** Orders keys by their bytes, and throws or lies on demand. */
    private static final class Failing extends AbstractComparator {
        /** Which keys it throws for. */
        private volatile BiPredicate<ByteBuffer, ByteBuffer> throwsFor = (_, _) -> false;
        private volatile boolean lies;
        private volatile boolean isEqual;
        private volatile boolean isReversed;

        Failing(ComparatorOptions options) {
            super(options);
        }

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            if (throwsFor.test(a, b)) {
                throw new OnPurpose();
            }
            if (isEqual) {
                return 0;
            }
            return lies ? 1 : isReversed ? b.compareTo(a) : a.compareTo(b);
        }
    }

    private static Options options(Failing order) {
        return new Options().setCreateIfMissing(true).setAllowFAllocate(false).setComparator(order);
    }

    private static String key(int i) {
        return "key%05d".formatted(i * 7 % KEYS);
    }

    private static void fill(RocksDB db, int from, int to) throws RocksDBException {
        for (int i = from; i < to; i++) {
            db.put(b(key(i)), b("value" + i));
        }
    }

    /** Fills five table files. */
    private void fillFiles(RocksDB db) throws RocksDBException {
        for (int i = 0; i < 5; i++) {
            fill(db, i * KEYS / 5, (i + 1) * KEYS / 5);
            db.flush(flush);
        }
    }

    private static Map<String, String> filled(int to) {
        Map<String, String> entries = new TreeMap<>();
        for (int i = 0; i < to; i++) {
            entries.put(key(i), "value" + i);
        }
        return entries;
    }

    private static Map<String, String> entries(RocksDB db) throws RocksDBException {
        List<String> keys = new ArrayList<>();
        Map<String, String> entries = new TreeMap<>();
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                keys.add(new String(iterator.key(), UTF_8));
                entries.put(keys.getLast(), new String(iterator.value(), UTF_8));
                assertThat(db.get(iterator.key())).isEqualTo(iterator.value());
            }
            iterator.status();
        }
        assertThat(keys).isSorted().doesNotHaveDuplicates();
        return entries;
    }

    /** The entries that a working comparator finds in the database. */
    private Map<String, String> entries() throws RocksDBException {
        try (Failing sound = new Failing(shown);
                Options options = options(sound);
                RocksDB db = RocksDB.open(options, path)) {
            return entries(db);
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.Aborted))
                .hasMessageContaining("comparator").hasRootCauseMessage("on purpose");
    }

    @Test
    void aSearchForAKeyThatCannotBeComparedHarmsNothing() throws RocksDBException {
        order.throwsFor = (a, b) -> a.remaining() < 8 || b.remaining() < 8;
        try (RocksDB db = RocksDB.open(options, path)) {
            fill(db, 0, 200);
            for (String malformed : List.of("", "k", "key0010")) {
                db.get(b(malformed));
                try (RocksIterator iterator = db.newIterator()) {
                    iterator.seek(b(malformed));
                }
            }
            fill(db, 200, 400);
            db.flush(flush);
            fill(db, 400, KEYS);
            db.get(b("short"));
            db.compactRange();
            assertThat(entries(db)).isEqualTo(filled(KEYS));
        }
        try (RocksDB db = RocksDB.open(options, path)) {
            assertThat(entries(db)).isEqualTo(filled(KEYS));
        }
    }

    @Test
    void oneThatThrowsASingleTimeIsAskedAgain() throws RocksDBException {
        AtomicInteger left = new AtomicInteger();
        order.throwsFor = (_, _) -> left.getAndDecrement() == 0;
        try (RocksDB db = RocksDB.open(options, path)) {
            for (int i = 0; i < 10; i++) {
                left.set(i);
                fill(db, i * KEYS / 10, (i + 1) * KEYS / 10);
            }
            assertThat(entries(db)).isEqualTo(filled(KEYS));
        }
        left.set(3);
        try (RocksDB db = RocksDB.open(options, path)) {
            assertThat(entries(db)).isEqualTo(filled(KEYS));
        }
    }

    @Test
    void aWriteOfAKeyThatCannotBeComparedEndsWritesAndLosesNothing() throws RocksDBException {
        try (RocksDB db = RocksDB.open(options, path);
                WriteOptions write = new WriteOptions();
                WriteBatch batch = new WriteBatch()) {
            fill(db, 0, KEYS);
            order.throwsFor = (a, b) -> a.remaining() < 8 || b.remaining() < 8;
            assertRefused(() -> db.put(b("short"), b("1")));
            batch.put(b(key(1)), b("other"));
            assertRefused(() -> db.write(write, batch));
            assertRefused(() -> db.delete(b(key(2))));
            assertRefused(() -> db.deleteRange(b(key(2)), b(key(3))));
            assertRefused(() -> db.merge(b(key(2)), b("2")));
            assertRefused(() -> db.flush(flush));
            assertRefused(db::compactRange);
            assertRefused(() -> db.createColumnFamily(new ColumnFamilyDescriptor(b("family"))));
            assertThat(db.get(b(key(3)))).isEqualTo(b("value3"));
            try (RocksIterator iterator = db.newIterator()) {
                iterator.seekToFirst();
                assertRefused(iterator::status);
            }
        }
        Map<String, String> expected = filled(KEYS);
        expected.put("short", "1");
        assertThat(entries()).isEqualTo(expected);
    }

    @RepeatedTest(3)
    void failuresInABackgroundThreadEndTheFlush() throws RocksDBException {
        Thread own = Thread.currentThread();
        try (RocksDB db = RocksDB.open(options, path)) {
            fill(db, 0, KEYS);
            order.throwsFor = (_, _) -> !own.equals(Thread.currentThread());
            assertRefused(() -> db.flush(flush));
            assertRefused(() -> db.put(b("another"), b("1")));
        }
        order.throwsFor = (_, _) -> false;
        try (RocksDB db = RocksDB.open(options, path)) {
            assertThat(entries(db)).isEqualTo(filled(KEYS));
            db.flush(flush);
            db.compactRange();
            assertThat(entries(db)).isEqualTo(filled(KEYS));
        }
        assertThat(entries()).isEqualTo(filled(KEYS));
    }

    @RepeatedTest(3)
    void failuresInABackgroundThreadEndTheCompaction() throws RocksDBException {
        Thread own = Thread.currentThread();
        options.setDisableAutoCompactions(true);
        try (RocksDB db = RocksDB.open(options, path)) {
            fillFiles(db);
            order.throwsFor = (_, _) -> !own.equals(Thread.currentThread());
            assertRefused(db::compactRange);
            assertRefused(db::compactRange);
        }
        assertThat(entries()).isEqualTo(filled(KEYS));
    }

    /** Background work on the files of a database. */
    enum Work {
        FLUSH {
            @Override
            void run(RocksDB db) throws RocksDBException {
                try (FlushOptions flush = new FlushOptions()) {
                    db.flush(flush);
                }
            }
        },
        COMPACTION {
            @Override
            void run(RocksDB db) throws RocksDBException {
                db.compactRange();
            }
        };

        abstract void run(RocksDB db) throws RocksDBException;
    }

    /** The failure is in the last comparison of the work, while other databases with this comparator are stopped slowly. */
    @Tag("verify")
    @ParameterizedTest
    @EnumSource
    void workThatCannotBeStoppedAtOnceLosesNothing(Work work) throws RocksDBException {
        Thread own = Thread.currentThread();
        ByteBuffer last = ByteBuffer.wrap(b("key%05d".formatted(KEYS - 1)));
        options.setDisableAutoCompactions(true);
        List<RocksDB> others = new ArrayList<>();
        try (Options ofOthers = options(order);
                Logger slow = new Logger(InfoLogLevel.INFO_LEVEL) {
                    @Override
                    protected void log(InfoLogLevel level, String message) {
                        if (message.contains("canceling all background work") && !own.equals(Thread.currentThread())) {
                            try {
                                Thread.sleep(500);
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        }
                    }
                }) {
            ofOthers.setLogger(slow);
            // The order in which they are stopped is not known.
            for (int i = 0; i < 6; i++) {
                others.add(RocksDB.open(ofOthers, path("other" + i)));
            }
            try (RocksDB db = RocksDB.open(options, path)) {
                fillFiles(db);
                fill(db, 0, KEYS);
                // Newer than the last key, which would be taken for an older value of this key.
                byte[] lastButOne = b("key%05d".formatted(KEYS - 2));
                db.put(lastButOne, db.get(lastButOne));
                if (work == Work.COMPACTION) {
                    db.flush(flush);
                }
                order.throwsFor = (a, b) -> !own.equals(Thread.currentThread()) && (a.equals(last) || b.equals(last));
                assertRefused(() -> work.run(db));
            }
            others.forEach(RocksDB::close);
        }
        assertThat(entries()).isEqualTo(filled(KEYS));
    }

    /** Such a file does not contain its last key. */
    @Tag("verify")
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void filesThatEndWithADeletedRangeAreChosenInSpiteOfFailures(int answers) throws Exception {
        Thread own = Thread.currentThread();
        AtomicInteger left = new AtomicInteger(answers);
        options.setLevelCompactionDynamicLevelBytes(false).setLevel0FileNumCompactionTrigger(20);
        try (RocksDB db = RocksDB.open(options, path);
                CompactRangeOptions toLevel = new CompactRangeOptions().setChangeLevel(true).setTargetLevel(2);
                CompactionOptions compaction = new CompactionOptions()) {
            fill(db, 0, KEYS);
            db.compactRange(db.getDefaultColumnFamily(), null, null, toLevel);
            List<Snapshot> snapshots = new ArrayList<>();
            snapshots.add(db.getSnapshot());
            fill(db, 0, KEYS);
            snapshots.add(db.getSnapshot());
            db.deleteRange(b("key"), b("kez"));
            snapshots.add(db.getSnapshot());
            fill(db, 0, KEYS);
            db.flush(flush);
            List<String> files = db.getLiveFilesMetaData().stream().filter(file -> file.level() == 0)
                    .map(file -> file.path() + file.fileName()).toList();
            db.compactFiles(compaction, files, 1, -1, null);
            assertThat(db.getLiveFilesMetaData().stream().filter(file -> file.level() == 1)).hasSize(1);
            order.throwsFor = (_, _) -> !own.equals(Thread.currentThread()) && left.getAndDecrement() <= 0;
            assertThatThrownBy(() -> {
                // This makes the compaction due.
                db.setOptions(MutableColumnFamilyOptions.builder().setMaxBytesForLevelBase(4096).build());
                while (true) {
                    db.put(b(key(0)), b("value0"));
                }
            }).isInstanceOf(RocksDBException.class).hasRootCauseMessage("on purpose");
            snapshots.forEach(db::releaseSnapshot);
        }
        order.throwsFor = (_, _) -> false;
        assertThat(entries()).isEqualTo(filled(KEYS));
    }

    @Test
    void failuresInABackgroundThreadEndClipping() throws RocksDBException {
        Thread own = Thread.currentThread();
        options.setDisableAutoCompactions(true);
        try (RocksDB db = RocksDB.open(options, path)) {
            fillFiles(db);
            order.throwsFor = (_, _) -> !own.equals(Thread.currentThread());
            assertRefused(() -> db.clipColumnFamily(db.getDefaultColumnFamily(), b("key"), b("kez")));
            assertRefused(
                    () -> db.deleteFilesInRanges(db.getDefaultColumnFamily(), List.of(b(key(0)), b(key(1))), false));
        }
        assertThat(entries()).isEqualTo(filled(KEYS));
    }

    /** A write that waits for the flush of a memtable. */
    @RepeatedTest(3)
    void aWriteThatMeetsAFailureInABackgroundThreadFirst() throws RocksDBException {
        Thread own = Thread.currentThread();
        options.setWriteBufferSize(64 << 10).setMaxWriteBufferNumber(2);
        try (RocksDB db = RocksDB.open(options, path)) {
            order.throwsFor = (_, _) -> !own.equals(Thread.currentThread());
            assertRefused(() -> {
                for (int i = 0; i < 100_000; i++) {
                    db.put(b("key%08d".formatted(i)), new byte[1000]);
                }
            });
        }
    }

    @Test
    void oneThatContradictsItselfEndsWritesAndLosesNothing() throws RocksDBException {
        try (RocksDB db = RocksDB.open(options, path)) {
            fill(db, 0, KEYS);
            order.lies = true;
            assertThatThrownBy(() -> db.flush(flush)).isInstanceOf(RocksDBException.class);
            assertThatThrownBy(() -> db.put(b("another"), b("1"))).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("contradicts itself");
        }
        assertThat(entries()).isEqualTo(filled(KEYS));
    }

    /** The calling thread compacts itself then. */
    @Test
    void oneThatFailsWhileFilesAreCompactedLosesNothing() throws RocksDBException {
        for (boolean lies : List.of(true, false)) {
            path = directory.resolve("db" + lies).toString();
            try (Failing order = new Failing(shown);
                    Options options = options(order).setDisableAutoCompactions(true);
                    CompactionOptions compaction = new CompactionOptions();
                    RocksDB db = RocksDB.open(options, path)) {
                fillFiles(db);
                AtomicInteger left = new AtomicInteger(100);
                order.throwsFor = (_, _) -> {
                    order.isEqual = lies && left.get() <= 0;
                    return left.decrementAndGet() < 0 && !lies;
                };
                List<String> files = db.getLiveFilesMetaData().stream().map(LiveFileMetaData::fileName).toList();
                assertThatThrownBy(() -> db.compactFiles(compaction, files, 1, -1, null))
                        .isInstanceOf(RocksDBException.class);
                assertThatThrownBy(() -> db.put(b("another"), b("1"))).hasMessageContaining("comparator has failed");
            }
            assertThat(entries()).isEqualTo(filled(KEYS));
        }
    }

    @Test
    void oneThatHasFailedInAnOpenDatabaseOpensNoOther() throws RocksDBException, IOException {
        try (RocksDB db = RocksDB.open(options, path)) {
            fill(db, 0, KEYS);
        }
        Map<String, Long> before = files();
        try (RocksDB other = RocksDB.open(options, path("other"))) {
            fill(other, 0, 10);
            order.lies = true;
            assertThatThrownBy(() -> other.flush(flush)).isInstanceOf(RocksDBException.class);
            order.lies = false;
            assertThatThrownBy(() -> RocksDB.open(options, path)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("is not opened").hasMessageContaining("contradicts itself");
            assertThat(files()).isEqualTo(before);
        }
        try (RocksDB db = RocksDB.open(options, path)) {
            assertThat(entries(db)).isEqualTo(filled(KEYS));
        }
    }

    @Test
    void unloggedWritesAreFlushedOnClosingOnlyIfTheyCanBeCompared() throws RocksDBException {
        Thread own = Thread.currentThread();
        try (WriteOptions notLogged = new WriteOptions().setDisableWAL(true)) {
            try (RocksDB db = RocksDB.open(options, path)) {
                fill(db, 0, KEYS);
                db.put(notLogged, b("not logged"), b("1"));
                order.throwsFor = (_, _) -> !own.equals(Thread.currentThread());
            }
            order.throwsFor = (_, _) -> false;
            assertThat(entries()).isEqualTo(filled(KEYS));
            try (RocksDB db = RocksDB.open(options, path)) {
                db.put(notLogged, b("not logged"), b("1"));
            }
            assertThat(entries()).hasSize(KEYS + 1);
        }
    }

    @Test
    void aTableFileInAWrongOrderIsNotFinished() throws RocksDBException {
        try (Failing order = new Failing(shown);
                Options options = options(order);
                EnvOptions env = new EnvOptions();
                SstFileWriter writer = new SstFileWriter(env, options)) {
            writer.open(path("table.sst"));
            writer.put(b("a"), b("1"));
            writer.put(b("b"), b("2"));
            order.throwsFor = (_, _) -> true;
            assertRefused(() -> writer.put(b("c"), b("3")));
            order.throwsFor = (_, _) -> false;
            assertRefused(() -> writer.put(b("d"), b("4")));
            assertRefused(writer::finish);
        }
        try (Failing order = new Failing(shown);
                Options options = options(order);
                EnvOptions env = new EnvOptions();
                SstFileWriter writer = new SstFileWriter(env, options)) {
            writer.open(path("another.sst"));
            writer.put(b("a"), b("1"));
            order.lies = true;
            assertThatThrownBy(() -> writer.put(b("b"), b("2"))).isInstanceOf(RocksDBException.class);
            assertThatThrownBy(writer::finish).hasMessageContaining("contradicts itself");
        }
    }

    /** In another order than that of the files it may seek the same place again and again, and turning round may end the process. */
    @Tag("verify")
    @Test
    void anIteratorThatCannotCompareIsAtNoEntry() throws RocksDBException {
        Thread own = Thread.currentThread();
        try (RocksDB db = RocksDB.open(options, path)) {
            order.isReversed = true;
            for (int i = 0; i < 2; i++) {
                fill(db, i * KEYS / 2, (i + 1) * KEYS / 2);
                fill(db, 0, KEYS);
                db.flush(flush);
            }
            try (RocksIterator iterator = db.newIterator()) {
                iterator.seekToFirst();
                assertThat(iterator.isValid()).isTrue();
                order.throwsFor = (_, _) -> own.equals(Thread.currentThread());
                iterator.seekForPrev(b(key(KEYS / 2)));
                assertThat(iterator.isValid()).isFalse();
                assertRefused(iterator::status);
                order.throwsFor = (_, _) -> false;
                iterator.seekForPrev(b(key(KEYS / 2)));
                iterator.status();
                assertThat(iterator.key()).isEqualTo(b(key(KEYS / 2)));
            }
        }
    }

    /** RocksDB puts the files in order anew then, on the calling thread. */
    @Test
    void optionsAreNotSetIfItContradictsItself() throws RocksDBException {
        try (RocksDB db = RocksDB.open(options, path)) {
            fill(db, 0, KEYS);
            order.lies = true;
            assertThatThrownBy(() -> db.setOptions(MutableColumnFamilyOptions.builder()
                    .setLevel0FileNumCompactionTrigger(3).build())).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("contradicts itself");
        }
        assertThat(entries()).isEqualTo(filled(KEYS));
    }

    /** The ways to open a database. */
    enum Opened {
        PLAIN {
            @Override
            RocksDB open(Options options, String path) throws RocksDBException {
                return RocksDB.open(options, path);
            }
        },
        TTL {
            @Override
            RocksDB open(Options options, String path) throws RocksDBException {
                return TtlDB.open(options, path);
            }
        },
        TRANSACTIONS {
            @Override
            RocksDB open(Options options, String path) throws RocksDBException {
                try (TransactionDBOptions locking = new TransactionDBOptions()) {
                    return TransactionDB.open(options, locking, path);
                }
            }
        },
        OPTIMISTIC {
            @Override
            RocksDB open(Options options, String path) throws RocksDBException {
                return OptimisticTransactionDB.open(options, path);
            }
        };

        abstract RocksDB open(Options options, String path) throws RocksDBException;
    }

    @Tag("verify")
    @ParameterizedTest
    @EnumSource
    void openingWithOneThatThrowsIsRefusedAndChangesNothing(Opened kind) throws RocksDBException, IOException {
        try (RocksDB db = kind.open(options, path); FlushOptions flush = new FlushOptions()) {
            fill(db, 0, 300);
            db.flush(flush);
            fill(db, 300, KEYS);
        }
        Map<String, Long> before = files();
        order.throwsFor = (_, _) -> true;
        assertRefused(() -> kind.open(options, path));
        assertThat(files()).isEqualTo(before);
        order.throwsFor = (_, _) -> false;
        try (RocksDB db = kind.open(options, path)) {
            assertThat(entries(db)).isEqualTo(filled(KEYS));
        }
    }

    @Test
    void openingFamiliesWithOneThatThrowsIsRefused() throws RocksDBException, IOException {
        try (ColumnFamilyOptions ordered = new ColumnFamilyOptions().setComparator(order);
                DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)) {
            List<ColumnFamilyDescriptor> families = new ArrayList<>(List.of(
                    new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                    new ColumnFamilyDescriptor(b("ordered"), ordered)));
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (RocksDB db = RocksDB.open(options, path, families, handles)) {
                for (int i = 0; i < KEYS; i++) {
                    db.put(handles.get(1), b(key(i)), b("value" + i));
                }
            }
            Map<String, Long> before = files();
            order.throwsFor = (_, _) -> true;
            // One of them is not there yet.
            families.add(new ColumnFamilyDescriptor(b("new")));
            assertRefused(() -> RocksDB.open(options, path, families, new ArrayList<>()));
            assertThat(files()).isEqualTo(before);
            order.throwsFor = (_, _) -> false;
            handles.clear();
            try (RocksDB db = RocksDB.open(options, path, families, handles)) {
                assertThat(db.get(handles.get(1), b(key(9)))).isEqualTo(b("value9"));
            }
        }
    }

    @Test
    void preparedTransactionsAreRehearsedToo() throws RocksDBException, IOException {
        try (TransactionDB db = (TransactionDB) Opened.TRANSACTIONS.open(options, path);
                WriteOptions write = new WriteOptions()) {
            Transaction transaction = db.beginTransaction(write);
            transaction.setName("prepared");
            transaction.put(b(key(1)), b("1"));
            transaction.prepare();
            db.put(b(key(2)), b("2"));
            db.put(b(key(3)), b("3"));
            db.put(b(key(4)), b("4"));
        }
        Map<String, Long> before = files();
        order.throwsFor = (_, _) -> true;
        assertRefused(() -> Opened.TRANSACTIONS.open(options, path));
        assertThat(files()).isEqualTo(before);
        order.throwsFor = (_, _) -> false;
        try (TransactionDB db = (TransactionDB) Opened.TRANSACTIONS.open(options, path)) {
            db.getAllPreparedTransactions().getFirst().commit();
            assertThat(entries(db)).hasSize(4);
        }
    }

    @Test
    void anEmptyDatabaseAndANewOneAreOpened() throws RocksDBException {
        order.throwsFor = (_, _) -> true;
        for (int i = 0; i < 2; i++) {
            assertThatCode(() -> RocksDB.open(options, path).close()).doesNotThrowAnyException();
        }
    }

    /** The files of the database, with their sizes, but for RocksDB's own messages. */
    private Map<String, Long> files() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.list(Path.of(path))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (Files.isRegularFile(file) && !name.startsWith("LOG")) {
                    sizes.put(name, Files.size(file));
                }
            }
        }
        return sizes;
    }
}
