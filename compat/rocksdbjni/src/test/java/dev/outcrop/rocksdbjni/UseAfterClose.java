package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.CompactionJobStats;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Uses closed objects in all ways of docs/use-after-close.md, and prints the results. Arguments: a directory. */
@NullUnmarked // null is an argument and a result like any other here
@SuppressWarnings("resource") // closing at the wrong time is what this is about
final class UseAfterClose {

    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);
    private static final int USES = 2_000;

    /** A mistake. */
    private record Mistake(AutoCloseable closed, Callable<?> use) {
    }

    /** Gets one ready. */
    private interface Preparation {
        Mistake prepare(RocksDB db) throws Exception;
    }

    private final Map<String, Preparation> mistakes = new LinkedHashMap<>();
    private final ReadOptions read = new ReadOptions();
    private final WriteOptions write = new WriteOptions();

    private final Path directory;
    private final AtomicInteger fresh = new AtomicInteger();

    private UseAfterClose(Path directory) {
        this.directory = directory;
        addFilesAndTransactions();
        onDatabase("get", db -> db.get(KEY));
        onDatabase("get into a buffer",
                db -> db.get(read, ByteBuffer.allocateDirect(3).put(KEY).flip(), ByteBuffer.allocateDirect(10)));
        onDatabase("multiGetAsList", db -> db.multiGetAsList(List.of(KEY, KEY)));
        onDatabase("keyMayExist", db -> db.keyMayExist(KEY, null));
        onDatabase("put", db -> {
            db.put(KEY, KEY);
            return null;
        });
        onDatabase("delete", db -> {
            db.delete(KEY);
            return null;
        });
        onDatabase("write", db -> {
            try (WriteBatch batch = new WriteBatch()) {
                batch.put(KEY, KEY);
                db.write(write, batch);
            }
            return null;
        });
        onDatabase("flush", db -> {
            db.flush(new FlushOptions());
            return null;
        });
        onDatabase("getProperty", db -> db.getProperty("rocksdb.stats"));
        onDatabase("newIterator", RocksDB::newIterator);
        onDatabase("getSnapshot", RocksDB::getSnapshot);
        onDatabase("getUpdatesSince", db -> db.getUpdatesSince(1));
        onDatabase("createColumnFamily", db -> db.createColumnFamily(new ColumnFamilyDescriptor(KEY)));
        mistakes.put("get from a family of a closed database", db -> {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(KEY));
            return new Mistake(db, () -> db.get(family, KEY));
        });
        mistakes.put("get from a closed family", db -> {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(KEY));
            return new Mistake(family, () -> db.get(family, KEY));
        });
        mistakes.put("next of an iterator of a closed database", db -> new Mistake(db, next(db)));
        mistakes.put("next of a closed iterator", db -> {
            RocksIterator entries = db.newIterator();
            entries.seekToFirst();
            return new Mistake(entries, next(entries));
        });
        mistakes.put("key of a closed iterator", db -> {
            RocksIterator entries = db.newIterator();
            entries.seekToFirst();
            return new Mistake(entries, entries::key);
        });
        mistakes.put("get at a snapshot of a closed database", db -> {
            Snapshot snapshot = db.getSnapshot();
            return new Mistake(db, () -> db.get(new ReadOptions().setSnapshot(snapshot), KEY));
        });
        mistakes.put("get with closed options", db -> {
            ReadOptions options = new ReadOptions();
            return new Mistake(options, () -> db.get(options, KEY));
        });
        mistakes.put("get from an indexed batch and a closed database", db -> {
            WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
            return new Mistake(db, () -> batch.getFromBatchAndDB(db, read, KEY));
        });
        mistakes.put("put into a closed indexed batch", db -> {
            WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
            return new Mistake(batch, () -> {
                batch.put(KEY, KEY);
                return null;
            });
        });
        mistakes.put("put into a closed batch", db -> {
            WriteBatch batch = new WriteBatch();
            return new Mistake(batch, () -> {
                batch.put(KEY, KEY);
                return null;
            });
        });
    }

    /** Calls beyond a database and its entries. */
    private void addFilesAndTransactions() {
        onDatabase("checkpoint", db -> {
            try (Checkpoint checkpoint = Checkpoint.create(db)) {
                checkpoint.createCheckpoint(fresh("checkpoint"));
            }
            return null;
        });
        mistakes.put("checkpoint with a closed checkpoint", db -> {
            Checkpoint checkpoint = Checkpoint.create(db);
            return new Mistake(checkpoint, () -> {
                checkpoint.createCheckpoint(fresh("checkpoint"));
                return null;
            });
        });
        mistakes.put("checkpoint made before its database was closed", db -> {
            Checkpoint checkpoint = Checkpoint.create(db);
            return new Mistake(db, () -> {
                checkpoint.createCheckpoint(fresh("checkpoint"));
                return null;
            });
        });
        mistakes.put("backup of a closed database", db -> {
            BackupEngine engine = engine();
            return new Mistake(db, () -> {
                engine.createNewBackup(db);
                return null;
            });
        });
        mistakes.put("backup with a closed engine", db -> {
            BackupEngine engine = engine();
            return new Mistake(engine, () -> {
                engine.createNewBackup(db);
                return null;
            });
        });
        mistakes.put("go on with the log of a closed database", db -> {
            TransactionLogIterator log = db.getUpdatesSince(1);
            return new Mistake(db, log::isValid);
        });
        mistakes.put("go on with a closed log", db -> {
            TransactionLogIterator log = db.getUpdatesSince(1);
            return new Mistake(log, log::isValid);
        });
        mistakes.put("put into a closed table file writer", _ -> {
            SstFileWriter writer = new SstFileWriter(new EnvOptions(), new Options());
            writer.open(fresh("table"));
            AtomicInteger keys = new AtomicInteger();
            return new Mistake(writer, () -> {
                writer.put(String.format("%09d", keys.getAndIncrement()).getBytes(StandardCharsets.UTF_8), KEY);
                return null;
            });
        });
        addReaders();
        addCallbacks();
        for (boolean optimistic : new boolean[]{false, true}) {
            String kind = optimistic ? "optimistic transaction" : "transaction";
            onTransaction("begin a " + kind + " of a closed database", optimistic, true, (db, _) -> begin(db).close());
            onTransaction("put into a " + kind + " whose database is closed", optimistic, true,
                    (_, transaction) -> transaction.put(KEY, KEY));
            onTransaction("commit a " + kind + " whose database is closed", optimistic, true,
                    (_, transaction) -> transaction.commit());
            onTransaction("put into a closed " + kind, optimistic, false,
                    (_, transaction) -> transaction.put(KEY, KEY));
            onTransaction("commit a closed " + kind, optimistic, false, (_, transaction) -> transaction.commit());
            onTransaction("unlock a key of a closed " + kind, optimistic, false,
                    (_, transaction) -> transaction.undoGetForUpdate(KEY));
            onTransaction("ask what a closed " + kind + " waits for", optimistic, false,
                    (_, transaction) -> transaction.getWaitingTxns());
            onTransaction("count what the commit writes of a " + kind + " whose database is closed", optimistic, true,
                    (_, transaction) -> transaction.getCommitTimeWriteBatch().count());
            onTransaction("iterate over a closed " + kind, optimistic, false,
                    (_, transaction) -> transaction.getIterator(read).close());
        }
    }

    private void addReaders() {
        mistakes.put("verify with a closed table file reader", _ -> {
            SstFileReader reader = reader();
            return new Mistake(reader, () -> {
                reader.verifyChecksum();
                return null;
            });
        });
        mistakes.put("next of an iterator of a closed table file reader", _ -> {
            SstFileReader reader = reader();
            SstFileReaderIterator entries = reader.newIterator(read);
            return new Mistake(reader, () -> {
                entries.seekToFirst();
                entries.next();
                return null;
            });
        });
        mistakes.put("key of a closed iterator of a table file reader", _ -> {
            SstFileReaderIterator entries = reader().newIterator(read);
            entries.seekToFirst();
            return new Mistake(entries, entries::key);
        });
        for (boolean closesBatch : new boolean[]{false, true}) {
            mistakes.put(
                    "record of " + (closesBatch ? "an iterator of a closed batch" : "a closed iterator of a batch"),
                    _ -> {
                        WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
                        batch.put(KEY, KEY);
                        WBWIRocksIterator records = batch.newIterator();
                        records.seekToFirst();
                        return new Mistake(closesBatch ? batch : records, records::entry);
                    });
        }
        mistakes.put("next over a closed batch and another one", db -> {
            WriteBatchWithIndex closed = new WriteBatchWithIndex(true);
            closed.put(KEY, KEY);
            RocksIterator entries = new WriteBatchWithIndex(true)
                    .newIteratorWithBase(closed.newIteratorWithBase(db.newIterator()));
            return new Mistake(closed, next(entries));
        });
    }

    private SstFileReader reader() throws RocksDBException {
        String path = fresh("table");
        try (EnvOptions environment = new EnvOptions();
                Options options = new Options();
                SstFileWriter writer = new SstFileWriter(environment, options)) {
            writer.open(path);
            writer.put(KEY, KEY);
            writer.finish();
            SstFileReader reader = new SstFileReader(options);
            reader.open(path);
            return reader;
        }
    }

    /** Callbacks and information from RocksDB. */
    private void addCallbacks() {
        mistakes.put("read a closed CompactionJobInfo", _ -> {
            CompactionJobInfo info = new CompactionJobInfo();
            return new Mistake(info, info::stats);
        });
        mistakes.put("add to closed CompactionJobStats", _ -> {
            CompactionJobStats stats = new CompactionJobStats();
            return new Mistake(stats, () -> {
                stats.add(new CompactionJobStats());
                return null;
            });
        });
        mistakes.put("give options a closed listener", _ -> {
            AbstractEventListener listener = new AbstractEventListener() {
            };
            return new Mistake(listener, () -> withOptions(options -> options.setListeners(List.of(listener))));
        });
        mistakes.put("give options a closed compaction filter factory", _ -> {
            Filters.Factory factory = new Filters.Factory();
            return new Mistake(factory, () -> withOptions(options -> options.setCompactionFilterFactory(factory)));
        });
        mistakes.put("give options a closed WAL filter", _ -> {
            Filters.OfLog filter = new Filters.OfLog();
            return new Mistake(filter, () -> withOptions(options -> options.setWalFilter(filter)));
        });
        mistakes.put("give read options a closed table filter", _ -> {
            Filters.OfTables filter = new Filters.OfTables();
            return new Mistake(filter, () -> {
                try (ReadOptions options = new ReadOptions()) {
                    return options.setTableFilter(filter);
                }
            });
        });
    }

    private static Object withOptions(UnaryOperator<Options> use) {
        try (Options options = new Options()) {
            return use.apply(options);
        }
    }

    /** A use of a transaction or its database. */
    private interface TransactionUse {
        void make(RocksDB db, Transaction transaction) throws Exception;
    }

    private void onTransaction(String name, boolean optimistic, boolean closesDatabase, TransactionUse use) {
        mistakes.put(name, _ -> {
            Options options = new Options().setCreateIfMissing(true).setAllowFAllocate(false);
            RocksDB db = optimistic
                    ? OptimisticTransactionDB.open(options, fresh("transactions"))
                    : TransactionDB.open(options, new TransactionDBOptions(), fresh("transactions"));
            Transaction transaction = begin(db);
            transaction.put(KEY, KEY);
            return new Mistake(closesDatabase ? db : transaction, () -> {
                use.make(db, transaction);
                return null;
            });
        });
    }

    private Transaction begin(RocksDB db) {
        return db instanceof OptimisticTransactionDB optimistic
                ? optimistic.beginTransaction(write)
                : ((TransactionDB) db).beginTransaction(write);
    }

    private BackupEngine engine() throws Exception {
        String path = fresh("backups");
        Files.createDirectories(Path.of(path));
        return BackupEngine.open(Env.getDefault(), new BackupEngineOptions(path));
    }

    private String fresh(String name) {
        return directory.resolve(name + fresh.getAndIncrement()).toString();
    }

    /** A use of a database. */
    private interface Use {
        Object make(RocksDB db) throws Exception;
    }

    private void onDatabase(String name, Use use) {
        mistakes.put(name + " of a closed database", db -> new Mistake(db, () -> {
            Object made = use.make(db);
            if (made instanceof AutoCloseable closeable && !(made instanceof Snapshot)) {
                closeable.close();
            }
            return null;
        }));
    }

    private static Callable<?> next(RocksDB db) {
        RocksIterator entries = db.newIterator();
        entries.seekToFirst();
        return next(entries);
    }

    private static Callable<?> next(RocksIterator entries) {
        return () -> {
            entries.seekToFirst();
            entries.next();
            return null;
        };
    }

    public static void main(String[] args) throws Exception {
        RocksDB.loadLibrary();
        Path directory = Path.of(args[0]);
        UseAfterClose all = new UseAfterClose(directory);
        int number = 0;
        for (Map.Entry<String, Preparation> each : all.mistakes.entrySet()) {
            Path base = Files.createDirectories(directory.resolve(Integer.toString(number++)));
            System.out.println(each.getKey() + "\t" + one(each.getValue(), base.resolve("one")));
            System.out.println(each.getKey() + ", meanwhile\t" + race(each.getValue(), base.resolve("race")));
        }
    }

    private static RocksDB open(Path path) throws Exception {
        RocksDB db = RocksDB.open(new Options().setCreateIfMissing(true).setAllowFAllocate(false), path.toString());
        for (int i = 0; i < 100; i++) {
            db.put(("key" + i).getBytes(StandardCharsets.UTF_8), new byte[500]);
        }
        return db;
    }

    private static String one(Preparation preparation, Path path) throws Exception {
        RocksDB db = open(path);
        // Leaked: nothing else closes it.
        db.newIterator().seekToFirst();
        Mistake mistake = preparation.prepare(db);
        mistake.closed.close();
        if (mistake.closed.equals(db)) {
            requireUnlocked(path);
        }
        mistake.closed.close();
        // Freed memory is used for something else.
        open(path.resolveSibling("other")).close();
        String outcome = outcome(mistake.use);
        db.close();
        requireUnlocked(path);
        return outcome;
    }

    /** Fails if the lock file is still held. */
    private static void requireUnlocked(Path path) throws RocksDBException {
        try (Options options = new Options()) {
            RocksDB.destroyDB(path.toString(), options);
        }
    }

    /** Closed while another thread uses it, until that one is refused. */
    private static String race(Preparation preparation, Path path) throws Exception {
        RocksDB db = open(path);
        Mistake mistake = preparation.prepare(db);
        FutureTask<String> user = new FutureTask<>(() -> {
            String outcome = "";
            for (int i = 0; i < USES && !outcome.startsWith("throws"); i++) {
                outcome = outcome(mistake.use);
                // Creating a family twice is refused anyway.
                outcome = outcome.contains("RocksDBException") ? "" : outcome;
            }
            return outcome;
        });
        Thread.ofPlatform().daemon().start(user);
        Thread.sleep(2);
        mistake.closed.close();
        String outcome = user.get().startsWith("throws") ? user.get() : outcome(mistake.use);
        db.close();
        requireUnlocked(path);
        return outcome;
    }

    private static String outcome(Callable<?> use) {
        try {
            use.call();
            return "returned";
        } catch (Throwable e) {
            return "throws " + e.getClass().getName() + ": " + e.getMessage();
        }
    }
}
