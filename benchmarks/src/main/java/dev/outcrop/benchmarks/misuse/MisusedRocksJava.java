package dev.outcrop.benchmarks.misuse;

import dev.outcrop.benchmarks.misuse.Mistake.Use;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
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
import org.rocksdb.SstFileWriter;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Mistakes with {@code rocksdbjni}. Options are never closed, so that nothing else goes wrong. */
@SuppressWarnings("resource") // closing at the wrong time is the subject
final class MisusedRocksJava implements MisusedLibrary {
    private final Options options = new Options().setCreateIfMissing(true);
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteOptions writeOptions = new WriteOptions();

    @Override
    public @Nullable Steps prepare(Mistake mistake, Path directory) throws RocksDBException, IOException {
        RocksDB db = switch (mistake.use()) {
            case COMMIT_OPTIMISTIC -> OptimisticTransactionDB.open(options, directory.toString());
            case BEGIN, PUT_INTO_TRANSACTION, COMMIT, CLOSE_TRANSACTION, NEXT_IN_TRANSACTION ->
                TransactionDB.open(options, new TransactionDBOptions(), directory.toString());
            default -> RocksDB.open(options, directory.toString());
        };
        fill(db);
        Steps steps = steps(mistake.use(), db, directory.resolveSibling("beside").toString());
        return mistake.closesDatabase() && steps != null ? new Steps(db::close, steps.use()) : steps;
    }

    private void fill(RocksDB db) throws RocksDBException {
        for (int i = 0; i < ENTRIES; i++) {
            db.put(MisusedLibrary.key(i), new byte[VALUE_BYTES]);
            if (i == ENTRIES / 2) {
                db.flush(new FlushOptions());
            }
        }
    }

