package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Prints what transactions tell of locks, of what they wait for, and of deadlocks, and what their commit writes besides. */
@NullUnmarked // null is an argument like any other here
final class LocksReport {

    private static final byte[] VALUE = b("value");

    private final ReportLines report;
    private final TransactionDB db;
    private final ColumnFamilyHandle family;
    private final WriteOptions write = new WriteOptions();
    private final ReadOptions read = new ReadOptions();
    private final TransactionOptions patient = new TransactionOptions().setLockTimeout(600_000).setDeadlockDetect(true);
    private final TransactionOptions impatient = new TransactionOptions().setLockTimeout(1);
    /** Names of transactions by their numbers, which depend on what the process has done before. */
    private final Map<Long, String> names = new TreeMap<>(Map.of(0L, "0"));

    private LocksReport(ReportLines report, TransactionDB db, ColumnFamilyHandle family) {
        this.report = report;
        this.db = db;
        this.family = family;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        ReportLines report = new ReportLines(directory);
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locks = new TransactionDBOptions()) {
            try (TransactionDB db = TransactionDB.open(options, locks, directory.resolve("locking").toString());
                    ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("other")))) {
                LocksReport made = new LocksReport(report, db, family);
                made.waits();
                made.lockStatus();
                made.undo();
                made.commitTimeBatches();
                made.deadlocks();
            }
            try (OptimisticTransactionDB db = OptimisticTransactionDB.open(options,
                    directory.resolve("optimistic").toString())) {
                optimistic(report, db);
            }
        }
        return report.all();
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    private Transaction begin(TransactionOptions options, String name) {
        Transaction begun = db.beginTransaction(write, options);
        names.put(begun.getID(), name);
        return begun;
    }

    private String named(long... ids) {
        return Arrays.stream(ids).mapToObj(names::get).toList().toString();
    }

    private String waiting(Transaction transaction) {
        Transaction.WaitingTransactions waits = transaction.getWaitingTxns();
        return (waits.getColumnFamilyId() == family.getID() ? "other" : waits.getColumnFamilyId()) + " '"
                + waits.getKey() + "' " + named(waits.getTransactionIds());
    }

    private static void awaitWaiting(Transaction transaction) {
        while (transaction.getWaitingTxns().getTransactionIds().length == 0) {
            Thread.onSpinWait();
        }
    }

    private void waits() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Transaction first = begin(patient, "first");
                Transaction second = begin(patient, "second");
                Transaction third = begin(patient, "third");
                Transaction fourth = begin(patient, "fourth")) {
            third.setName("the third");
            first.put(b("a"), VALUE);
            first.put(family, b("größer"), VALUE);
            report.line("none waits", () -> waiting(first) + waiting(second));
            for (byte[] key : new byte[][]{b("shared"), b("")}) {
                first.getForUpdate(read, key, false);
                second.getForUpdate(read, key, false);
            }
            Map<Transaction, ColumnFamilyHandle> waiters = Map.of(second, family, third, db.getDefaultColumnFamily(),
                    fourth, db.getDefaultColumnFamily());
            Map<Transaction, byte[]> keys = Map.of(second, b("größer"), third, b("shared"), fourth, b(""));
            List<Future<?>> all = new ArrayList<>();
            waiters.forEach((waiter, of) -> all.add(threads.submit(() -> {
                waiter.put(of, keys.get(waiter), VALUE);
                return null;
            })));
            waiters.keySet().forEach(LocksReport::awaitWaiting);
            report.line("waits for a key", () -> waiting(second));
            report.line("waits for a shared lock", () -> waiting(third));
            report.line("waits for an empty key", () -> waiting(fourth));
            report.line("does not wait", () -> waiting(first));
            first.commit();
            all.get(new ArrayList<>(waiters.keySet()).indexOf(second)).get();
            report.line("has waited", () -> waiting(second));
            second.commit();
            for (Future<?> each : all) {
                each.get();
            }
            report.line("all have waited", () -> waiting(third) + waiting(fourth));
        }
    }

    private void lockStatus() throws RocksDBException {
        report.line("no locks", db::getLockStatusData);
        try (Transaction first = begin(patient, "first"); Transaction second = begin(patient, "second")) {
            first.put(b("key"), VALUE);
            first.getForUpdate(read, family, b("shared"), false);
            second.getForUpdate(read, family, b("shared"), false);
            report.line("locks", () -> {
                Map<String, String> all = new TreeMap<>();
                db.getLockStatusData().forEach((id, lock) -> all.put(id == 0 ? "default" : "other", lock.getKey() + " "
                        + Arrays.toString(lock.getTransactionIDs()) + " " + lock.isExclusive()));
                return all;
            });
            report.line("kind of map", () -> db.getLockStatusData().getClass());
        }
    }

    private String attempt(ColumnFamilyHandle in, String key) {
        try (Transaction other = db.beginTransaction(write, impatient)) {
            other.put(in, b(key), VALUE);
            return "free ";
        } catch (RocksDBException e) {
            return e.getStatus().getCode() + " ";
        }
    }

    private void undo() throws RocksDBException {
        ColumnFamilyHandle in = db.getDefaultColumnFamily();
        try (Transaction transaction = begin(impatient, "undoing")) {
            report.line("undo", () -> {
                transaction.getForUpdate(read, b("k"), true);
                String before = attempt(in, "k");
                transaction.undoGetForUpdate(b("k"));
                return before + attempt(in, "k") + transaction.getNumKeys();
            });
            report.line("undo in a family", () -> {
                transaction.getForUpdate(read, family, b("k"), true);
                transaction.undoGetForUpdate(b("k"));
                String before = attempt(family, "k");
                transaction.undoGetForUpdate(family, b("k"));
                return before + attempt(family, "k");
            });
            report.line("undo one of two", () -> {
                transaction.getForUpdate(read, b("l"), true);
                transaction.getForUpdate(read, b("l"), true);
                transaction.undoGetForUpdate(b("l"));
                String once = attempt(in, "l");
                transaction.undoGetForUpdate(b("l"));
                return once + attempt(in, "l");
            });
            report.line("undo after a write", () -> {
                transaction.getForUpdate(read, b("m"), true);
                transaction.put(b("m"), VALUE);
                transaction.undoGetForUpdate(b("m"));
                return attempt(in, "m");
            });
            report.line("undo after a save point", () -> {
                transaction.getForUpdate(read, b("n"), true);
                transaction.setSavePoint();
                transaction.undoGetForUpdate(b("n"));
                String inside = attempt(in, "n");
                transaction.rollbackToSavePoint();
                transaction.undoGetForUpdate(b("n"));
                return inside + attempt(in, "n");
            });
            report.done("undo nothing", () -> transaction.undoGetForUpdate(b("never read")));
            report.done("undo an empty key", () -> transaction.undoGetForUpdate(b("")));
            report.done("undo null", () -> transaction.undoGetForUpdate(null));
            report.done("undo in no family", () -> transaction.undoGetForUpdate(null, b("k")));
            report.done("commit after it", transaction::commit);
        }
    }

    private String get(String key) throws RocksDBException {
        byte[] value = db.get(b(key));
        return value == null ? "none" : new String(value, UTF_8);
    }

    private void commitTimeBatches() throws RocksDBException {
        try (Transaction transaction = begin(patient, "two phases")) {
            transaction.setName("two phases");
            transaction.put(b("x"), VALUE);
            WriteBatch batch = transaction.getCommitTimeWriteBatch();
            report.line("commit-time batch", () -> batch.count() + " " + batch.getDataSize() + " "
                    + batch.isOwningHandle() + " " + batch.hasPut());
            transaction.prepare();
            batch.put(b("of the commit"), b("1"));
            batch.put(family, b("of the commit"), b("2"));
            batch.delete(b("y"));
            batch.singleDelete(b("z"));
            batch.deleteRange(b("r"), b("s"));
            batch.deleteRange(family, b("r"), b("s"));
            batch.putLogData(b("log"));
            batch.setSavePoint();
            batch.put(b("undone"), VALUE);
            report.done("commit-time batch, undo", batch::rollbackToSavePoint);
            report.done("commit-time batch, undo again", batch::rollbackToSavePoint);
            batch.setSavePoint();
            report.done("commit-time batch, pop", batch::popSavePoint);
            report.done("commit-time batch, pop again", batch::popSavePoint);
            report.line("commit-time batch, filled", () -> batch.count() + " " + batch.getDataSize() + " "
                    + batch.hasPut() + batch.hasDelete() + batch.hasSingleDelete() + batch.hasDeleteRange()
                    + batch.hasMerge() + batch.hasCommit() + " " + batch.data().length);
            report.line("commit-time batch is not read", () -> transaction.get(read, b("of the commit")));
            report.line("commit-time batch, again", () -> transaction.getCommitTimeWriteBatch().count());
            report.done("commit-time batch, closed", batch::close);
            db.put(b("rr"), VALUE);
            report.line("commit-time batch, committed", () -> {
                transaction.commit();
                return get("x") + " " + get("of the commit") + " "
                        + new String(db.get(family, b("of the commit")), UTF_8) + " " + get("undone") + " "
                        + get("rr") + " " + transaction.getCommitTimeWriteBatch().count();
            });
        }
        try (Transaction transaction = begin(patient, "rolled back")) {
            transaction.setName("rolled back");
            transaction.put(b("x2"), VALUE);
            transaction.prepare();
            transaction.getCommitTimeWriteBatch().put(b("not committed"), VALUE);
            report.line("commit-time batch, rolled back", () -> {
                transaction.rollback();
                return get("not committed") + " " + transaction.getCommitTimeWriteBatch().count();
            });
        }
        try (Transaction transaction = begin(patient, "one phase")) {
            transaction.put(b("x3"), VALUE);
            WriteBatch batch = transaction.getCommitTimeWriteBatch();
            batch.put(b("in vain"), VALUE);
            report.done("commit-time batch, one phase", transaction::commit);
            batch.clear();
            report.line("commit-time batch, cleared", () -> {
                transaction.commit();
                return get("x3") + " " + get("in vain") + " " + batch.count();
            });
        }
    }

    /** Makes a deadlock of transactions, each of which waits for the next one. */
    private void deadlock(int length) throws Exception {
        List<Transaction> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < length; i++) {
                Transaction begun = begin(patient, "of deadlock " + i);
                begun.put(b("dead" + i), VALUE);
                all.add(begun);
            }
            for (int i = 0; i < length - 1; i++) {
                Transaction waiter = all.get(i);
                byte[] wanted = b("dead" + (i + 1));
                threads.execute(() -> {
                    try {
                        waiter.put(wanted, VALUE);
                        waiter.rollback();
                    } catch (RocksDBException e) {
                        throw new IllegalStateException(e);
                    }
                });
                awaitWaiting(waiter);
            }
            Transaction last = all.getLast();
            report.done("deadlock of " + length + " " + report.all().size(), () -> last.put(b("dead0"), VALUE));
            last.rollback();
        }
        all.forEach(Transaction::close);
    }

    /** With the published jar, what there is cannot be read: a native function looks for another constructor. */
    private void deadlocks() throws Exception {
        report.line("no deadlocks", () -> db.getDeadlockInfoBuffer().length);
        deadlock(2);
        deadlock(3);
        db.setDeadlockInfoBufferSize(0);
        report.line("none are kept", () -> db.getDeadlockInfoBuffer().length);
        db.setDeadlockInfoBufferSize(3);
        report.line("none are left", () -> db.getDeadlockInfoBuffer().length);
        report.line("empty path",
                () -> new TransactionDB.DeadlockPath(new TransactionDB.DeadlockInfo[0], false).isEmpty()
                        + " " + new TransactionDB.DeadlockPath(new TransactionDB.DeadlockInfo[0], true).isEmpty());
    }

    private static void optimistic(ReportLines report, OptimisticTransactionDB db) throws RocksDBException {
        for (boolean undoes : new boolean[]{false, true}) {
            try (WriteOptions write = new WriteOptions();
                    ReadOptions read = new ReadOptions();
                    Transaction transaction = db.beginTransaction(write)) {
                transaction.getForUpdate(read, b("k"), true);
                transaction.put(b("l"), VALUE);
                if (undoes) {
                    transaction.undoGetForUpdate(b("k"));
                }
                db.put(b("k"), VALUE);
                report.done("optimistic, undone " + undoes, transaction::commit);
                report.line("optimistic, waits " + undoes, () -> transaction.getWaitingTxns().getKey()
                        + transaction.getWaitingTxns().getTransactionIds().length);
                report.line("optimistic, commit-time batch " + undoes, () -> {
                    transaction.put(b("n"), VALUE);
                    transaction.getCommitTimeWriteBatch().put(b("m"), VALUE);
                    transaction.commit();
                    return Arrays.toString(db.get(b("m"))) + " " + transaction.getCommitTimeWriteBatch().count();
                });
            }
        }
    }
}
