package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.CompactionReason;
import org.rocksdb.FileOperationInfo;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.MemTableInfo;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.TableFileCreationBriefInfo;
import org.rocksdb.TableFileCreationInfo;
import org.rocksdb.TableFileDeletionInfo;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatchWithIndex;

/** Event listeners. */
class EventListenersTest extends DatabaseTest {
    /** Does something at each event, and keeps what comes of it. */
    @SuppressWarnings("UnusedVariable") // subclasses use them
    private static class Doing extends AbstractEventListener {
        private final List<Object> outcomes = new CopyOnWriteArrayList<>();

        /** Actions in a flush, in the sealing of a memtable, and after a compaction. */
        Object flush(RocksDB db, FlushJobInfo info) throws Exception {
            return "";
        }

        Object seal() throws Exception {
            return "";
        }

        Object compaction(RocksDB db, CompactionJobInfo info) throws Exception {
            return "";
        }

        @Override
        public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
            add(() -> flush(db, info));
        }

        @Override
        public void onMemTableSealed(MemTableInfo info) {
            add(this::seal);
        }

        @Override
        public void onCompactionCompleted(RocksDB db, CompactionJobInfo info) {
            add(() -> compaction(db, info));
        }

        private void add(Callable<Object> made) {
            try {
                Object outcome = made.call();
                if (!outcome.equals("")) {
                    outcomes.add(outcome);
                }
            } catch (Exception | AssertionError e) {
                outcomes.add(e);
            }
        }
    }

    private Options options(AbstractEventListener... listeners) {
        return new Options().setCreateIfMissing(true).setListeners(List.of(listeners));
    }

    private static void flush(RocksDB db) throws RocksDBException {
        try (FlushOptions flush = new FlushOptions()) {
            db.put(KEY, KEY);
            db.flush(flush);
        }
    }

    @Test
    void theDatabaseIsTheProgramsOwn() throws RocksDBException {
        Doing listener = new Doing() {
            @Override
            Object flush(RocksDB db, FlushJobInfo info) {
                return db;
            }
        };
        List<RocksDB> databases = new ArrayList<>();
        try (Options options = options(listener); TransactionDBOptions locking = new TransactionDBOptions()) {
            databases.add(RocksDB.open(options, path("plain")));
            databases.add(TransactionDB.open(options, locking, path("locking")));
            databases.add(OptimisticTransactionDB.open(options, path("optimistic")));
            databases.add(TtlDB.open(options, path("ttl")));
            for (RocksDB db : databases) {
                flush(db);
            }
        }
        databases.forEach(RocksDB::close);

        assertThat(listener.outcomes).usingElementComparator((a, b) -> a == b ? 0 : 1)
                .containsExactlyElementsOf(databases);
    }

    @Test
    void infosOutliveTheDatabase() throws RocksDBException {
        Doing listener = new Doing() {
            @Override
            Object compaction(RocksDB db, CompactionJobInfo info) {
                return info;
            }
        };
        try (Options options = options(listener); RocksDB db = RocksDB.open(options, path())) {
            flush(db);
            db.compactRange();
        }

        CompactionJobInfo info = (CompactionJobInfo) listener.outcomes.getFirst();
        assertThat(info.compactionReason()).isEqualTo(CompactionReason.kManualCompaction);
        assertThat(info.tableProperties().values()).allSatisfy(
                table -> assertThat(table.getComparatorName()).isEqualTo("leveldb.BytewiseComparator"));
        info.close();
        info.close();
        assertThatThrownBy(info::inputFiles).isInstanceOf(AssertionError.class);
    }

    @Test
    void exceptionsOfListenersReachNoCaller() throws RocksDBException {
        CountDownLatch thrown = new CountDownLatch(2);
        AbstractEventListener listener = new AbstractEventListener() {
            @Override
            public void onMemTableSealed(MemTableInfo info) {
                thrown.countDown();
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void onFlushBegin(RocksDB db, FlushJobInfo info) {
                thrown.countDown();
                overflow(1);
            }

            private int overflow(int depth) {
                return depth == 0 ? 0 : overflow(depth + 1) + 1;
            }
        };
        Options options = closeLater(options(listener));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        flush(db);
        flush(db);
        assertThat(thrown.getCount()).isZero();
        assertThat(db.get(KEY)).isEqualTo(KEY);
    }

    @Test
    void callsThatWouldWaitForThemselvesAreRefused() throws Exception {
        Doing listener = new Doing() {
            private volatile @Nullable RocksDB database;

            @Override
            Object flush(RocksDB db, FlushJobInfo info) {
                database = db;
                List<Throwable> refused = new ArrayList<>();
                List<Callable<?>> waiting = List.of(() -> {
                    db.close();
                    return db;
                }, () -> {
                    flushAgain(db);
                    return db;
                }, () -> {
                    db.compactRange();
                    return db;
                }, () -> {
                    db.cancelAllBackgroundWork(true);
                    return db;
                });
                for (Callable<?> each : waiting) {
                    try {
                        each.call();
                    } catch (Exception e) {
                        refused.add(e);
                    }
                }
                return refused;
            }

            private void flushAgain(RocksDB db) throws RocksDBException {
                try (FlushOptions flush = new FlushOptions()) {
                    db.flush(flush);
                }
            }

            @Override
            Object seal() throws RocksDBException {
                RocksDB known = database;
                if (known != null) {
                    known.put(KEY, KEY);
                }
                return "";
            }
        };
        try (Options options = options(listener); RocksDB db = RocksDB.open(options, path())) {
            flush(db);
            // A flush can return before the event is over.
            while (listener.outcomes.isEmpty()) {
                Thread.sleep(1);
            }
            flush(db);
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
        assertThat(listener.outcomes).hasSize(3);
        assertThat((List<?>) listener.outcomes.getFirst()).hasSize(4)
                .allSatisfy(each -> assertThat(each).isInstanceOf(IllegalStateException.class));
        assertThat(listener.outcomes).filteredOn(Exception.class::isInstance).singleElement()
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void eventsBeforeTheDatabaseIsOpenHaveOneToo() throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            String path = path("db" + attempt);
            try (Options options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
                    RocksDB db = RocksDB.open(options, path)) {
                for (int i = 0; i < 6; i++) {
                    flush(db);
                }
            }
            CountDownLatch done = new CountDownLatch(1);
            Doing listener = new Doing() {
                @Override
                Object compaction(RocksDB db, CompactionJobInfo info) throws RocksDBException {
                    try {
                        return db.getLatestSequenceNumber() + new String(db.get(KEY), UTF_8);
                    } finally {
                        done.countDown();
                    }
                }
            };
            try (Options options = options(listener); RocksDB db = RocksDB.open(options, path)) {
                assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
                assertThat(db.get(KEY)).isEqualTo(KEY);
            }
            assertThat(listener.outcomes).containsExactly("6key");
        }
    }

    @Test
    void aListenerThatIsClosedGoesOnForItsDatabases() throws RocksDBException {
        Doing listener = new Doing() {
            @Override
            Object flush(RocksDB db, FlushJobInfo info) {
                return info.getColumnFamilyName();
            }
        };
        Options options = options(listener);
        Options copy = new Options(options);
        options.setListeners(List.of());
        listener.close();
        listener.close();
        assertThatThrownBy(() -> options.setListeners(List.of(listener))).isInstanceOf(AssertionError.class);
        try (RocksDB db = RocksDB.open(options, path("none"))) {
            flush(db);
        }
        assertThat(listener.outcomes).isEmpty();
        try (RocksDB db = RocksDB.open(copy, path())) {
            copy.close();
            System.gc();
            flush(db);
        }
        assertThat(listener.outcomes).containsExactly("default");
        options.close();
        assertThatThrownBy(() -> options.setListeners(List.of())).isInstanceOf(AssertionError.class);
    }

    /** Throws at each event of those for which C has no callback. */
    private static final class Throwing extends AbstractEventListener {
        private final Set<String> told = ConcurrentHashMap.newKeySet();

        private RuntimeException told(String event) {
            told.add(event);
            return new IllegalStateException("on purpose");
        }

        @Override
        public boolean shouldBeNotifiedOnFileIO() {
            return true;
        }

        @Override
        public void onTableFileCreationStarted(TableFileCreationBriefInfo info) {
            throw told("started");
        }

        @Override
        public void onTableFileCreated(TableFileCreationInfo info) {
            throw told("created");
        }

        @Override
        public void onTableFileDeleted(TableFileDeletionInfo info) {
            throw told("deleted");
        }

        @Override
        public void onColumnFamilyHandleDeletionStarted(ColumnFamilyHandle family) {
            try {
                told.add("end of " + new String(family.getName(), UTF_8) + " " + family.getID());
                try (WriteBatchWithIndex batch = new WriteBatchWithIndex()) {
                    batch.put(family, KEY, KEY);
                }
            } catch (IllegalArgumentException e) {
                told.add(String.valueOf(e.getMessage()));
            } catch (RocksDBException e) {
                told.add(e.toString());
            }
            throw told("ended");
        }

        @Override
        public void onFileReadFinish(FileOperationInfo info) {
            throw told("read");
        }

        @Override
        public void onFileWriteFinish(FileOperationInfo info) {
            throw told("written");
        }

        @Override
        public void onFileFlushFinish(FileOperationInfo info) {
            throw told("flushed");
        }

        @Override
        public void onFileSyncFinish(FileOperationInfo info) {
            throw told("synced");
        }

        @Override
        public void onFileCloseFinish(FileOperationInfo info) {
            throw told("closed");
        }
    }

    @Test
    void listenersThatThrowDoNotHarmTheDatabase() throws RocksDBException {
        try (Throwing listener = new Throwing();
                Options options = options(listener).setCreateMissingColumnFamilies(true)) {
            try (RocksDB db = RocksDB.open(options, path());
                    ColumnFamilyHandle other = db
                            .createColumnFamily(new ColumnFamilyDescriptor("other".getBytes(UTF_8)))) {
                db.put(other, KEY, KEY);
                for (int i = 0; i < 3; i++) {
                    db.put("first".getBytes(UTF_8), KEY);
                    flush(db);
                }
                db.compactRange();
                assertThat(db.get(KEY)).isEqualTo(KEY);
                assertThat(db.get(other, KEY)).isEqualTo(KEY);
            }
            assertThat(listener.told).containsExactlyInAnyOrder("started", "created", "deleted", "ended",
                    "read",
                    "written", "flushed", "synced", "closed", "end of default 0", "end of other 1",
                    "The column family is being closed, or was made without its constructor");
        }
    }

    @Test
    void aListenerMayUseTheDatabaseInEventsOfFiles() throws Exception {
        AtomicReference<@Nullable RocksDB> database = new AtomicReference<>();
        List<Object> outcomes = new CopyOnWriteArrayList<>();
        AtomicInteger left = new AtomicInteger(200);
        CountDownLatch used = new CountDownLatch(3);
        try (AbstractEventListener listener = new AbstractEventListener() {
            @Override
            public boolean shouldBeNotifiedOnFileIO() {
                return true;
            }

            private synchronized void use() {
                RocksDB db = database.get();
                if (db != null && left.decrementAndGet() > 0) {
                    try (FlushOptions flush = new FlushOptions(); RocksIterator iterator = db.newIterator()) {
                        iterator.seekToFirst();
                        db.put("inside".getBytes(UTF_8), KEY);
                        outcomes.add(new String(db.get(KEY), UTF_8) + iterator.isValid());
                        db.flush(flush);
                    } catch (RocksDBException | RuntimeException | AssertionError e) {
                        outcomes.add(e);
                    }
                    used.countDown();
                }
            }

            @Override
            public void onFileReadFinish(FileOperationInfo info) {
                use();
            }

            @Override
            public void onFileWriteFinish(FileOperationInfo info) {
                use();
            }

            @Override
            public void onFileSyncFinish(FileOperationInfo info) {
                use();
            }
        };
                Options options = options(listener)) {
            try (RocksDB db = RocksDB.open(options, path())) {
                flush(db);
                database.set(db);
                for (int i = 0; i < 10; i++) {
                    flush(db);
                    assertThat(db.get(KEY)).isEqualTo(KEY);
                }
                db.compactRange();
                assertThat(used.await(5, TimeUnit.MINUTES)).isTrue();
                // The events that follow find no database, and this one is not in use when it closes.
                synchronized (listener) {
                    database.set(null);
                }
            }
        }
        assertThat(outcomes).isNotEmpty().containsOnly(new String(KEY, UTF_8) + true);
    }

    @Test
    void aListenerThatThrowsWhenItIsAskedIsToldOfNoFiles() throws RocksDBException {
        AtomicInteger told = new AtomicInteger();
        try (AbstractEventListener listener = new AbstractEventListener() {
            @Override
            public boolean shouldBeNotifiedOnFileIO() {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void onFileWriteFinish(FileOperationInfo info) {
                told.incrementAndGet();
            }
        };
                Options options = options(listener);
                RocksDB db = RocksDB.open(options, path())) {
            flush(db);
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
        assertThat(told).hasValue(0);
    }

    @Test
    void aListenerMayPreventRecovery() throws Exception {
        CompletableFuture<Status> begun = new CompletableFuture<>();
        try (AbstractEventListener listener = new AbstractEventListener() {
            @Override
            public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status backgroundError) {
                begun.complete(backgroundError);
                return false;
            }
        };
                Options options = options(listener).setBgerrorResumeRetryInterval(1000);
                RocksDB db = RocksDB.open(options, path())) {
            fillDisk();
            assertThatThrownBy(() -> flush(db)).hasMessageContaining("No space left");
            assertThat(begun.get(5, TimeUnit.MINUTES).getSubCode()).isEqualTo(Status.SubCode.NoSpace);
            assertThatThrownBy(() -> db.put(KEY, KEY)).hasMessageContaining("No space left");
        }
    }

    private void fillDisk() throws IOException {
        for (int number = 8; number < 16; number++) {
            Files.createSymbolicLink(Path.of(path(), String.format("%06d.sst", number)), Path.of("/dev/full"));
        }
    }

    /** Table files that are the full device fail a flush; the next try has another number. */
    @Test
    void recoveryFromAFullDiskIsTold() throws Exception {
        CompletableFuture<Status> recovered = new CompletableFuture<>();
        List<BackgroundErrorReason> reasons = new CopyOnWriteArrayList<>();
        try (AbstractEventListener listener = new AbstractEventListener() {
            @Override
            public void onBackgroundError(BackgroundErrorReason reason, Status backgroundError) {
                reasons.add(reason);
            }

            @Override
            public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status backgroundError) {
                reasons.add(reason);
                return true;
            }

            @Override
            public void onErrorRecoveryCompleted(Status oldBackgroundError) {
                recovered.complete(oldBackgroundError);
            }
        };
                Options options = options(listener).setBgerrorResumeRetryInterval(1000);
                RocksDB db = RocksDB.open(options, path())) {
            fillDisk();
            assertThatThrownBy(() -> flush(db)).hasMessageContaining("No space left");
            Status old = recovered.get(5, TimeUnit.MINUTES);
            assertThat(old.getCode()).isEqualTo(Status.Code.IOError);
            assertThat(old.getSubCode()).isEqualTo(Status.SubCode.NoSpace);
            assertThat(old.getState()).contains("No space left on device");
            assertThat(reasons).startsWith(BackgroundErrorReason.FLUSH, BackgroundErrorReason.FLUSH);
            flush(db);
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
    }
}
