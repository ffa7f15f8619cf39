package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdbjni.FailingComparator.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A thread of {@link FailingComparators} that uses a database at random, with keys of its own. */
final class FailingUser {
    static final int KEYS = 300;

    final int number;
    private final FailingDatabase database;
    private final Random random;
    private final FailingFiles files;
    private int family;
    private FailingModel model;
    private int values;

    FailingUser(FailingDatabase database, int number, Random random) {
        this.database = database;
        this.number = number;
        this.random = random;
        this.files = new FailingFiles(this, database, random);
        this.model = database.models.getFirst().get(number);
    }

    interface Call {
        void run() throws RocksDBException;
    }

    /** Whether it has returned. */
    boolean call(Call call) {
        try {
            call.run();
            return true;
        } catch (RocksDBException e) {
            boolean isBusy = e.getStatus() != null && switch (e.getStatus().getCode()) {
                // A compaction that changes the level pauses those of other threads, which are then incomplete.
                case Busy, TimedOut, TryAgain, Expired, Incomplete -> true;
                default -> false;
            };
            if (isBusy) {
                database.say(e);
            } else if (database.fault.mayRefuse()) {
                database.refuse(e);
            } else {
                throw new AssertionError("Refused although nothing is wrong", e);
            }
            return false;
        }
    }

    String key() {
        return key(random.nextInt(KEYS));
    }

    String key(int i) {
        return "k" + number + "%04d".formatted(i);
    }

