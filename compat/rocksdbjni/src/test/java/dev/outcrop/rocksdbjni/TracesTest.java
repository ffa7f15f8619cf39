package dev.outcrop.rocksdbjni;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.AbstractTransactionNotifier;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.TraceOptions;
import org.rocksdb.Transaction;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Writers of traces and notifiers of transactions that are closed, fail, or do what they should not. */
class TracesTest extends DatabaseTest {
    /** A call of a database. */
    private interface Call {
        void run() throws RocksDBException;
    }

    /** Does something at each record. */
    private static class Doing extends AbstractTraceWriter {
        private final List<Exception> outcomes = new CopyOnWriteArrayList<>();
        private final List<Slice> records = new CopyOnWriteArrayList<>();

        void work() throws RocksDBException {
        }

        final void tryAll(List<Call> calls) throws RocksDBException {
            for (Call each : calls) {
                try {
                    each.run();
                    outcomes.add(new Exception("Not refused: call " + calls.indexOf(each)));
                } catch (IllegalStateException e) {
                    outcomes.add(e);
                }
            }
        }

        @Override
        public void write(Slice record) throws RocksDBException {
            records.add(record);
            work();
        }

        @Override
        public void closeWriter() {
            throw new AssertionError("RocksDB does not call it");
        }

        @Override
        public long getFileSize() {
            return 0;
        }
    }

    private OptimisticTransactionDB db;
    private WriteOptions writing;

    @BeforeEach
    void open() throws RocksDBException {
        db = closeLater(OptimisticTransactionDB.open(closeLater(new Options().setCreateIfMissing(true)), path()));
        writing = closeLater(new WriteOptions());
    }

    @Test
    void recordsOutliveTheTrace() throws RocksDBException {
        Doing writer = new Doing();
        db.startTrace(new TraceOptions(), writer);
        System.gc();
        db.put(KEY, KEY);
        writer.close();
        db.endTrace();
        assertThat(writer.records).hasSize(3);
        assertThat(new String(writer.records.get(1).data(), java.nio.charset.StandardCharsets.UTF_8)).contains("key");
        assertMisuse(() -> db.startTrace(new TraceOptions(), writer));
    }

    @Test
    void aWriterCanWriteSeveralTraces() throws RocksDBException {
        Doing writer = closeLater(new Doing());
        for (int i = 0; i < 3; i++) {
            db.startTrace(new TraceOptions(), writer);
            db.startTrace(new TraceOptions(), writer);
            db.endTrace();
        }
        assertThat(writer.records).hasSize(9);
        db.startTrace(new TraceOptions(), writer);
        db.close();
        assertMisuse(() -> db.startTrace(new TraceOptions(), writer));
        assertMisuse(() -> db.endTrace());
    }

    @Test
    void callsThatWouldWaitForThemselvesAreRefused() throws RocksDBException {
        RocksIterator iterator = closeLater(db.newIterator());
        Transaction transaction = closeLater(db.beginTransaction(writing));
        transaction.put(b("other"), KEY);
        ReadOptions reading = closeLater(new ReadOptions());
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex());
        List<Call> calls = List.of(() -> db.put(KEY, KEY), () -> db.get(KEY), () -> db.get(KEY, new byte[1]),
                () -> db.get(reading, direct("key"), direct("value")), () -> db.multiGetAsList(List.of(KEY)),
                () -> iterator.seek(KEY), () -> iterator.seekForPrev(direct("key")), () -> db.endTrace(),
                transaction::commit, () -> transaction.get(reading, KEY),
                () -> transaction.getForUpdate(reading, KEY, true),
                () -> transaction.multiGetAsList(reading, List.of(KEY)),
                () -> batch.getFromBatchAndDB(db, reading, KEY), () -> db.startTrace(new TraceOptions(), new Doing()),
                () -> db.close());
        Doing writer = new Doing() {
            @Override
            void work() throws RocksDBException {
                tryAll(calls);
                assertThat(db.getLatestSequenceNumber()).isNotNegative();
            }
        };
        db.startTrace(new TraceOptions(), writer);
        db.put(KEY, KEY);
        db.endTrace();
        assertThat(writer.outcomes).hasSize(3 * calls.size())
                .allSatisfy(each -> assertThat(each).isInstanceOf(IllegalStateException.class));
        transaction.commit();
        assertThat(db.get(b("other"))).isEqualTo(KEY);
    }

    @Test
    void failuresOfWritersReachNoCaller() throws RocksDBException {
        Doing writer = new Doing() {
            @Override
            void work() {
                overflow(1);
            }

            private int overflow(int depth) {
                return depth == 0 ? 0 : overflow(depth + 1) + 1;
            }
        };
        db.startTrace(new TraceOptions(), writer);
        db.put(KEY, KEY);
        assertThat(db.get(KEY)).isEqualTo(KEY);
        assertThatThrownBy(db::endTrace).isInstanceOf(RocksDBException.class);
        assertThatThrownBy(db::endTrace).isInstanceOf(RocksDBException.class);
    }

    /** Threads use a database that is traced while another one closes it. */
    @Test
    void aDatabaseIsClosedDuringATrace() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        Doing writer = new Doing();
        db.startTrace(new TraceOptions(), writer);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        db.put(KEY, KEY);
                        started.countDown();
                    }
                } catch (RocksDBException | IllegalStateException | AssertionError e) {
                    started.countDown();
                }
            }));
        }
        started.await();
        db.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(writer.records).hasSizeGreaterThan(2);
    }

    /** Keeps the snapshot, and does something. */
    private static class Notified extends AbstractTransactionNotifier {
        private final List<Snapshot> snapshots = new ArrayList<>();
        private final @Nullable Runnable work;

        Notified(@Nullable Runnable work) {
            this.work = work;
        }

        @Override
        public void snapshotCreated(Snapshot snapshot) {
            snapshots.add(snapshot);
            if (work != null) {
                work.run();
            }
        }
    }

    @Test
    void theSnapshotIsTheTransactions() throws RocksDBException {
        Notified notifier = new Notified(null);
        Transaction transaction = closeLater(db.beginTransaction(writing));
        transaction.setSnapshotOnNextOperation(notifier);
        // The transaction keeps it.
        notifier.close();
        notifier.close();
        System.gc();
        transaction.put(KEY, KEY);
        assertThat(notifier.snapshots).singleElement().isSameAs(transaction.getSnapshot());
        assertMisuse(() -> transaction.setSnapshotOnNextOperation(notifier));
        assertThatThrownBy(() -> transaction.setSnapshotOnNextOperation(null)).isInstanceOf(NullPointerException.class);
        transaction.clearSnapshot();
        assertMisuse(() -> notifier.snapshots.getFirst().getSequenceNumber());
        Notified other = closeLater(new Notified(null));
        transaction.close();
        assertMisuse(() -> transaction.setSnapshotOnNextOperation(other));
        Transaction open = closeLater(db.beginTransaction(writing));
        open.setSnapshotOnNextOperation(other);
        db.close();
        assertMisuse(() -> open.setSnapshotOnNextOperation(other));
        assertThat(other.snapshots).isEmpty();
    }

    @Test
    void failuresOfNotifiersReachNoCaller() throws RocksDBException {
        Transaction transaction = closeLater(db.beginTransaction(writing));
        try (Notified notifier = new Notified(db::close)) {
            transaction.setSnapshotOnNextOperation(notifier);
            transaction.put(KEY, KEY);
            transaction.commit();
            assertThat(notifier.snapshots).hasSize(1);
        }
        assertThat(db.get(KEY)).isEqualTo(KEY);
    }
}
