package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.GetStatus;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Prints the results of transactions in an empty directory. */
final class TransactionsReport {

    private interface Step {
        Object run() throws Exception;
    }

    private static final Map<String, String> LINES = new TreeMap<>();

    private final RocksDB db;
    private final WriteOptions writes = new WriteOptions();
    private final ReadOptions reads = new ReadOptions();
    private final Transaction tx;
    private final ColumnFamilyHandle family;

    private TransactionsReport(RocksDB db) throws RocksDBException {
        this.db = db;
        family = db.getDefaultColumnFamily();
        db.put(b("a"), b("12345"));
        tx = begin(db, writes);
    }

    /** The outcome of each step. */
    static Map<String, String> report(Path directory) throws RocksDBException {
        RocksDB.loadLibrary();
        LINES.clear();
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions().setTransactionLockTimeout(20)) {
            print("locking");
            try (RocksDB db = TransactionDB.open(options, locking, directory.resolve("locking").toString())) {
                new TransactionsReport(db).run();
            }
            print("optimistic");
            try (RocksDB db = OptimisticTransactionDB.open(options, directory.resolve("optimistic").toString())) {
                new TransactionsReport(db).run();
            }
            print("merges");
            try (StringAppendOperator append = new StringAppendOperator(";");
                    Options merging = new Options().setCreateIfMissing(true).setMergeOperator(append)) {
                try (RocksDB db = TransactionDB.open(merging, locking, directory.resolve("merging").toString())) {
                    new TransactionsReport(db).merges();
                }
                try (RocksDB db = OptimisticTransactionDB.open(merging, directory.resolve("merging too").toString())) {
                    new TransactionsReport(db).merges();
                }
            }
            print("families");
            families(options, directory.resolve("families").toString());
            print("ttl");
            ttl(options, directory.resolve("ttl").toString());
        }
        return Map.copyOf(LINES);
    }

    private static void families(Options options, String path) throws RocksDBException {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions database = new DBOptions(options).setCreateMissingColumnFamilies(true)) {
            List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(b("default")),
                    new ColumnFamilyDescriptor(b("other")));
            try (TransactionDBOptions locking = new TransactionDBOptions();
                    TransactionDB db = TransactionDB.open(database, locking, path, families, handles);
                    WriteOptions writes = new WriteOptions()) {
                Transaction prepared = db.beginTransaction(writes);
                prepared.setName("late");
                prepared.put(handles.get(1), b("p"), b("1"));
                prepared.prepare();
                step("not found", () -> db.getTransactionByName("none"));
                step("owned", () -> db.getTransactionByName("late").isOwningHandle());
            }
            handles.clear();
            try (TransactionDBOptions locking = new TransactionDBOptions();
                    TransactionDB db = TransactionDB.open(database, locking, path, families, handles)) {
                step("before", () -> db.get(handles.get(1), b("p")));
                step("all", () -> db.getAllPreparedTransactions().size());
            }
            handles.clear();
            try (OptimisticTransactionDB db = OptimisticTransactionDB.open(database, path + "-optimistic", families,
                    handles)) {
                db.put(handles.get(1), b("p"), b("1"));
                step("base", () -> db.getBaseDB().get(handles.get(1), b("p")));
                step("base owned", () -> db.getBaseDB().isOwningHandle());
            }
        }
    }

    private static void ttl(Options options, String path) throws RocksDBException {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (TtlDB db = TtlDB.open(options, path)) {
            db.put(b("a"), b("1"));
            ColumnFamilyHandle added = db.createColumnFamilyWithTtl(new ColumnFamilyDescriptor(b("added")), 100);
            db.put(added, b("b"), b("2"));
            print(new String(db.get(b("a")), UTF_8) + new String(db.get(added, b("b")), UTF_8));
        }
        try (DBOptions database = new DBOptions(options);
                TtlDB db = TtlDB.open(database, path, List.of(new ColumnFamilyDescriptor(b("default")),
                        new ColumnFamilyDescriptor(b("added"))), handles, List.of(0, 1000), false)) {
            step("families", () -> new String(db.get(handles.get(1), b("b")), UTF_8));
        }
        step("times", () -> TtlDB.open(new DBOptions(), path, List.of(new ColumnFamilyDescriptor(b("default"))),
                handles, List.of(), false) == null);
    }

    private static Transaction begin(RocksDB db, WriteOptions writes) {
        return db instanceof TransactionDB locking
                ? locking.beginTransaction(writes)
                : ((OptimisticTransactionDB) db).beginTransaction(writes);
    }

    private void run() {
        step("name", () -> "[" + tx.getName() + "]");
        step("state", () -> tx.getState());
        step("numbers", () -> tx.getID() > 0 || db instanceof OptimisticTransactionDB);
        step("log", () -> tx.getLogNumber() + " " + tx.isDeadlockDetect() + " " + (tx.getElapsedTime() >= 0));
        reads();
        buffers(false);
        buffers(true);
        writes();
        savePoints();
        lists();
        views();
        conflicts();
        names();
        again();
    }

    private void reads() {
        step("get", () -> tx.get(reads, b("a")));
        step("get cf", () -> tx.get(reads, family, b("a")));
        step("get none", () -> tx.get(reads, b("none")));
        step("get to", () -> shown(tx.get(reads, b("a"), new byte[3])));
        step("get none to", () -> shown(tx.get(reads, family, b("none"), new byte[3])));
        step("get for update", () -> tx.getForUpdate(reads, b("a"), true));
        step("get for update to", () -> shown(tx.getForUpdate(reads, b("a"), new byte[2], false)));
        step("get for update, unvalidated", () -> tx.getForUpdate(reads, family, b("a"), true, false));
        step("null key", () -> tx.get(reads, (byte[]) null));
        step("null options", () -> tx.get((ReadOptions) null, b("a")));
        step("null family", () -> tx.get(reads, (ColumnFamilyHandle) null, b("a")));
    }

    private void buffers(boolean direct) {
        ByteBuffer key = buffer(direct, 4);
        ByteBuffer value = buffer(direct, 8);
        ByteBuffer other = buffer(!direct, 4);
        key.put(1, (byte) 'a');
        value.put(0, (byte) 'V');
        int[] lengths = {8, 3};
        for (int length : lengths) {
            key.position(1).limit(2);
            value.clear().position(1).limit(length);
            step("buffers", () -> shown(tx.get(reads, key, value)) + places(key, value));
            key.position(1);
            value.position(1);
            step("buffers cf", () -> shown(tx.getForUpdate(reads, family, key, value, true)) + places(key, value));
        }
        key.position(0);
        step("no such key", () -> shown(tx.get(reads, key, value)) + places(key, value));
        List<Step> steps = List.of(() -> put(key, value, 0), () -> put(key, value, 1), () -> put(key, value, 2),
                () -> put(key, value, 3), () -> put(key, value, 4), () -> put(key, value, 5));
        for (Step each : steps) {
            key.position(1).limit(2);
            value.position(0).limit(1);
            step("write", each);
        }
        key.position(1);
        step("mixed", () -> shown(tx.get(reads, key, other)));
        step("mixed put", () -> put(key, other, 0));
        step("mixed merge", () -> put(key, other, 2));
    }

    private String put(ByteBuffer key, ByteBuffer value, int how) throws RocksDBException {
        // There is no merge operator: what is merged cannot be read.
        key.put(1, (byte) (how < 2 ? 'a' : 'm'));
        switch (how) {
            case 0 -> tx.put(key, value);
            case 1 -> tx.put(family, key, value);
            case 2 -> tx.merge(key, value);
            case 3 -> tx.merge(family, key, value);
            case 4 -> tx.mergeUntracked(key, value);
            default -> tx.mergeUntracked(family, key, value);
        }
        key.put(1, (byte) 'a');
        return new String(tx.get(reads, b("a")), UTF_8) + places(key, value);
    }

    private void writes() {
        step("counts", this::counts);
        step("untracked", () -> {
            tx.putUntracked(b("u"), b("1"));
            tx.mergeUntracked(b("um"), b("2"));
            tx.putUntracked(family, b("v"), b("3"));
            tx.deleteUntracked(b("v"));
            return new String(tx.get(reads, b("u")), UTF_8) + (tx.get(reads, b("v")) == null);
        });
        step("single delete", () -> {
            tx.put(b("s"), b("1"));
            tx.singleDelete(b("s"));
            tx.put(family, b("t"), b("1"));
            tx.singleDelete(family, b("t"));
            return tx.get(reads, b("s"));
        });
        step("parts", () -> {
            tx.put(new byte[][]{b("p"), b("q")}, new byte[][]{b("1"), b("2")});
            return tx.get(reads, b("pq"));
        });
        step("delete parts", () -> {
            tx.delete(new byte[][]{b("p"), b("q")});
            return tx.get(reads, b("pq"));
        });
        step("counts", this::counts);
        step("assumed", () -> {
            tx.put(family, b("never seen"), b("1"), true);
            return tx.get(reads, b("never seen"));
        });
        step("assumed rightly", () -> {
            tx.put(b("seen"), b("1"));
            tx.put(family, b("seen"), b("2"), true);
            return tx.get(reads, b("seen"));
        });
        step("null", () -> {
            tx.put((byte[]) null, b(""));
            return "put";
        });
        step("log data", () -> {
            tx.putLogData(b("blob"));
            return "put";
        });
        step("unindexed", () -> {
            tx.disableIndexing();
            tx.put(b("hidden"), b("1"));
            tx.enableIndexing();
            return tx.get(reads, b("hidden"));
        });
        step("rebuild", () -> {
            try (WriteBatch batch = new WriteBatch()) {
                batch.put(b("rebuilt"), b("1"));
                tx.rebuildFromWriteBatch(batch);
                return tx.get(reads, b("rebuilt"));
            }
        });
        step("iterate", () -> {
            StringBuilder keys = new StringBuilder();
            try (RocksIterator iterator = tx.getIterator(reads, family)) {
                for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                    keys.append(new String(iterator.key(), UTF_8)).append('=')
                            .append(new String(iterator.value(), UTF_8)).append(' ');
                }
            }
            return keys;
        });
        step("options", () -> {
            tx.setWriteOptions(new WriteOptions().setDisableWAL(true));
            return tx.getWriteOptions().disableWAL();
        });
    }

    private void savePoints() {
        step("no save point", () -> {
            tx.rollbackToSavePoint();
            return "rolled back";
        });
        step("save point", () -> {
            tx.setSavePoint();
            tx.put(b("late"), b("1"));
            tx.putUntracked(b("later"), b("1"));
            tx.rollbackToSavePoint();
            return (tx.get(reads, b("late")) == null) + counts();
        });
    }

    private void lists() {
        step("list", () -> shown(tx.multiGetAsList(reads, List.of(b("a"), b("none")))));
        step("list of families", () -> shown(tx.multiGetAsList(reads, List.of(family, family), List.of(b("a"),
                b("u")))));
        step("too few families", () -> tx.multiGetAsList(reads, List.of(family), List.of(b("a"), b("b"))));
        step("no keys", () -> tx.multiGetAsList(reads, List.of()));
        step("for update", () -> shown(tx.multiGetForUpdateAsList(reads, List.of(b("a"), b("none")))));
    }

    private void merges() {
        step("merge", () -> {
            tx.merge(b("a"), b("6"));
            tx.mergeUntracked(b("a"), b("7"));
            tx.merge(family, b("new"), b("8"));
            return tx.get(reads, b("a"));
        });
        step("merged iterator", () -> {
            try (RocksIterator iterator = tx.getIterator(reads)) {
                iterator.seekToFirst();
                return iterator.value();
            }
        });
        step("merged commit", () -> {
            tx.commit();
            return new String(db.get(b("a")), UTF_8) + new String(db.get(b("new")), UTF_8);
        });
        tx.close();
    }

    private void views() {
        step("batch", () -> {
            WriteBatchWithIndex batch = tx.getWriteBatch();
            int before = batch.count();
            tx.put(b("viewed"), b("1"));
            try (DBOptions options = new DBOptions(); WriteBatch copy = batch.getWriteBatch()) {
                return batch.isOwningHandle() + " " + (batch.count() - before) + " "
                        + new String(batch.getFromBatch(options, b("viewed")), UTF_8) + " "
                        + new String(batch.getFromBatchAndDB(db, reads, b("a")), UTF_8) + " " + copy.hasPut();
            }
        });
        step("iterator over the batch", () -> {
            StringBuilder keys = new StringBuilder();
            try (RocksIterator iterator = tx.getWriteBatch().newIteratorWithBase(db.newIterator())) {
                for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                    keys.append(new String(iterator.key(), UTF_8)).append(' ');
                }
            }
            return keys;
        });
        step("no snapshot", () -> {
            tx.clearSnapshot();
            return tx.getSnapshot();
        });
        step("snapshot", () -> {
            tx.setSnapshot();
            try (ReadOptions then = new ReadOptions().setSnapshot(tx.getSnapshot());
                    RocksIterator iterator = tx.getIterator(then)) {
                db.put(b("then"), b("1"));
                iterator.seek(b("then"));
                return tx.getSnapshot().isOwningHandle() + shown(tx.multiGetAsList(then, List.of(b("then"), b("a"))))
                        + (tx.get(then, b("then")) == null) + (db.get(then, b("then")) == null)
                        + (db.get(b("then")) == null) + new String(iterator.key(), UTF_8);
            }
        });
        step("snapshot of a save point", () -> {
            long first = tx.getSnapshot().getSequenceNumber();
            tx.setSavePoint();
            db.put(b("then"), b("2"));
            tx.setSnapshot();
            long second = tx.getSnapshot().getSequenceNumber();
            tx.rollbackToSavePoint();
            return (second > first) + " " + (tx.getSnapshot().getSequenceNumber() == first);
        });
        step("snapshot of the next write", () -> {
            tx.clearSnapshot();
            tx.setSnapshotOnNextOperation();
            boolean none = tx.getSnapshot() == null;
            tx.put(b("next"), b("1"));
            return none + " " + (tx.getSnapshot() == null);
        });
        step("snapshot after the transaction", () -> {
            tx.setSnapshot();
            try (Transaction other = begin(db, writes)) {
                other.setSnapshot();
                other.put(b("ended"), b("1"));
                other.commit();
                boolean none = other.getSnapshot() == null;
                other.rollback();
                return none + " " + (other.getSnapshot() == null);
            }
        });
        tx.clearSnapshot();
    }

    private void conflicts() {
        step("changed after the snapshot", () -> {
            tx.setSnapshot();
            db.put(b("changed"), b("1"));
            tx.put(b("changed"), b("2"));
            return "put";
        });
        step("cleared", () -> {
            tx.clearSnapshot();
            tx.setSnapshotOnNextOperation();
            tx.put(b("unchanged"), b("2"));
            tx.clearSnapshot();
            return "put";
        });
        step("other transaction", () -> {
            try (Transaction other = begin(db, writes)) {
                other.setLockTimeout(5);
                other.put(b("a"), b("2"));
                other.rollback();
                return "put";
            }
        });
    }

    private void names() {
        step("empty name", () -> named(""));
        step("name", () -> named("one"));
        step("other name", () -> named("two"));
        step("prepare", () -> {
            tx.prepare();
            return tx.getState();
        });
        step("commit", () -> {
            tx.commit();
            return tx.getState() + counts();
        });
        step("commit twice", () -> {
            tx.commit();
            return tx.getState();
        });
        step("roll back", () -> {
            tx.rollback();
            return tx.getState();
        });
        step("written", () -> db.get(b("u")));
    }

    private String named(String name) throws RocksDBException {
        tx.setName(name);
        return tx.getName();
    }

    private void again() {
        step("again", () -> {
            Transaction next = db instanceof TransactionDB locking
                    ? locking.beginTransaction(writes, tx)
                    : ((OptimisticTransactionDB) db).beginTransaction(writes, tx);
            return next.equals(tx);
        });
        step("begun", () -> tx.getState() + "[" + tx.getName() + "]" + counts());
        step("conflict at commit", () -> {
            tx.put(b("x"), b("1"));
            if (db instanceof OptimisticTransactionDB) {
                db.put(b("x"), b("2"));
            }
            tx.commit();
            return tx.getState();
        });
        step("closed", () -> {
            tx.close();
            return tx.isOwningHandle();
        });
    }

    private String counts() {
        return tx.getNumKeys() + " " + tx.getNumPuts() + " " + tx.getNumDeletes() + " " + tx.getNumMerges();
    }

    private static ByteBuffer buffer(boolean direct, int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    private static String places(ByteBuffer key, ByteBuffer value) {
        return " " + key.position() + "/" + key.limit() + " " + value.position() + "/" + value.limit();
    }

    private static String shown(GetStatus status) {
        return status.status.getCode() + " " + status.requiredSize;
    }

    private static String shown(List<byte[]> values) {
        return values.stream().map(value -> value == null ? "null" : new String(value, UTF_8)).toList().toString();
    }

    private static void step(String name, Step step) {
        String result;
        try {
            Object value = step.run();
            result = value instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(value);
        } catch (RocksDBException e) {
            result = "RocksDBException " + (e.getStatus() == null
                    ? e.getMessage()
                    : e.getStatus().getCode() + " " + e.getStatus().getSubCode() + " " + e.getStatus().getState());
        } catch (Exception | AssertionError e) {
            result = e.getClass().getName();
        }
        print(name + ": " + result);
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    private static void print(String line) {
        LINES.put("%03d %s".formatted(LINES.size(), line.replaceAll(":.*", "")), line);
    }
}
