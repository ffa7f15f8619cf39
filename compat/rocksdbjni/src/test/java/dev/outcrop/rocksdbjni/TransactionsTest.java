package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Use and misuse of transactions. */
class TransactionsTest extends DatabaseTest {
    private static final int ROUNDS = TestSize.choose("outcrop.transactions.rounds", 50, 200);

    private final Options options = closeLater(new Options().setCreateIfMissing(true));
    private final TransactionDBOptions locking = closeLater(new TransactionDBOptions());
    private final WriteOptions writes = closeLater(new WriteOptions());
    private final ReadOptions reads = closeLater(new ReadOptions());

    @Test
    @SuppressWarnings("resource") // ended by the closing of the transaction's database
    void anIteratorOverATransactionAndAnotherDatabaseEndsWithTheTransaction() throws RocksDBException {
        RocksDB other = closeLater(RocksDB.open(options, path("other")));
        TransactionDB db = TransactionDB.open(options, locking, path());
        WriteBatchWithIndex batch = db.beginTransaction(writes).getWriteBatch();
        RocksIterator over = batch.newIteratorWithBase(other.newIterator());
        over.seekToLast();
        db.close();
        assertMisuse(over::seekToLast);
        over.close();
    }

    @Test
    void twoTransactionsThatWaitForEachOtherEndWithADeadlock() throws Exception {
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        TransactionOptions detecting = closeLater(
                new TransactionOptions().setDeadlockDetect(true).setLockTimeout(600_000));
        Transaction one = closeLater(db.beginTransaction(writes, detecting));
        Transaction two = closeLater(db.beginTransaction(writes, detecting));
        one.put(b("a"), b("1"));
        two.put(b("b"), b("2"));
        AtomicReference<RocksDBException> failure = new AtomicReference<>();
        Thread waiting = Thread.ofPlatform().start(() -> putOrRollBack(one, b("b"), failure));
        putOrRollBack(two, b("a"), failure);
        waiting.join();
        RocksDBException deadlock = failure.get();
        assertThat(deadlock).isNotNull();
        assertThat(deadlock.getStatus().getCode()).isEqualTo(Status.Code.Busy);
        assertThat(deadlock.getStatus().getSubCode()).isEqualTo(Status.SubCode.Deadlock);
    }

    private static void putOrRollBack(Transaction transaction, byte[] key, AtomicReference<RocksDBException> failure) {
        try {
            transaction.put(key, b("1"));
        } catch (RocksDBException e) {
            failure.set(e);
            try {
                transaction.rollback();
            } catch (RocksDBException rollback) {
                e.addSuppressed(rollback);
            }
        }
    }

    @Test
    void preparedTransactionsAreFoundAgain() throws RocksDBException {
        try (TransactionDB db = TransactionDB.open(options, locking, path())) {
            Transaction prepared = db.beginTransaction(writes);
            prepared.setName("early");
            prepared.put(b("a"), b("1"));
            Transaction found = db.getTransactionByName("early");
            found.put(b("b"), b("2"));
            found.close();
            assertThat(found.getName()).isEqualTo("early");
            prepared.prepare();
            assertThat(db.getAllPreparedTransactions()).hasSize(1);
            assertThat(db.getTransactionByName("none")).isNull();
        }
        try (TransactionDB db = TransactionDB.open(options, locking, path())) {
            assertThat(db.get(b("a"))).isNull();
            Transaction recovered = db.getAllPreparedTransactions().getFirst();
            assertThat(recovered.isOwningHandle()).isFalse();
            assertThat(recovered.getName()).isEqualTo("early");
            assertThat(recovered.getState()).isEqualTo(Transaction.TransactionState.PREPARED);
            recovered.commit();
            assertThat(db.get(b("a"))).isEqualTo(b("1"));
            assertThat(db.get(b("b"))).isEqualTo(b("2"));
            assertThat(db.getAllPreparedTransactions()).isEmpty();
        }
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        Transaction original = db.beginTransaction(writes);
        original.setName("closed");
        Transaction alias = db.getTransactionByName("closed");
        original.close();
        assertMisuse(alias::getName);
        assertThat(db.getTransactionByName("closed")).isNull();
    }

