package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

/** Transactions as programs for the published jar use them, and as they should not. */
class TransactionsTest {

    private static final int ROUNDS = TestSize.choose("outcrop.transactions.rounds", 50, 200);

    @TempDir
    Path directory;

    @Tag("verify")
    @Test
    void transactionsDoWhatPublishedOnesDo() throws Exception {
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Map<String, String> published = PublishedJvm.run(TransactionsReport.class, directory, theirs.toString());
        Map<String, String> here = new TreeMap<>(TransactionsReport.report(ours));
        assertThat(published).hasSizeGreaterThan(150);
        Map<String, String> different = new TreeMap<>();
        here.forEach((step, result) -> {
            if (!result.equals(published.get(step))) {
                different.put(step, "published " + published.get(step) + ", here " + result);
            }
        });
        assertThat(different).isEmpty();
        assertThat(here.keySet()).isEqualTo(published.keySet());
    }

    @Test
    @SuppressWarnings("resource") // ended by the closing of the transaction's database
    void anIteratorOverATransactionAndAnotherDatabaseEndsWithTheTransaction() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                RocksDB other = RocksDB.open(options, directory.resolve("other").toString())) {
            TransactionDB db = TransactionDB.open(options, locking, path());
            WriteBatchWithIndex batch = db.beginTransaction(writes).getWriteBatch();
            RocksIterator over = batch.newIteratorWithBase(other.newIterator());
            over.seekToLast();
            db.close();
            refused(over::seekToLast);
            over.close();
        }
    }

    @Test
    void twoTransactionsThatWaitForEachOtherEndWithADeadlock() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                TransactionDB db = TransactionDB.open(options, locking, path());
                WriteOptions writes = new WriteOptions();
                TransactionOptions detecting = new TransactionOptions().setDeadlockDetect(true).setLockTimeout(10_000);
                Transaction one = db.beginTransaction(writes, detecting);
                Transaction two = db.beginTransaction(writes, detecting)) {
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
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions()) {
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
            try (TransactionDB db = TransactionDB.open(options, locking, path())) {
                Transaction original = db.beginTransaction(writes);
                original.setName("closed");
                Transaction alias = db.getTransactionByName("closed");
                original.close();
                refused(alias::getName);
                assertThat(db.getTransactionByName("closed")).isNull();
            }
        }
    }

    /** What RocksDB would log then is not the transaction: the next opening ends the process, or does not succeed. */
    @Test
    void aTransactionWhoseBatchWasClearedIsNotPrepared() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions()) {
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
            try (TransactionDB db = TransactionDB.open(options, locking, path());
                    Transaction transaction = db.beginTransaction(writes)) {
                assertThat(db.get(b("a"))).isNull();
                assertThat(db.get(b("b"))).isNull();
                assertThat(db.get(b("c"))).isEqualTo(b("3"));
                assertThat(db.getAllPreparedTransactions()).isEmpty();
                transaction.getWriteBatch().clear();
                transaction.put(b("d"), b("4"));
                transaction.commit();
                assertThat(db.get(b("d"))).isEqualTo(b("4"));
            }
        }
    }

    /** RocksDB would take its name off the list of names for a second time, and end the process. */
    @Test
    void aNamedTransactionWhoseCommitFailsCanOnlyBeClosed() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                WriteOptions impossible = new WriteOptions().setSync(true).setDisableWAL(true);
                ReadOptions reads = new ReadOptions();
                TransactionOptions impatient = new TransactionOptions().setLockTimeout(1);
                TransactionDB db = TransactionDB.open(options, locking, path())) {
            Transaction left = failed(db, impossible, "left");
            Transaction failed = failed(db, impossible, "name");
            assertThat(failed.getState()).isEqualTo(Transaction.TransactionState.AWAITING_COMMIT);
            assertThat(db.getTransactionByName("name")).isNull();
            assertThatThrownBy(() -> db.beginTransaction(writes, failed)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'name'");
            // What it would lock now would stay locked.
            refused(() -> failed.put(b("b"), b("1")));
            refused(() -> failed.getForUpdate(reads, b("b"), true));
            refused(() -> failed.multiGetForUpdateAsList(reads, List.of(b("b"))));
            refused(() -> failed.rebuildFromWriteBatch(new WriteBatch()));
            assertThatThrownBy(failed::rollback).isInstanceOf(RocksDBException.class);
            failed.close();
            refused(failed::getState);
            try (Transaction next = db.beginTransaction(writes, impatient)) {
                next.setName("name");
                next.put(b("a"), b("2"));
                assertThat(db.getTransactionByName("name").get(reads, b("a"))).isEqualTo(b("2"));
                next.commit();
            }
            assertThat(left.isOwningHandle()).isTrue();
        }
        try (Options options = new Options(); RocksDB db = RocksDB.open(options, path())) {
            assertThat(db.get(b("a"))).isEqualTo(b("2"));
        }
    }

    private static Transaction failed(TransactionDB db, WriteOptions impossible, String name) throws RocksDBException {
        Transaction transaction = db.beginTransaction(impossible);
        transaction.setName(name);
        transaction.put(b("a"), b("1"));
        assertThatThrownBy(transaction::commit).isInstanceOf(RocksDBException.class).hasMessageContaining("WAL");
        return transaction;
    }

    @Test
    void aNameThatIsNoUtf16IsOneAllTheSame() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                TransactionDB db = TransactionDB.open(options, locking, path())) {
            Transaction transaction = db.beginTransaction(writes);
            transaction.setName("\uD800");
            transaction.put(b("a"), b("1"));
            transaction.prepare();
            assertThat(db.getTransactionByName("\uD800").getName()).isEqualTo("?");
            Transaction found = db.getAllPreparedTransactions().getFirst();
            transaction.close();
            // It is the same one, and is not freed again with the database.
            refused(found::getName);
        }
    }

    @Test
    void aCommittedTransactionHasGivenItsNameBack() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                TransactionDB db = TransactionDB.open(options, locking, path());
                Transaction first = db.beginTransaction(writes);
                Transaction second = db.beginTransaction(writes)) {
            first.setName("name");
            first.commit();
            assertThat(db.getTransactionByName("name")).isNull();
            second.setName("name");
            assertThat(db.getTransactionByName("name").getId()).isEqualTo(second.getId());
        }
    }

    /** A prepared one that is being begun anew is nobody's for a moment, if its name tells whose it is. */
    @Test
    void transactionsThatAreBegunAnewWhileTheyAreLookedForCannotCrash() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                TransactionDB db = TransactionDB.open(options, locking, path())) {
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
    }

    /** RocksDB takes memory for as many stripes, long after it began to open the database. */
    @Test
    void optionsThatChangeWhileADatabaseIsOpenedCannotCrash() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions()) {
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
    }

    /** RocksDB takes memory for as many steps, or ends the process. */
    @Test
    void searchesForDeadlocksWithoutEndAreRefused() {
        try (TransactionOptions options = new TransactionOptions()) {
            for (long depth : new long[]{-1, 100_001, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThatIllegalArgumentException().isThrownBy(() -> options.setDeadlockDetectDepth(depth))
                        .withMessageContaining("deadlockDetectDepth").withMessageContaining(String.valueOf(depth));
            }
            assertThat(options.getDeadlockDetectDepth()).isEqualTo(50);
            assertThat(options.setDeadlockDetectDepth(100_000).getDeadlockDetectDepth()).isEqualTo(100_000);
        }
    }

    @Test
    void whatIsClosedIsRefused() throws Exception {
        ReadOptions reads = new ReadOptions();
        WriteOptions writes = new WriteOptions();
        Options options = new Options().setCreateIfMissing(true);
        OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path());
        Transaction closed = db.beginTransaction(writes);
        RocksIterator ended = closed.getIterator(reads);
        closed.close();
        closed.close();
        refused(() -> closed.get(reads, b("a")));
        refused(() -> closed.put(b("a"), b("1")));
        refused(closed::commit);
        refused(closed::getState);
        refused(ended::seekToFirst);
        ended.close();
        Transaction left = db.beginTransaction(writes);
        left.put(b("a"), b("1"));
        RocksIterator atCommit = left.getIterator(reads);
        atCommit.seekToFirst();
        left.commit();
        refused(atCommit::key);
        Transaction open = db.beginTransaction(writes);
        RocksIterator iterator = open.getIterator(reads);
        db.close();
        refused(() -> open.put(b("a"), b("1")));
        refused(() -> open.getId());
        refused(iterator::seekToFirst);
        refused(() -> db.beginTransaction(writes));
        iterator.close();
        open.close();
        try (RocksDB again = RocksDB.open(options, path())) {
            assertThat(again.get(b("a"))).isEqualTo(b("1"));
        }
    }

    @Test
    void familiesAndTransactionsOfAnotherDatabaseAreRefused() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                ReadOptions reads = new ReadOptions();
                TransactionDB one = TransactionDB.open(options, locking, path());
                TransactionDB two = TransactionDB.open(options, locking, directory.resolve("two").toString());
                Transaction transaction = one.beginTransaction(writes)) {
            assertThatThrownBy(() -> transaction.get(reads, two.getDefaultColumnFamily(), b("a")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> transaction.put(two.getDefaultColumnFamily(), b("a"), b("1")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> two.beginTransaction(writes, transaction))
                    .isInstanceOf(IllegalArgumentException.class);
            transaction.commit();
            assertThat(one.get(b("a"))).isNull();
        }
    }

    @Test
    void batchesOfOtherDatabasesAndClosedOnesAreNotTaken() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                ReadOptions reads = new ReadOptions();
                TransactionDB one = TransactionDB.open(options, locking, path());
                TransactionDB two = TransactionDB.open(options, locking, directory.resolve("two").toString());
                Transaction transaction = one.beginTransaction(writes)) {
            WriteBatch batch = new WriteBatch();
            batch.put(two.getDefaultColumnFamily(), b("a"), b("1"));
            assertThatThrownBy(() -> transaction.rebuildFromWriteBatch(batch))
                    .isInstanceOf(IllegalArgumentException.class);
            batch.clear();
            batch.put(one.getDefaultColumnFamily(), b("a"), b("2"));
            batch.delete(b("b"));
            transaction.rebuildFromWriteBatch(batch);
            assertThat(transaction.get(reads, b("a"))).isEqualTo(b("2"));
            assertThat(transaction.getWriteBatch().count()).isEqualTo(2);
            batch.close();
            refused(() -> transaction.rebuildFromWriteBatch(batch));
            transaction.commit();
            assertThat(one.get(b("a"))).isEqualTo(b("2"));
        }
    }

    @Test
    void whatATransactionHandsOutEndsWithIt() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                WriteOptions writes = new WriteOptions();
                OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path());
                ReadOptions reads = new ReadOptions()) {
            Transaction transaction = db.beginTransaction(writes);
            WriteBatchWithIndex batch = transaction.getWriteBatch();
            batch.close();
            transaction.put(b("a"), b("1"));
            assertThat(batch.count()).isEqualTo(1);
            RocksIterator over = batch.newIteratorWithBase(db.newIterator());
            over.seekToFirst();
            transaction.commit();
            assertThat(batch.count()).isZero();
            refused(over::key);
            batch.setSavePoint();
            RocksIterator own = transaction.getIterator(reads);
            own.seekToFirst();
            batch.rollbackToSavePoint();
            refused(own::next);
            transaction.setSnapshot();
            Snapshot first = transaction.getSnapshot();
            reads.setSnapshot(first);
            assertThat(transaction.get(reads, b("a"))).isEqualTo(b("1"));
            refused(() -> db.releaseSnapshot(first));
            transaction.setSavePoint();
            transaction.rollbackToSavePoint();
            assertThat(transaction.get(reads, b("a"))).isEqualTo(b("1"));
            transaction.setSavePoint();
            transaction.setSnapshot();
            refused(() -> transaction.get(reads, b("a")));
            reads.setSnapshot(transaction.getSnapshot());
            transaction.rollbackToSavePoint();
            refused(() -> db.get(reads, b("a")));
            transaction.clearSnapshot();
            transaction.setSnapshotOnNextOperation();
            transaction.setSavePoint();
            transaction.put(b("b"), b("1"));
            Snapshot ofTheWrite = transaction.getSnapshot();
            transaction.rollbackToSavePoint();
            refused(ofTheWrite::getSequenceNumber);
            assertThat(transaction.getSnapshot()).isNull();
            transaction.setSnapshot();
            Snapshot last = transaction.getSnapshot();
            transaction.close();
            refused(last::getSequenceNumber);
            refused(batch::count);
            refused(transaction::getWriteBatch);
        }
    }

    @Test
    void snapshotsThatAreReplacedWhileTheyAreReadCannotCrash() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                TransactionDB db = TransactionDB.open(options, locking, path())) {
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
    }

    /** One transaction, which is not for several threads, and a database that is closed at any moment. */
    @Tag("verify")
    @Test
    void racingThreadsCannotCrash() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            boolean closesDatabase = round % 2 == 0;
            Options options = new Options().setCreateIfMissing(true).setAllowFAllocate(false);
            TransactionDBOptions locking = new TransactionDBOptions();
            TransactionDB db = TransactionDB.open(options, locking, path());
            ReadOptions reads = new ReadOptions();
            WriteOptions writes = new WriteOptions();
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
            refused(() -> transaction.put(b("a"), b("1")));
        }
    }

    /** RocksDB's transactions are for one thread: without a lock of ours, their batches and counts would not add up. */
    @Test
    void writesOfSeveralThreadsToOneTransactionAreAllThere() throws Exception {
        int writers = 4;
        int each = 5000;
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writes = new WriteOptions();
                TransactionDB db = TransactionDB.open(options, locking, path());
                Transaction transaction = db.beginTransaction(writes)) {
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
                    // Closed, or at no entry any more.
                }
            }
        });
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfAny(IllegalStateException.class, AssertionError.class);
    }

    private String path() {
        return directory.resolve("db").toString();
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }
}