    /** Returns steps that close the used object, or the database if that is used. */
    private @Nullable Steps steps(Use use, RocksDB db, String beside) throws RocksDBException, IOException {
        return switch (use) {
            case GET -> new Steps(db::close, () -> db.get(KEY));
            case GET_INTO_BUFFER -> {
                ByteBuffer key = ByteBuffer.allocateDirect(KEY.length).put(KEY).flip();
                ByteBuffer value = ByteBuffer.allocateDirect(VALUE_BYTES);
                yield new Steps(db::close, () -> db.get(readOptions, key, value));
            }
            case MULTI_GET -> new Steps(db::close, () -> db.multiGetAsList(List.of(KEY, KEY)));
            case PUT -> Steps.of(db::close, () -> db.put(KEY, KEY));
            case DELETE -> Steps.of(db::close, () -> db.delete(KEY));
            case BATCH -> {
                WriteBatch batch = new WriteBatch();
                batch.put(KEY, KEY);
                yield Steps.of(db::close, () -> db.write(writeOptions, batch));
            }
            case FLUSH -> Steps.of(db::close, () -> db.flush(new FlushOptions()));
            case PROPERTY -> new Steps(db::close, () -> db.getProperty("rocksdb.stats"));
            case ITERATE -> new Steps(db::close, () -> iterate(db));
            case SNAPSHOT -> new Steps(db::close, db::getSnapshot);
            case LOG -> new Steps(db::close, () -> db.getUpdatesSince(1));
            case CREATE_FAMILY -> new Steps(db::close, () -> db.createColumnFamily(new ColumnFamilyDescriptor(KEY)));
            case CLOSE_DATABASE -> Steps.of(db::close, db::close);
            case CHECKPOINT -> {
                Checkpoint checkpoint = Checkpoint.create(db);
                yield Steps.of(db::close, () -> checkpoint.createCheckpoint(beside));
            }
            case BACKUP -> {
                BackupEngine backups = BackupEngine.open(Env.getDefault(), backupOptions(beside));
                yield Steps.of(backups::close, () -> backups.createNewBackup(db));
            }
            case GET_FROM_FAMILY -> {
                ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(KEY));
                db.put(family, KEY, KEY);
                yield new Steps(() -> {
                    db.dropColumnFamily(family);
                    family.close();
                }, () -> db.get(family, KEY));
            }
            case GET_FROM_INDEXED_BATCH -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
                batch.put(KEY, KEY);
                yield new Steps(db::close, () -> batch.getFromBatchAndDB(db, readOptions, OTHER_KEY));
            }
            case PUT_INTO_INDEXED_BATCH -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
                yield Steps.of(batch::close, () -> batch.put(KEY, KEY));
            }
            case PUT_INTO_TABLE -> {
                SstFileWriter writer = new SstFileWriter(new EnvOptions(), options);
                writer.open(beside);
                writer.put(KEY, KEY);
                yield Steps.of(writer::close, () -> writer.put(OTHER_KEY, KEY));
            }
            case NEXT_OF_LOG -> {
                TransactionLogIterator log = db.getUpdatesSince(1);
                yield new Steps(log::close, () -> {
                    log.next();
                    return log.isValid() ? log.getBatch().sequenceNumber() : "no entry";
                });
            }
            // Values are always copied.
            case READ_VALUE -> null;
            case GET_AT_SNAPSHOT, NUMBER_OF_SNAPSHOT, CLOSE_SNAPSHOT -> withSnapshot(use, db);
            case NEXT, SEEK_AND_NEXT, KEY, CLOSE_ITERATOR -> withIterator(use, db);
            case BEGIN -> new Steps(db::close, () -> ((TransactionDB) db).beginTransaction(writeOptions));
            default -> inTransaction(use, db instanceof TransactionDB pessimistic
                    ? pessimistic.beginTransaction(writeOptions)
                    : ((OptimisticTransactionDB) db).beginTransaction(writeOptions));
        };
    }

    private static Object iterate(RocksDB db) {
        try (RocksIterator entries = db.newIterator()) {
            entries.seekToFirst();
            return next(entries);
        }
    }

    private static Object next(RocksIterator entries) {
        entries.next();
        return entries.isValid() ? entries.key() : "no entry";
    }

    private static BackupEngineOptions backupOptions(String directory) throws IOException {
        // BackupEngineOptions needs an existing directory.
        Files.createDirectories(Path.of(directory));
        return new BackupEngineOptions(directory);
    }

    private static Steps withSnapshot(Use use, RocksDB db) {
        Snapshot snapshot = db.getSnapshot();
        ReadOptions atSnapshot = new ReadOptions().setSnapshot(snapshot);
        Step release = () -> db.releaseSnapshot(snapshot);
        return switch (use) {
            case GET_AT_SNAPSHOT -> new Steps(release, () -> db.get(atSnapshot, KEY));
            case NUMBER_OF_SNAPSHOT -> new Steps(release, snapshot::getSequenceNumber);
            default -> Steps.of(release, release);
        };
    }

    private static Steps withIterator(Use use, RocksDB db) {
        RocksIterator entries = db.newIterator();
        entries.seekToFirst();
        return switch (use) {
            case NEXT -> new Steps(entries::close, () -> next(entries));
            case SEEK_AND_NEXT -> new Steps(entries::close, () -> {
                entries.seekToFirst();
                return next(entries);
            });
            case KEY -> new Steps(entries::close, entries::key);
            default -> Steps.of(entries::close, entries::close);
        };
    }

    private Steps inTransaction(Use use, Transaction transaction) throws RocksDBException {
        transaction.put(KEY, KEY);
        return switch (use) {
            case COMMIT, COMMIT_OPTIMISTIC -> Steps.of(transaction::close, transaction::commit);
            case CLOSE_TRANSACTION -> Steps.of(transaction::close, transaction::close);
            case NEXT_IN_TRANSACTION -> {
                RocksIterator entries = transaction.getIterator(readOptions);
                entries.seekToFirst();
                yield new Steps(transaction::close, () -> next(entries));
            }
            default -> Steps.of(transaction::close, () -> transaction.put(OTHER_KEY, KEY));
        };
    }

    @Override
    public void doSomethingElse(Path directory) throws RocksDBException {
        try (RocksDB db = RocksDB.open(options, directory.toString()); RocksIterator entries = db.newIterator()) {
            fill(db);
            entries.seekToFirst();
        }
    }
}
