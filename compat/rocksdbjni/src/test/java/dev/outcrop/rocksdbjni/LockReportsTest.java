package dev.outcrop.rocksdbjni;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Deadlocks, waits and commit-time batches, where the published jar fails or does not survive. */
class LockReportsTest extends DatabaseTest {

    private final WriteOptions write = closeLater(new WriteOptions());
    private final ReadOptions read = closeLater(new ReadOptions());
    private final Options options = closeLater(new Options().setCreateIfMissing(true));
    private final TransactionOptions patient = closeLater(
            new TransactionOptions().setDeadlockDetect(true).setLockTimeout(600_000));
    private TransactionDB db;

    @BeforeEach
    void open() throws RocksDBException {
        db = closeLater(TransactionDB.open(options, closeLater(new TransactionDBOptions()), path()));
    }

    /** Makes a deadlock, and returns the numbers of the transactions. */
    private List<Long> deadlock(int length) throws Exception {
        List<Transaction> all = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < length; i++) {
                all.add(db.beginTransaction(write, patient));
                all.getLast().put(b("key" + i), KEY);
                numbers.add(all.getLast().getID());
            }
            List<Future<?>> waits = new ArrayList<>();
            for (int i = 0; i < length - 1; i++) {
                Transaction waiter = all.get(i);
                byte[] wanted = b("key" + (i + 1));
                waits.add(threads.submit(() -> {
                    waiter.put(wanted, KEY);
                    waiter.rollback();
                    return null;
                }));
                awaitWaiting(waiter);
            }
            assertThatThrownBy(() -> all.getLast().put(b("key0"), KEY)).hasMessageContaining("Deadlock");
            all.getLast().rollback();
            for (Future<?> each : waits) {
                each.get();
            }
        }
        all.forEach(Transaction::close);
        return numbers;
    }

    private static void awaitWaiting(Transaction transaction) {
        while (transaction.getWaitingTxns().getTransactionIds().length == 0) {
            Thread.onSpinWait();
        }
    }

    private List<TransactionDB.DeadlockInfo> newest() throws ReflectiveOperationException {
        TransactionDB.DeadlockPath[] all = db.getDeadlockInfoBuffer();
        assertThat(all).hasSize(1);
        assertThat(all[0].isEmpty()).isFalse();
        Field path = TransactionDB.DeadlockPath.class.getDeclaredField("path");
        path.setAccessible(true);
        return List.of((TransactionDB.DeadlockInfo[]) path.get(all[0]));
    }

    @Test
    void theNewestDeadlockIsTold() throws Exception {
        assertThat(db.getDeadlockInfoBuffer()).isEmpty();
        for (int i = 0; i < 3; i++) {
            List<Long> numbers = deadlock(2);
            assertThat(newest().stream().map(TransactionDB.DeadlockInfo::getTransactionID))
                    .containsExactlyInAnyOrderElementsOf(numbers);
            assertThat(newest().stream().map(TransactionDB.DeadlockInfo::getWaitingKey))
                    .containsExactlyInAnyOrder("key0", "key1");
            assertThat(newest()).allMatch(each -> each.isExclusive() && each.getColumnFamilyId() == 0);
        }
        List<Long> three = deadlock(3);
        assertThat(newest().stream().map(TransactionDB.DeadlockInfo::getTransactionID))
                .containsExactlyInAnyOrderElementsOf(three);
        db.setDeadlockInfoBufferSize(0);
        assertThat(db.getDeadlockInfoBuffer()).isEmpty();
    }

    @Test
    void threadsAskWhileOthersMeetDeadlocks() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> meeting = threads.submit(() -> {
                for (int i = 0; i < 20; i++) {
                    deadlock(2 + i % 2);
                }
                return null;
            });
            do {
                assertThat(db.getDeadlockInfoBuffer()).hasSizeLessThan(2);
                db.getLockStatusData().values().forEach(lock -> assertThat(lock.getKey()).startsWith("key"));
            } while (!meeting.isDone());
            meeting.get();
        }
    }

    @Test
    void closedTransactionsAndDatabasesAreRefused() throws RocksDBException {
        Transaction transaction = db.beginTransaction(write);
        WriteBatch batch = transaction.getCommitTimeWriteBatch();
        Transaction left = db.beginTransaction(write);
        WriteBatch ofLeft = left.getCommitTimeWriteBatch();
        transaction.close();
        assertMisuse(transaction::getWaitingTxns);
        assertMisuse(transaction::getCommitTimeWriteBatch);
        assertMisuse(() -> transaction.undoGetForUpdate(KEY));
        assertMisuse(() -> batch.put(KEY, KEY));
        assertMisuse(batch::count);
        assertMisuse(batch::clear);
        assertMisuse(batch::data);
        assertMisuse(batch::setSavePoint);
        db.close();
        assertMisuse(left::getWaitingTxns);
        assertMisuse(() -> left.undoGetForUpdate(KEY));
        assertMisuse(() -> ofLeft.put(KEY, KEY));
        assertMisuse(ofLeft::count);
        assertMisuse(db::getDeadlockInfoBuffer);
        assertMisuse(db::getLockStatusData);
    }

    @Test
    void commitTimeBatchesRefuseWhatTheCommitCouldNotWrite() throws RocksDBException {
        ColumnFamilyHandle dropped = closeLater(db.createColumnFamily(new ColumnFamilyDescriptor(b("dropped"))));
        TransactionDB other = closeLater(
                TransactionDB.open(options, closeLater(new TransactionDBOptions()), path("other")));
        try (Transaction transaction = db.beginTransaction(write)) {
            transaction.setName("two phases");
            transaction.put(KEY, KEY);
            transaction.prepare();
            WriteBatch batch = transaction.getCommitTimeWriteBatch();
            db.dropColumnFamily(dropped);
            assertThatThrownBy(() -> batch.put(dropped, KEY, KEY)).isInstanceOf(RocksDBException.class);
            assertThatThrownBy(() -> batch.put(dropped, direct("a"), direct("b")))
                    .isInstanceOf(RocksDBException.class);
            assertThatThrownBy(() -> batch.deleteRange(b("b"), b("a"))).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("end key comes before start key");
            assertThatThrownBy(() -> batch.put(other.getDefaultColumnFamily(), KEY, KEY))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> transaction.undoGetForUpdate(other.getDefaultColumnFamily(), KEY))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(batch.count()).isZero();
            batch.put(b("committed"), KEY);
            transaction.commit();
        }
        assertThat(db.get(b("committed"))).isEqualTo(KEY);
        db.put(KEY, KEY);
    }

    @Test
    void closingADatabaseEndsItsWaits() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2);
                TransactionOptions short_ = new TransactionOptions().setLockTimeout(200)) {
            Transaction holder = db.beginTransaction(write);
            holder.getForUpdate(read, KEY, true);
            Transaction waiter = db.beginTransaction(write, short_);
            Future<?> waiting = threads.submit(() -> {
                while (true) {
                    try {
                        waiter.put(KEY, KEY);
                    } catch (RocksDBException e) {
                        assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.TimedOut);
                    }
                }
            });
            Future<?> asking = threads.submit(() -> {
                while (true) {
                    waiter.getWaitingTxns();
                    db.getLockStatusData();
                }
            });
            awaitWaiting(waiter);
            db.close();
            for (Future<?> each : List.of(waiting, asking)) {
                assertThatThrownBy(each::get).cause().isInstanceOfAny(IllegalStateException.class, AssertionError.class)
                        .hasMessageContaining("closed");
            }
        }
    }
}