    /** RocksDB would log something else than the transaction: the next opening would end the process, or fail. */
    @Test
    void aTransactionIsNotPreparedAfterItsBatchWasCleared() throws RocksDBException {
        try (TransactionDB db = TransactionDB.open(options, locking, path());
                Transaction transaction = db.beginTransaction(writes)) {
            transaction.setName("cleared");
            transaction.put(b("a"), b("1"));
            transaction.getWriteBatch().clear();
            assertThatThrownBy(transaction::prepare).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("roll it back");
            transaction.put(b("b"), b("2"));
            assertThatThrownBy(transaction::prepare).isInstanceOf(IllegalStateException.class);
            transaction.rollback();
            transaction.put(b("c"), b("3"));
            transaction.prepare();
            assertThatThrownBy(transaction::prepare).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("already been prepared");
            transaction.commit();
        }
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        Transaction transaction = closeLater(db.beginTransaction(writes));
        assertThat(db.get(b("a"))).isNull();
        assertThat(db.get(b("b"))).isNull();
        assertThat(db.get(b("c"))).isEqualTo(b("3"));
        assertThat(db.getAllPreparedTransactions()).isEmpty();
        transaction.getWriteBatch().clear();
        transaction.put(b("d"), b("4"));
        transaction.commit();
        assertThat(db.get(b("d"))).isEqualTo(b("4"));
    }

    /** RocksDB would take its name off the list of names for a second time, and end the process. */
    @Test
    void aNamedTransactionCanOnlyBeClosedAfterItsCommitFailed() throws Exception {
        try (WriteOptions impossible = new WriteOptions().setSync(true).setDisableWAL(true);
                TransactionOptions impatient = new TransactionOptions().setLockTimeout(1);
                TransactionDB db = TransactionDB.open(options, locking, path())) {
            Transaction left = failed(db, impossible, "left");
            Transaction failed = failed(db, impossible, "name");
            assertThat(failed.getState()).isEqualTo(Transaction.TransactionState.AWAITING_COMMIT);
            assertThat(db.getTransactionByName("name")).isNull();
            assertThatThrownBy(() -> db.beginTransaction(writes, failed)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'name'");
            // Keys that it would lock now would stay locked.
            assertMisuse(() -> failed.put(b("b"), b("1")));
            assertMisuse(() -> failed.getForUpdate(reads, b("b"), true));
            assertMisuse(() -> failed.multiGetForUpdateAsList(reads, List.of(b("b"))));
            assertMisuse(() -> failed.rebuildFromWriteBatch(new WriteBatch()));
            assertThatThrownBy(failed::rollback).isInstanceOf(RocksDBException.class);
            failed.close();
            assertMisuse(failed::getState);
            try (Transaction next = db.beginTransaction(writes, impatient)) {
                next.setName("name");
                next.put(b("a"), b("2"));
                assertThat(db.getTransactionByName("name").get(reads, b("a"))).isEqualTo(b("2"));
                next.commit();
            }
            assertThat(left.isOwningHandle()).isTrue();
        }
        Options options = closeLater(new Options());
        RocksDB db = closeLater(RocksDB.open(options, path()));
        assertThat(db.get(b("a"))).isEqualTo(b("2"));
    }

    private static Transaction failed(TransactionDB db, WriteOptions impossible, String name) throws RocksDBException {
        Transaction transaction = db.beginTransaction(impossible);
        transaction.setName(name);
        transaction.put(b("a"), b("1"));
        assertThatThrownBy(transaction::commit).isInstanceOf(RocksDBException.class).hasMessageContaining("WAL");
        return transaction;
    }

    @Test
    void aNameMayBeNoUtf16() throws RocksDBException {
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        Transaction transaction = db.beginTransaction(writes);
        transaction.setName("\uD800");
        transaction.put(b("a"), b("1"));
        transaction.prepare();
        assertThat(db.getTransactionByName("\uD800").getName()).isEqualTo("?");
        Transaction found = db.getAllPreparedTransactions().getFirst();
        transaction.close();
        // It is the same one, and is not freed again with the database.
        assertMisuse(found::getName);
    }

    @Test
    void aCommittedTransactionHasGivenItsNameBack() throws RocksDBException {
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        Transaction first = closeLater(db.beginTransaction(writes));
        Transaction second = closeLater(db.beginTransaction(writes));
        first.setName("name");
        first.commit();
        assertThat(db.getTransactionByName("name")).isNull();
        second.setName("name");
        assertThat(db.getTransactionByName("name").getId()).isEqualTo(second.getId());
    }

    /** A prepared transaction that is begun anew has no owner for a moment, if its name is its owner. */
    @Test
    void transactionsThatAreBegunAnewWhileTheyAreLookedForCannotCrash() throws Exception {
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        Transaction transaction = db.beginTransaction(writes);
        AtomicInteger found = new AtomicInteger();
        AtomicBoolean isEnough = new AtomicBoolean();
        CompletableFuture<Void> looking = CompletableFuture.runAsync(() -> {
            while (found.get() < 100 || !isEnough.get()) {
                for (Transaction prepared : db.getAllPreparedTransactions()) {
                    found.incrementAndGet();
                    String _ = prepared.getName();
                }
            }
        });
        for (int i = 0; !looking.isDone(); i++) {
            isEnough.set(i >= 3000);
            transaction.setName("a name that does not fit into the string itself " + i);
            transaction.put(b("a"), b("1"));
            transaction.prepare();
            assertThat(db.beginTransaction(writes, transaction)).isSameAs(transaction);
        }
        looking.get();
        transaction.close();
        assertThat(db.getAllPreparedTransactions()).isEmpty();
    }

    /** RocksDB takes memory for as many stripes, long after it began to open the database. */
    @Test
    void optionsThatChangeWhileADatabaseIsOpenedCannotCrash() throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        Thread changing = Thread.ofPlatform().start(() -> {
            while (!isDone.get()) {
                locking.setNumStripes(Long.MAX_VALUE);
                LockSupport.parkNanos(100_000);
                locking.setNumStripes(16);
                LockSupport.parkNanos(100_000);
            }
        });
        int opened = 0;
        while (opened < 20) {
            try (TransactionDB db = TransactionDB.open(options, locking, path())) {
                db.put(b("a"), b("1"));
                opened++;
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("numStripes");
            }
        }
        isDone.set(true);
        changing.join();
    }

