package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.MemTableConfig;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RateLimiter;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TableFormatConfig;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteOptions;

/** Uses objects of which a number was set, and tells what it found. */
@NullUnmarked // null is an argument like any other here
final class NumberUses {
    private static final byte[] VALUE = new byte[100];
    private static final int KEYS = 50;

    private final Path directory;
    private int databases;

    NumberUses(Path directory) {
        this.directory = directory;
    }

    static Options options() {
        // Files that RocksDB makes as long as their greatest size would fill the disk.
        return new Options().setCreateIfMissing(true).setAllowFAllocate(false)
                .setCompressionType(CompressionType.NO_COMPRESSION);
    }

    /** Tells a failure: with its message, unless the published jar has another one. */
    static String failure(Throwable failure) {
        return failure instanceof RocksDBException e && e.getStatus() != null
                ? "RocksDBException " + e.getStatus().getCode()
                : failure.toString();
    }

    String path() {
        return directory.resolve("db" + databases++).toString();
    }

    String open(Options options) throws RocksDBException {
        String path = path();
        String result;
        try (RocksDB db = RocksDB.open(options, path)) {
            result = work(db);
        }
        try (RocksDB db = RocksDB.open(options, path)) {
            return result + ", again " + count(db);
        }
    }

    String open(TransactionDBOptions locking) throws RocksDBException {
        try (Options options = options(); TransactionDB db = TransactionDB.open(options, locking, path())) {
            return work(db);
        }
    }

    String open(TableFormatConfig tables) throws RocksDBException {
        try (Options options = options()) {
            if (tables instanceof PlainTableConfig) {
                options.useFixedLengthPrefixExtractor(3);
            }
            options.setTableFormatConfig(tables);
            return tables instanceof PlainTableConfig ? openWithoutOrder(options) : open(options);
        }
    }

    String open(MemTableConfig memTables) throws RocksDBException {
        try (Options options = options().setAllowConcurrentMemtableWrite(false).useFixedLengthPrefixExtractor(3)) {
            options.setMemTableConfig(memTables);
            return openWithoutOrder(options);
        }
    }

    /** For limits at which a flush takes hours. */
    String openWithoutFlush(Options options) throws RocksDBException {
        try (RocksDB db = RocksDB.open(options, path())) {
            put(db);
            return found(db) + ", not flushed";
        }
    }

    /** For tables that do not keep keys of all prefixes in order. */
    String openWithoutOrder(Options options) throws RocksDBException {
        try (RocksDB db = RocksDB.open(options, path())) {
            put(db);
            int before = found(db);
            flush(db);
            return before + ", flushed " + found(db);
        }
    }

    /** Changes the options of an open database. */
    interface Change {
        void of(RocksDB db) throws RocksDBException;
    }

    String change(Change change) throws RocksDBException {
        try (Options options = options(); RocksDB db = RocksDB.open(options, path())) {
            put(db);
            change.of(db);
            return work(db);
        }
    }

    String cache(Cache made) throws RocksDBException {
        try (Cache cache = made) {
            return open(new BlockBasedTableConfig().setBlockCache(cache)) + " " + (cache.getUsage() >= 0);
        }
    }

    String limit(RateLimiter made) throws RocksDBException {
        try (RateLimiter limiter = made; Options options = options().setRateLimiter(limiter)) {
            long rate = limiter.getBytesPerSecond();
            return rate + " " + limiter.getSingleBurstBytes() + "; "
                    + (rate >= 0 && rate < 1000 ? openWithoutFlush(options) : open(options));
        }
    }

    String read(ReadOptions options) throws RocksDBException {
        try (Options databaseOptions = options(); RocksDB db = RocksDB.open(databaseOptions, path())) {
            put(db);
            flush(db);
            put(db);
            List<String> read = new ArrayList<>();
            for (boolean isFlushed : new boolean[]{false, true}) {
                try (RocksIterator iterator = db.newIterator(options)) {
                    int count = 0;
                    for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                        count++;
                    }
                    read.add(count + " ");
                    iterator.status();
                } catch (RocksDBException e) {
                    read.add(failure(e));
                }
                try {
                    read.add(db.get(options, key(7)).length + " " + db.multiGetAsList(options,
                            List.of(key(3), key(4))).size());
                } catch (RocksDBException e) {
                    read.add(failure(e));
                }
                if (!isFlushed) {
                    flush(db);
                }
            }
            return String.join(" ", read);
        }
    }

    String compact(CompactRangeOptions options) throws RocksDBException {
        try (Options databaseOptions = options(); RocksDB db = RocksDB.open(databaseOptions, path())) {
            put(db);
            flush(db);
            put(db);
            db.compactRange(null, null, null, options);
            return "" + count(db);
        }
    }

    String backUp(BackupEngineOptions options) throws RocksDBException {
        try (Options databaseOptions = options();
                RocksDB db = RocksDB.open(databaseOptions, path());
                BackupEngine engine = BackupEngine.open(Env.getDefault(), options)) {
            put(db);
            flush(db);
            engine.createNewBackup(db);
            engine.purgeOldBackups(1);
            return "" + engine.getBackupInfo().size();
        }
    }

    String transact(TransactionOptions options) throws RocksDBException {
        try (Options databaseOptions = options();
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions writing = new WriteOptions();
                TransactionDB db = TransactionDB.open(databaseOptions, locking, path());
                TransactionOptions quick = new TransactionOptions().setLockTimeout(10);
                Transaction holder = db.beginTransaction(writing, quick);
                Transaction transaction = db.beginTransaction(writing, options)) {
            List<String> results = new ArrayList<>();
            holder.put(key(1), VALUE);
            for (int key = 0; key < 2; key++) {
                try {
                    if (key == 0 || options.getLockTimeout() >= 0) {
                        transaction.put(key(key), VALUE);
                    }
                    results.add("put");
                } catch (RocksDBException e) {
                    results.add(failure(e));
                }
            }
            try {
                transaction.commit();
                results.add("committed");
            } catch (RocksDBException e) {
                results.add(failure(e));
            }
            return results + " " + count(db);
        }
    }

    String write(EnvOptions environment) throws RocksDBException {
        try (Options options = options(); SstFileWriter writer = new SstFileWriter(environment, options)) {
            writer.open(directory.resolve("file.sst").toString());
            for (int i = 0; i < KEYS; i++) {
                writer.put(key(i), VALUE);
            }
            writer.finish();
            try (RocksDB db = RocksDB.open(options, path());
                    IngestExternalFileOptions ingest = new IngestExternalFileOptions()) {
                db.ingestExternalFile(List.of(directory.resolve("file.sst").toString()), ingest);
                return "" + count(db);
            }
        }
    }

    static String work(RocksDB db) throws RocksDBException {
        put(db);
        flush(db);
        put(db);
        db.delete(key(0));
        db.compactRange();
        return count(db) + " " + found(db);
    }

    private static void put(RocksDB db) throws RocksDBException {
        for (int i = 0; i < KEYS; i++) {
            db.put(key(i), VALUE);
        }
    }

    private static void flush(RocksDB db) throws RocksDBException {
        try (FlushOptions options = new FlushOptions()) {
            db.flush(options);
        }
    }

    private static int count(RocksDB db) {
        int count = 0;
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                count++;
            }
        }
        return count;
    }

    private static int found(RocksDB db) throws RocksDBException {
        int found = 0;
        for (int i = 0; i < KEYS; i++) {
            found += db.get(key(i)) == null ? 0 : 1;
        }
        return found;
    }

    private static byte[] key(int i) {
        return ("key" + (100 + i)).getBytes(UTF_8);
    }
}