    String value() {
        return "v" + values++ + "x".repeat(random.nextInt(random.nextInt(10) == 0 ? 600 : 60));
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** The writes that were acknowledged to this thread in the column family of this step. */
    FailingModel model() {
        return model;
    }

    /** The column family of this step. */
    ColumnFamilyHandle handle() {
        return database.handles.get(family);
    }

    byte[] familyName() {
        return database.families.get(family).getName();
    }

    void run(int steps, boolean isLast) throws Exception {
        int afterwards = 60;
        for (int step = 0; step < steps && afterwards > 0; step++) {
            if (isLast && step == steps * 3 / 4) {
                database.fault.begin();
            }
            if (database.isDown()) {
                afterwards--;
            }
            family = random.nextInt(database.families.size());
            model = database.models.get(family).get(number);
            step();
        }
    }

    private void step() throws IOException {
        RocksDB db = database.db();
        WriteOptions write = database.skipsLog && random.nextInt(3) == 0 ? database.notLogged : database.logged;
        int choice = random.nextInt(1000);
        if (choice < 500) {
            String key = key();
            change(key, value(), write, value -> db.put(handle(), write, bytes(key), bytes(value)));
        } else if (choice < 560) {
            String key = key();
            change(key, FailingModel.NONE, write, _ -> db.delete(handle(), write, bytes(key)));
        } else if (choice < 640) {
            merge(db, write);
        } else if (choice < 660) {
            deleteRange(db, write);
        } else if (choice < 760) {
            batch(db, write);
        } else if (choice < 860) {
            read(db);
        } else if (choice < 900) {
            iterate(db);
        } else if (choice < 920) {
            readMalformed(db);
        } else if (choice < 922) {
            if (database.fault.kind == Kind.IS_GIVEN_A_BAD_KEY && database.fault.hasBegun()) {
                call(() -> db.put(handle(), bytes("k"), bytes("bad")));
            }
        } else if (choice < 940) {
            call(() -> db.flush(database.flush, handle()));
        } else if (choice < 950) {
            files.compact(db);
        } else if (choice < 960) {
            files.compactFiles(db);
        } else if (choice < 964) {
            files.deleteFiles(db);
        } else if (choice < 970) {
            files.ingest(db);
        } else if (choice < 976) {
            files.changeLevel(db);
        } else if (choice < 982) {
            // Threads that set options while others flush can hang in RocksDB 11.8.1.
            if (database.threads > 1) {
                return;
            }
            call(() -> db.setOptions(handle(), MutableColumnFamilyOptions.builder()
                    .setLevel0FileNumCompactionTrigger(2 + random.nextInt(4)).build()));
        } else if (choice < 985) {
            files.checkpoint(db);
        }
    }

    private interface Change {
        void apply(String value) throws RocksDBException;
    }

    private void change(String key, String value, WriteOptions write, Change change) {
        model.may(key, value);
        if (call(() -> change.apply(value)) && write.equals(database.logged)) {
            model.is(key, value);
        }
    }

    private void merge(RocksDB db, WriteOptions write) {
        String key = key();
        Set<String> before = model.of(key);
        if (before.size() > 3 || model.isAnything(key)) {
            return;
        }
        String value = value();
        Set<String> after = new HashSet<>();
        before.forEach(each -> after.add(each.equals(FailingModel.NONE) ? value : each + "+" + value));
        boolean isDone = call(() -> db.merge(handle(), write, bytes(key), bytes(value)));
        if (isDone && write.equals(database.logged)) {
            before.clear();
        }
        before.addAll(after);
    }

    private void deleteRange(RocksDB db, WriteOptions write) {
        if (database.kindOfDatabase == 1 || database.kindOfDatabase == 2) {
            return;
        }
        int from = random.nextInt(KEYS);
        int to = Math.min(KEYS, from + 1 + random.nextInt(20));
        // The end does not belong to it.
        String first = database.fault.isReversed ? key(to) : key(from);
        String last = database.fault.isReversed ? key(from) : key(to);
        List<String> keys = new ArrayList<>();
        for (int i = from; i < to; i++) {
            keys.add(key(database.fault.isReversed ? i + 1 : i));
        }
        keys.forEach(key -> model.may(key, FailingModel.NONE));
        if (call(() -> db.deleteRange(handle(), write, bytes(first), bytes(last)))
                && write.equals(database.logged)) {
            keys.forEach(key -> model.is(key, FailingModel.NONE));
        }
    }

    private void batch(RocksDB db, WriteOptions write) {
        Map<String, String> changes = new TreeMap<>();
        for (int i = 1 + random.nextInt(20); i > 0; i--) {
            changes.put(key(), random.nextInt(6) == 0 ? FailingModel.NONE : value());
        }
        changes.forEach((key, value) -> model.may(key, value));
        boolean isDone;
        if (db instanceof TransactionDB transactions && random.nextBoolean()) {
            isDone = call(() -> {
                try (Transaction transaction = transactions.beginTransaction(write)) {
                    fill(transaction, changes);
                }
            });
        } else if (db instanceof OptimisticTransactionDB transactions && random.nextBoolean()) {
            isDone = call(() -> {
                try (Transaction transaction = transactions.beginTransaction(write)) {
                    fill(transaction, changes);
                }
            });
        } else {
            isDone = call(() -> {
                try (WriteBatch batch = new WriteBatch()) {
                    for (Map.Entry<String, String> each : changes.entrySet()) {
                        if (each.getValue().equals(FailingModel.NONE)) {
                            batch.delete(handle(), bytes(each.getKey()));
                        } else {
                            batch.put(handle(), bytes(each.getKey()), bytes(each.getValue()));
                        }
                    }
                    db.write(write, batch);
                }
            });
        }
        if (isDone && write.equals(database.logged)) {
            changes.forEach((key, value) -> model.is(key, value));
        }
    }

    private void fill(Transaction transaction, Map<String, String> changes) throws RocksDBException {
        for (Map.Entry<String, String> each : changes.entrySet()) {
            if (each.getValue().equals(FailingModel.NONE)) {
                transaction.delete(handle(), bytes(each.getKey()));
            } else {
                transaction.put(handle(), bytes(each.getKey()), bytes(each.getValue()));
            }
        }
        transaction.commit();
    }

    private void read(RocksDB db) {
        String key = key();
        call(() -> {
            byte[] value = db.get(handle(), bytes(key));
            String got = value == null ? FailingModel.NONE : new String(value, UTF_8);
            if (!database.fault.hasBegun() && !model.allows(key, got) && !database.fault.hasBegun()) {
                throw new AssertionError(key + " is " + got + ", not " + model.of(key));
            }
        });
    }

    private void iterate(RocksDB db) {
        // RocksDB ends the process if the comparator fails while an iterator turns round, which it also does inside of seekForPrev and prev.
        boolean goesBack = random.nextBoolean() && database.fault.shelter();
        try {
            call(() -> {
                try (RocksIterator iterator = db.newIterator(handle())) {
                    if (goesBack && random.nextBoolean()) {
                        iterator.seekForPrev(bytes(key()));
                    } else {
                        iterator.seek(bytes(key()));
                    }
                    for (int i = random.nextInt(100); i > 0 && iterator.isValid(); i--) {
                        if (goesBack && random.nextInt(3) == 0) {
                            iterator.prev();
                        } else {
                            iterator.next();
                        }
                    }
                    iterator.status();
                }
            });
        } finally {
            if (goesBack) {
                database.fault.leave();
            }
        }
    }

    private void readMalformed(RocksDB db) {
        byte[] key = bytes("k1".substring(0, random.nextInt(3)));
        call(() -> {
            if (random.nextBoolean()) {
                db.get(handle(), key);
            } else {
                try (RocksIterator iterator = db.newIterator(handle())) {
                    iterator.seek(key);
                }
            }
        });
    }
}