    /** RocksDB takes memory for as many steps, or ends the process; without a search any number does. */
    @Test
    void searchesForDeadlocksWithoutEndAreRefused() throws RocksDBException {
        TransactionOptions begun = closeLater(new TransactionOptions());
        TransactionDB db = closeLater(TransactionDB.open(options, closeLater(new TransactionDBOptions()), path()));
        for (long depth : new long[]{-1, (1 << 20) + 1, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(begun.setDeadlockDetect(false).setDeadlockDetectDepth(depth).getDeadlockDetectDepth())
                    .isEqualTo(depth);
            Transaction transaction = closeLater(db.beginTransaction(writes, begun));
            begun.setDeadlockDetect(true);
            assertThatIllegalArgumentException().isThrownBy(() -> db.beginTransaction(writes, begun))
                    .withMessageContaining("deadlockDetectDepth").withMessageContaining(String.valueOf(depth));
            assertThatIllegalArgumentException().isThrownBy(() -> db.beginTransaction(writes, begun, transaction))
                    .withMessageContaining("deadlockDetectDepth");
        }
        begun.setDeadlockDetectDepth(1 << 20);
        closeLater(db.beginTransaction(writes, begun));
    }

    @Test
    void closedObjectsAreRefused() throws Exception {
        ReadOptions reads = new ReadOptions();
        OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path());
        Transaction closed = db.beginTransaction(writes);
        RocksIterator ended = closed.getIterator(reads);
        closed.close();
        closed.close();
        assertMisuse(() -> closed.get(reads, b("a")));
        assertMisuse(() -> closed.put(b("a"), b("1")));
        assertMisuse(closed::commit);
        assertMisuse(closed::getState);
        assertMisuse(ended::seekToFirst);
        ended.close();
        Transaction left = db.beginTransaction(writes);
        left.put(b("a"), b("1"));
        RocksIterator atCommit = left.getIterator(reads);
        atCommit.seekToFirst();
        left.commit();
        assertThatThrownBy(atCommit::key).isInstanceOfAny(IllegalStateException.class, AssertionError.class)
                .hasMessageContaining("committed");
        Transaction open = db.beginTransaction(writes);
        RocksIterator iterator = open.getIterator(reads);
        db.close();
        assertMisuse(() -> open.put(b("a"), b("1")));
        assertMisuse(() -> open.getId());
        assertMisuse(iterator::seekToFirst);
        assertMisuse(() -> db.beginTransaction(writes));
        iterator.close();
        open.close();
        RocksDB again = closeLater(RocksDB.open(options, path()));
        assertThat(again.get(b("a"))).isEqualTo(b("1"));
    }

