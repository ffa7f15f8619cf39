package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.outcrop.memory.NativeLibraries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.OperationType;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Statistics;
import org.rocksdb.Status;
import org.rocksdb.TableProperties;
import org.rocksdb.ThreadStatus;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.Environment;
import org.rocksdb.util.ReverseBytewiseComparator;
import org.rocksdb.util.StdErrLogger;

/** Calls on files, options and properties of databases that fail in the published jar or crash it. */
@SuppressWarnings("deprecation") // programs call it
class MaintenanceTest extends DatabaseTest {

    private static final byte[] FAMILY = "idx\0A".getBytes(ISO_8859_1);

    private final List<ColumnFamilyHandle> handles = new ArrayList<>();

    private RocksDB open(OpenedAs kind, ColumnFamilyOptions family) throws RocksDBException {
        DBOptions options = closeLater(
                new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true));
        handles.clear();
        return kind.open(options, path(), List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                new ColumnFamilyDescriptor(FAMILY, family)), handles);
    }

    private static ColumnFamilyOptions still() {
        return new ColumnFamilyOptions().setDisableAutoCompactions(true);
    }

    private static void fill(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
        try (FlushOptions flush = new FlushOptions()) {
            for (String keys : List.of("ab", "cd", "ef")) {
                for (byte key : keys.getBytes(ISO_8859_1)) {
                    db.put(family, new byte[]{key}, new byte[10]);
                }
                db.flush(flush, family);
            }
        }
    }

    private static Range range(String from, String to) {
        return new Range(new Slice(from.getBytes(ISO_8859_1)), new Slice(to.getBytes(ISO_8859_1)));
    }

    /** The published method returns its argument, which is no map. */
    @ParameterizedTest
    @EnumSource
    void tablesInRangesAreThoseThatMayHaveTheirKeys(OpenedAs kind) throws Exception {
        ColumnFamilyOptions options = closeLater(still());
        try (RocksDB db = open(kind.writer(), options)) {
            fill(db, handles.get(1));
        }
        RocksDB db = closeLater(open(kind, options));
        ColumnFamilyHandle family = handles.get(1);
        List<String> all = db.getPropertiesOfAllTables(family).keySet().stream().sorted().toList();
        assertThat(all).hasSize(3).allMatch(file -> file.startsWith(path()));
        assertThat(inRanges(db, family)).isEmpty();
        assertThat(inRanges(db, family, range("", "z"))).isEqualTo(all);
        assertThat(inRanges(db, family, range("b", "b"))).isEqualTo(all.subList(0, 1));
        assertThat(inRanges(db, family, range("b", "c"))).isEqualTo(all.subList(0, 2));
        assertThat(inRanges(db, family, range("c", "b"))).isEmpty();
        assertThat(inRanges(db, family, range("bb", "bc"))).isEmpty();
        assertThat(inRanges(db, family, range("f", "g"), range("", "a"), range("a", "a")))
                .containsExactly(all.get(0), all.get(2));
        assertThat(db.getPropertiesOfTablesInRange(List.of(range("", "z")))).isEmpty();
        Map<String, TableProperties> found = db.getPropertiesOfTablesInRange(family, List.of(range("a", "a")));
        assertThat(found.values()).singleElement().satisfies(table -> {
            assertThat(table.getNumEntries()).isEqualTo(2);
            assertThat(table.getColumnFamilyName()).isEqualTo(FAMILY);
        });
    }

    private static List<String> inRanges(RocksDB db, ColumnFamilyHandle family, Range... ranges)
            throws RocksDBException {
        return db.getPropertiesOfTablesInRange(family, List.of(ranges)).keySet().stream().sorted().toList();
    }

    @Test
    void tablesAreFoundInTheOrderOfTheFamily() throws Exception {
        ComparatorOptions comparing = closeLater(new ComparatorOptions());
        ReverseBytewiseComparator order = closeLater(new ReverseBytewiseComparator(comparing));
        RocksDB db = closeLater(open(OpenedAs.PLAIN, closeLater(still().setComparator(order))));
        fill(db, handles.get(1));
        assertThat(inRanges(db, handles.get(1), range("d", "b"))).hasSize(2);
        assertThat(inRanges(db, handles.get(1), range("b", "d"))).isEmpty();
        db.clipColumnFamily(handles.get(1), new byte[]{'d'}, new byte[]{'a'});
        assertThat(db.get(handles.get(1), new byte[]{'e'})).isNull();
        assertThat(db.get(handles.get(1), new byte[]{'d'})).isNotNull();
    }

    @Test
    void pathsOfTablesAreRightOrRefused() throws Exception {
        Path clef = directory.resolve("\uD834\uDD1E");
        Options options = closeLater(new Options().setCreateIfMissing(true));
        RocksDB db = closeLater(RocksDB.open(options, clef.toString()));
        fill(db, db.getDefaultColumnFamily());
        for (Refused refused : List.<Refused>of(db::getPropertiesOfAllTables,
                () -> db.getPropertiesOfTablesInRange(List.of(range("a", "z"))))) {
            assertThatThrownBy(refused::run).isInstanceOf(RocksDBException.class)
                    .hasMessageContainingAll(clef.toString(), "U+FFFF", "another path");
        }
        RocksDB other = closeLater(RocksDB.open(options, directory.resolve("ä\u20ac").toString()));
        fill(other, other.getDefaultColumnFamily());
        assertThat(other.getPropertiesOfAllTables().keySet()).isNotEmpty()
                .allSatisfy(file -> assertThat(Path.of(file)).isRegularFile());
        assertThat(clef.resolve(OptionsUtil.getLatestOptionsFileName(clef.toString(), Env.getDefault())))
                .isRegularFile();
        assertThatThrownBy(() -> TtlDB.open(options, clef.toString(), 3, true)).isInstanceOf(RocksDBException.class)
                .hasMessageContainingAll(clef.toString(), "TtlDB", "another path");
    }

    /** With the published jar it leaves no key. */
    @Test
    void clippingToARangeThatEndsBeforeItBeginsIsRefused() throws Exception {
        RocksDB db = closeLater(open(OpenedAs.PLAIN, closeLater(still())));
        fill(db, handles.get(1));
        assertThatThrownBy(() -> db.clipColumnFamily(handles.get(1), new byte[]{'d'}, new byte[]{'b'}))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("before");
        assertThat(db.get(handles.get(1), new byte[]{'a'})).isNotNull();
        db.dropColumnFamily(handles.get(1));
        assertThatThrownBy(() -> db.clipColumnFamily(handles.get(1), new byte[]{'b'}, new byte[]{'d'}))
                .isInstanceOf(RocksDBException.class);
        db.put(new byte[1], new byte[1]);
    }

    /** The published jar changes the files of the database that another process may have open for writing. */
    @ParameterizedTest
    @EnumSource
    void aDatabaseThatIsReadIsNotChanged(OpenedAs kind) throws Exception {
        ColumnFamilyOptions options = closeLater(still());
        try (RocksDB db = open(kind.writer(), options)) {
            fill(db, handles.get(1));
        }
        if (kind.writes()) {
            return;
        }
        RocksDB db = closeLater(open(kind, options));
        ColumnFamilyHandle family = handles.get(1);
        byte[] key = {'b'};
        for (Refused refused : List.<Refused>of(() -> db.promoteL0(family, 1), () -> db.promoteL0(1),
                () -> db.clipColumnFamily(family, key, key), () -> db.enableAutoCompaction(handles),
                () -> db.deleteFilesInRanges(family, Arrays.asList(null, null), false))) {
            assertThatThrownBy(refused::run).isInstanceOf(RocksDBException.class)
                    .extracting(e -> ((RocksDBException) e).getStatus().getCode())
                    .isEqualTo(Status.Code.NotSupported);
        }
        assertThat(db.suggestCompactRange(family)).isNotNull();
        assertThat(db.getPropertiesOfAllTables(family)).hasSize(3);
    }

    private interface Refused {
        void run() throws Exception;
    }

    @SuppressWarnings("ReferenceEquality") // a closed handle compares nothing
    @Test
    void familiesOfOthersAndClosedOnesAreRefused() throws Exception {
        RocksDB db = closeLater(open(OpenedAs.PLAIN, closeLater(still())));
        ColumnFamilyHandle closed = handles.get(1);
        closed.close();
        Options options = closeLater(new Options().setCreateIfMissing(true));
        RocksDB other = RocksDB.open(options, directory.resolve("other").toString());
        for (ColumnFamilyHandle family : List.of(closed, other.getDefaultColumnFamily())) {
            Class<? extends Throwable> expected = family == closed
                    ? AssertionError.class
                    : IllegalArgumentException.class;
            uses(db, family).forEach(use -> assertThatThrownBy(use::run).isInstanceOf(expected));
        }
        ColumnFamilyHandle own = other.getDefaultColumnFamily();
        other.close();
        List<Refused> calls = new ArrayList<>(uses(other, own));
        calls.add(other::getDBOptions);
        calls.add(other::resetStats);
        calls.add(() -> other.getAggregatedLongProperty("rocksdb.estimate-num-keys"));
        calls.forEach(use -> assertThatThrownBy(use::run).isInstanceOf(AssertionError.class));
    }

    private static List<Refused> uses(RocksDB db, ColumnFamilyHandle family) {
        byte[] key = {'b'};
        return List.of(() -> db.getMapProperty(family, "rocksdb.cfstats"), () -> db.getOptions(family),
                () -> db.getApproximateMemTableStats(family, range("a", "b")),
                () -> db.getPropertiesOfAllTables(family),
                () -> db.getPropertiesOfTablesInRange(family, List.of(range("a", "b"))),
                () -> db.suggestCompactRange(family), () -> db.promoteL0(family, 1),
                () -> db.clipColumnFamily(family, key, key), () -> db.enableAutoCompaction(List.of(family)),
                () -> db.deleteFilesInRanges(family, List.of(key, key), false));
    }

    @Test
    void closedRangesAreRefused() throws Exception {
        RocksDB db = closeLater(open(OpenedAs.PLAIN, closeLater(still())));
        Slice from = new Slice("a");
        Range range = new Range(from, new Slice("b"));
        from.close();
        assertThatThrownBy(() -> db.getApproximateMemTableStats(range)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> db.getPropertiesOfTablesInRange(List.of(range)))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void clippingWaitsForNoCallback() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        AbstractEventListener listener = closeLater(new AbstractEventListener(
                AbstractEventListener.EnabledEventCallback.ON_FLUSH_COMPLETED) {
            @Override
            public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
                try {
                    db.clipColumnFamily(db.getDefaultColumnFamily(), new byte[1], new byte[2]);
                } catch (RocksDBException | RuntimeException e) {
                    synchronized (thrown) {
                        thrown.add(e);
                        thrown.notifyAll();
                    }
                }
            }
        });
        Options options = closeLater(new Options().setCreateIfMissing(true).setListeners(List.of(listener)));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        db.put(new byte[1], new byte[1]);
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush);
        }
        synchronized (thrown) {
            while (thrown.isEmpty()) {
                thrown.wait(60_000);
            }
            assertThat(thrown.getFirst()).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("compaction");
        }
    }

    /** The published jar reads what is not there, and may end the process. */
    @Test
    void propertiesOfOperationsThatThereAreNotAreRefused() {
        assertThatThrownBy(() -> ThreadStatus.getOperationPropertyName(OperationType.OP_COMPACTION, -1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("-1");
        assertThatThrownBy(() -> ThreadStatus.interpretOperationProperties(OperationType.OP_COMPACTION, new long[5]))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("5", "OP_COMPACTION");
        assertThat(ThreadStatus.interpretOperationProperties(OperationType.OP_COMPACTION, new long[6]))
                .containsEntry("JobID", 0L);
        assertThatThrownBy(() -> ThreadStatus.interpretOperationProperties(OperationType.OP_FLUSH, null))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void ignoredHistogramsAreEmptyTexts() {
        try (Statistics all = new Statistics();
                Statistics some = new Statistics(EnumSet.of(HistogramType.DB_GET), all)) {
            String empty = all.getHistogramString(HistogramType.DB_WRITE);
            assertThat(empty).startsWith("Count: 0 ");
            assertThat(some.getHistogramString(HistogramType.DB_GET)).isEqualTo(empty);
            assertThat(some.getHistogramString(HistogramType.HISTOGRAM_ENUM_MAX)).isEqualTo(empty);
        }
        Statistics closed = new Statistics();
        closed.close();
        assertThatThrownBy(() -> closed.getHistogramString(HistogramType.DB_GET)).isInstanceOf(AssertionError.class);
    }

    @Test
    void theLevelOfALoggerChanges() {
        StdErrLogger logger = new StdErrLogger(InfoLogLevel.FATAL_LEVEL, "prefix");
        logger.setInfoLogLevel(InfoLogLevel.DEBUG_LEVEL);
        assertThat(logger.infoLogLevel()).isEqualTo(InfoLogLevel.DEBUG_LEVEL);
        assertThatThrownBy(() -> logger.setInfoLogLevel(null)).isInstanceOf(NullPointerException.class);
        logger.close();
        assertThatThrownBy(() -> logger.setInfoLogLevel(InfoLogLevel.FATAL_LEVEL)).isInstanceOf(AssertionError.class);
    }

    @Test
    void anIteratorGoesBackToASnapshotOfItsDatabaseOnly() throws Exception {
        RocksDB db = closeLater(open(OpenedAs.PLAIN, closeLater(still())));
        Options options = closeLater(new Options().setCreateIfMissing(true));
        RocksDB other = closeLater(RocksDB.open(options, directory.resolve("other").toString()));
        Snapshot foreign = other.getSnapshot();
        Snapshot released = db.getSnapshot();
        db.releaseSnapshot(released);
        Snapshot snapshot = db.getSnapshot();
        db.put(new byte[]{1}, new byte[1]);
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seekToFirst();
            assertThatThrownBy(() -> iterator.refresh(foreign)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> iterator.refresh(released)).isInstanceOf(AssertionError.class);
            assertThat(iterator.isValid()).isTrue();
            iterator.refresh(snapshot);
            db.releaseSnapshot(snapshot);
            iterator.seekToFirst();
            assertThat(iterator.isValid()).isFalse();
        }
        // A native iterator that reads a snapshot is not the next one's.
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seekToFirst();
            assertThat(iterator.isValid()).isTrue();
        }
        other.releaseSnapshot(foreign);
    }

    /** RocksDB would go on to log as many bytes as there were. */
    @Test
    void aMarkIsNotBehindRecordsThatWereRolledBack() throws Exception {
        RocksDB db = closeLater(open(OpenedAs.PLAIN, closeLater(still())));
        try (WriteBatch batch = new WriteBatch();
                WriteBatchWithIndex indexed = new WriteBatchWithIndex(true);
                WriteOptions write = new WriteOptions()) {
            for (WriteBatch each : List.of(batch, indexed.getWriteBatch())) {
                each.put(new byte[]{1}, new byte[10]);
                each.setSavePoint();
                each.put(new byte[]{2}, new byte[1000]);
                each.markWalTerminationPoint();
                each.rollbackToSavePoint();
                assertThat(each.getWalTerminationPoint().getSize()).isEqualTo(each.getDataSize());
                assertThat(each.getWalTerminationPoint().getCount()).isEqualTo(1);
                db.write(write, each);
            }
            db.write(write, indexed);
        }
        WriteBatch closed = new WriteBatch();
        closed.close();
        assertThatThrownBy(closed::markWalTerminationPoint).isInstanceOf(AssertionError.class);
    }

    public static final class LoadingProgram {
        private LoadingProgram() {
        }

        public static void main(String[] arguments) throws RocksDBException {
            for (int i = 0; i < 2; i++) {
                for (List<String> directories : List.of(List.of(arguments[0]), List.<String>of(),
                        List.of(arguments[0], arguments[1]))) {
                    String result = "loaded";
                    try {
                        RocksDB.loadLibrary(directories);
                    } catch (UnsatisfiedLinkError | NullPointerException e) {
                        result = e.getClass().getName();
                    }
                    System.out.println(i + " from " + directories.size() + "\t" + result);
                }
            }
            RocksDB.open(arguments[2]).close();
            System.out.println("opened\ttrue");
        }
    }

    @Test
    @Tag("verify")
    void theLibraryIsLoadedFromADirectory() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Path full = Files.createDirectory(directory.resolve("full"));
        Files.copy(NativeLibraries.rocksdbPath(),
                full.resolve(Environment.getJniLibraryFileName("rocksdbjni")));
        Map<String, String> published = PublishedJvm.run(LoadingProgram.class, directory, empty.toString(),
                full.toString(), path() + "-published");
        assertThat(published).containsEntry("0 from 2", "loaded").containsEntry("0 from 1",
                "java.lang.UnsatisfiedLinkError");
        assertThat(PublishedJvm.runOurs(LoadingProgram.class, directory, empty.toString(), full.toString(),
                path() + "-ours")).isEqualTo(published);
    }
}