    @Test
    void familiesAndTransactionsOfAnotherDatabaseAreRefused() throws Exception {
        TransactionDB one = closeLater(TransactionDB.open(options, locking, path()));
        TransactionDB two = closeLater(TransactionDB.open(options, locking, path("two")));
        Transaction transaction = closeLater(one.beginTransaction(writes));
        assertThatThrownBy(() -> transaction.get(reads, two.getDefaultColumnFamily(), b("a")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> transaction.put(two.getDefaultColumnFamily(), b("a"), b("1")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> two.beginTransaction(writes, transaction))
                .isInstanceOf(IllegalArgumentException.class);
        transaction.commit();
        assertThat(one.get(b("a"))).isNull();
    }

    @Test
    void batchesOfOtherDatabasesAndClosedOnesAreNotTaken() throws Exception {
        TransactionDB one = closeLater(TransactionDB.open(options, locking, path()));
        TransactionDB two = closeLater(TransactionDB.open(options, locking, path("two")));
        Transaction transaction = closeLater(one.beginTransaction(writes));
        WriteBatch batch = new WriteBatch();
        batch.put(two.getDefaultColumnFamily(), b("a"), b("1"));
        assertThatThrownBy(() -> transaction.rebuildFromWriteBatch(batch)).isInstanceOf(IllegalArgumentException.class);
        batch.clear();
        batch.put(one.getDefaultColumnFamily(), b("a"), b("2"));
        batch.delete(b("b"));
        transaction.rebuildFromWriteBatch(batch);
        assertThat(transaction.get(reads, b("a"))).isEqualTo(b("2"));
        assertThat(transaction.getWriteBatch().count()).isEqualTo(2);
        batch.close();
        assertMisuse(() -> transaction.rebuildFromWriteBatch(batch));
        transaction.commit();
        assertThat(one.get(b("a"))).isEqualTo(b("2"));
    }

    @Test
    void objectsOfATransactionEndWithIt() throws Exception {
        OptimisticTransactionDB db = closeLater(OptimisticTransactionDB.open(options, path()));
        Transaction transaction = db.beginTransaction(writes);
        WriteBatchWithIndex batch = transaction.getWriteBatch();
        batch.close();
        transaction.put(b("a"), b("1"));
        assertThat(batch.count()).isEqualTo(1);
        RocksIterator over = batch.newIteratorWithBase(db.newIterator());
        over.seekToFirst();
        transaction.commit();
        assertThat(batch.count()).isZero();
        assertMisuse(over::key);
        batch.setSavePoint();
        RocksIterator own = transaction.getIterator(reads);
        own.seekToFirst();
        batch.rollbackToSavePoint();
        assertMisuse(own::next);
        transaction.setSnapshot();
        Snapshot first = transaction.getSnapshot();
        reads.setSnapshot(first);
        assertThat(transaction.get(reads, b("a"))).isEqualTo(b("1"));
        assertMisuse(() -> db.releaseSnapshot(first));
        transaction.setSavePoint();
        transaction.rollbackToSavePoint();
        assertThat(transaction.get(reads, b("a"))).isEqualTo(b("1"));
        transaction.setSavePoint();
        transaction.setSnapshot();
        assertMisuse(() -> transaction.get(reads, b("a")));
        reads.setSnapshot(transaction.getSnapshot());
        transaction.rollbackToSavePoint();
        assertMisuse(() -> db.get(reads, b("a")));
        transaction.clearSnapshot();
        transaction.setSnapshotOnNextOperation();
        transaction.setSavePoint();
        transaction.put(b("b"), b("1"));
        Snapshot ofTheWrite = transaction.getSnapshot();
        transaction.rollbackToSavePoint();
        assertMisuse(ofTheWrite::getSequenceNumber);
        assertThat(transaction.getSnapshot()).isNull();
        transaction.setSnapshot();
        Snapshot last = transaction.getSnapshot();
        transaction.close();
        assertMisuse(last::getSequenceNumber);
        assertMisuse(batch::count);
        assertMisuse(transaction::getWriteBatch);
    }

    @Test
    void snapshotsThatAreReplacedWhileTheyAreReadCannotCrash() throws Exception {
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        Transaction transaction = db.beginTransaction(writes);
        AtomicInteger found = new AtomicInteger();
        db.put(b("a"), b("1"));
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            threads.add(racing(i -> {
                transaction.setSnapshot();
                transaction.setSavePoint();
                transaction.rollbackToSavePoint();
            }));
            threads.add(racing(i -> {
                for (int again = 0; again < 50; again++) {
                    try (ReadOptions then = new ReadOptions().setSnapshot(transaction.getSnapshot())) {
                        found.addAndGet(transaction.get(then, b("a")).length);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        transaction.setSnapshot();
        try (ReadOptions then = new ReadOptions().setSnapshot(transaction.getSnapshot())) {
            found.addAndGet(transaction.get(then, b("a")).length);
        }
        assertThat(found.get()).isPositive();
    }

    /** One transaction, which is not for several threads, and a database that is closed at any moment. */
    @Tag("verify")
    @Test
    void racingThreadsCannotCrash() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            boolean closesDatabase = round % 2 == 0;
            Options options = new Options().setCreateIfMissing(true).setAllowFAllocate(false);
            TransactionDB db = TransactionDB.open(options, locking, path());
            Transaction transaction = db.beginTransaction(writes);
            RocksIterator iterator = transaction.getIterator(reads);
            List<Thread> threads = new ArrayList<>();
            threads.add(racing(i -> transaction.put(b("k" + i), new byte[100])));
            threads.add(racing(i -> transaction.get(reads, b("k" + i))));
            threads.add(racing(i -> {
                iterator.seekToFirst();
                if (iterator.isValid()) {
                    byte[] _ = iterator.key();
                    iterator.next();
                }
            }));
            threads.add(racing(i -> {
                if (i == 15) {
                    transaction.rollback();
                } else {
                    RocksIterator mine = transaction.getIterator(reads);
                    mine.seekToLast();
                    mine.close();
                }
            }));
            LockSupport.parkNanos(200_000L * (round % 10));
            if (closesDatabase) {
                db.close();
            } else {
                transaction.close();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            iterator.close();
            transaction.close();
            db.close();
            assertMisuse(() -> transaction.put(b("a"), b("1")));
        }
    }

    /** RocksDB's transactions are for one thread: without a lock of ours, their batches and counts would not add up. */
    @Test
    void writesOfSeveralThreadsToOneTransactionAreAllThere() throws Exception {
        int writers = 4;
        int each = 5000;
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        Transaction transaction = closeLater(db.beginTransaction(writes));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < writers; t++) {
            String prefix = t + " ";
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < each; i++) {
                        transaction.put(b(prefix + i), b("value " + i));
                    }
                } catch (RocksDBException | RuntimeException | Error e) {
                    failure.set(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(transaction.getNumPuts()).isEqualTo((long) writers * each);
        transaction.commit();
        for (int t = 0; t < writers; t++) {
            for (int i = 0; i < each; i++) {
                assertThat(db.get(b(t + " " + i))).asString(UTF_8).isEqualTo("value " + i);
            }
        }
    }

    private interface Step {
        void run(int i) throws RocksDBException;
    }

    private static Thread racing(Step step) {
        return Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 30; i++) {
                try {
                    step.run(i);
                } catch (RocksDBException | IllegalStateException | AssertionError e) {
                    // Closed, or no longer at an entry.
                }
            }
        });
    }
}
