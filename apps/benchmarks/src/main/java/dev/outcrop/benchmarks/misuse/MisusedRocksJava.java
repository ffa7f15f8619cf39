package dev.outcrop.benchmarks.misuse;

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
        RocksDB db;
        if (mistake == Mistake.COMMIT_OPTIMISTIC_TRANSACTION_OF_CLOSED_DATABASE) {
            db = OptimisticTransactionDB.open(options, directory.toString());
        } else {
            db = mistake.isInTransaction()
                    ? TransactionDB.open(options, new TransactionDBOptions(), directory.toString())
                    : RocksDB.open(options, directory.toString());
        }
        fill(db);
        Steps steps = steps(mistake, db, directory.resolveSibling("beside").toString());
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

    /** Returns steps that close the used object, or the database if the database is used. */
    private @Nullable Steps steps(Mistake mistake, RocksDB db, String beside) throws RocksDBException, IOException {
        return switch (mistake) {
            case GET_FROM_CLOSED_DATABASE, RACE_OF_GET -> new Steps(db::close, () -> db.get(KEY));
            case GET_INTO_BUFFER_FROM_CLOSED_DATABASE -> {
                ByteBuffer key = ByteBuffer.allocateDirect(KEY.length).put(KEY).flip();
                ByteBuffer value = ByteBuffer.allocateDirect(VALUE_BYTES);
                yield new Steps(db::close, () -> db.get(readOptions, key, value));
            }
            case MULTI_GET_FROM_CLOSED_DATABASE -> new Steps(db::close, () -> db.multiGetAsList(List.of(KEY, KEY)));
            case PUT_INTO_CLOSED_DATABASE, RACE_OF_PUT -> Steps.of(db::close, () -> db.put(KEY, KEY));
            case DELETE_FROM_CLOSED_DATABASE -> Steps.of(db::close, () -> db.delete(KEY));
            case BATCH_TO_CLOSED_DATABASE -> {
                WriteBatch batch = new WriteBatch();
                batch.put(KEY, KEY);
                yield Steps.of(db::close, () -> db.write(writeOptions, batch));
            }
            case FLUSH_CLOSED_DATABASE -> Steps.of(db::close, () -> db.flush(new FlushOptions()));
            case PROPERTY_OF_CLOSED_DATABASE -> new Steps(db::close, () -> db.getProperty("rocksdb.stats"));
            case ITERATE_OVER_CLOSED_DATABASE, RACE_OF_ITERATION -> new Steps(db::close, () -> iterate(db));
            case SNAPSHOT_OF_CLOSED_DATABASE -> new Steps(db::close, db::getSnapshot);
            case LOG_OF_CLOSED_DATABASE -> new Steps(db::close, () -> db.getUpdatesSince(1));
            case FAMILY_IN_CLOSED_DATABASE ->
                new Steps(db::close, () -> db.createColumnFamily(new ColumnFamilyDescriptor(KEY)));
            case CLOSE_DATABASE_TWICE -> Steps.of(db::close, db::close);
            case CHECKPOINT_OF_CLOSED_DATABASE -> {
                Checkpoint checkpoint = Checkpoint.create(db);
                yield Steps.of(db::close, () -> checkpoint.createCheckpoint(beside));
            }
            case BACKUP_OF_CLOSED_DATABASE, CREATE_WITH_CLOSED_BACKUP_ENGINE -> {
                BackupEngine backups = BackupEngine.open(Env.getDefault(), backupOptions(beside));
                yield Steps.of(backups::close, () -> backups.createNewBackup(db));
            }
            case GET_FROM_FAMILY_OF_CLOSED_DATABASE, GET_FROM_CLOSED_FAMILY -> {
                ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(KEY));
                db.put(family, KEY, KEY);
                yield new Steps(() -> {
                    db.dropColumnFamily(family);
                    family.close();
                }, () -> db.get(family, KEY));
            }
            case INDEXED_BATCH_WITH_CLOSED_DATABASE -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
                batch.put(KEY, KEY);
                yield new Steps(db::close, () -> batch.getFromBatchAndDB(db, readOptions, OTHER_KEY));
            }
            case PUT_INTO_CLOSED_INDEXED_BATCH -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
                yield Steps.of(batch::close, () -> batch.put(KEY, KEY));
            }
            case PUT_INTO_CLOSED_TABLE_WRITER -> {
                SstFileWriter writer = new SstFileWriter(new EnvOptions(), options);
                writer.open(beside);
                writer.put(KEY, KEY);
                yield Steps.of(writer::close, () -> writer.put(OTHER_KEY, KEY));
            }
            case NEXT_OF_LOG_OF_CLOSED_DATABASE, NEXT_OF_CLOSED_LOG -> {
                TransactionLogIterator log = db.getUpdatesSince(1);
                yield new Steps(log::close, () -> {
                    log.next();
                    return log.isValid() ? log.getBatch().sequenceNumber() : "no entry";
                });
            }
            // Values are always copied.
            case READ_CLOSED_VALUE -> null;
            case GET_AT_SNAPSHOT_OF_CLOSED_DATABASE, GET_AT_CLOSED_SNAPSHOT, RACE_OF_SNAPSHOT,
                    NUMBER_OF_CLOSED_SNAPSHOT, CLOSE_SNAPSHOT_OF_CLOSED_DATABASE ->
                withSnapshot(mistake, db);
            case NEXT_OF_ITERATOR_OF_CLOSED_DATABASE, NEXT_OF_CLOSED_ITERATOR, RACE_OF_ITERATOR, KEY_OF_CLOSED_ITERATOR,
                    CLOSE_ITERATOR_OF_CLOSED_DATABASE, CLOSE_ITERATOR_TWICE ->
                withIterator(mistake, db);
            case TRANSACTION_OF_CLOSED_DATABASE ->
                new Steps(db::close, () -> ((TransactionDB) db).beginTransaction(writeOptions));
            default -> inTransaction(mistake, db instanceof TransactionDB pessimistic
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

    private static Steps withSnapshot(Mistake mistake, RocksDB db) {
        Snapshot snapshot = db.getSnapshot();
        ReadOptions atSnapshot = new ReadOptions().setSnapshot(snapshot);
        Step release = () -> db.releaseSnapshot(snapshot);
        return switch (mistake) {
            case GET_AT_SNAPSHOT_OF_CLOSED_DATABASE, GET_AT_CLOSED_SNAPSHOT, RACE_OF_SNAPSHOT ->
                new Steps(release, () -> db.get(atSnapshot, KEY));
            case NUMBER_OF_CLOSED_SNAPSHOT -> new Steps(release, snapshot::getSequenceNumber);
            default -> Steps.of(release, release);
        };
    }

    private static Steps withIterator(Mistake mistake, RocksDB db) {
        RocksIterator entries = db.newIterator();
        entries.seekToFirst();
        return switch (mistake) {
            case NEXT_OF_ITERATOR_OF_CLOSED_DATABASE, NEXT_OF_CLOSED_ITERATOR ->
                new Steps(entries::close, () -> next(entries));
            case RACE_OF_ITERATOR -> new Steps(entries::close, () -> {
                entries.seekToFirst();
                return next(entries);
            });
            case KEY_OF_CLOSED_ITERATOR -> new Steps(entries::close, entries::key);
            default -> Steps.of(entries::close, entries::close);
        };
    }

    private Steps inTransaction(Mistake mistake, Transaction transaction) throws RocksDBException {
        transaction.put(KEY, KEY);
        return switch (mistake) {
            case COMMIT_TRANSACTION_OF_CLOSED_DATABASE, COMMIT_CLOSED_TRANSACTION,
                    COMMIT_OPTIMISTIC_TRANSACTION_OF_CLOSED_DATABASE ->
                Steps.of(transaction::close, transaction::commit);
            case CLOSE_TRANSACTION_OF_CLOSED_DATABASE, CLOSE_TRANSACTION_TWICE ->
                Steps.of(transaction::close, transaction::close);
            case NEXT_OF_ITERATOR_OF_CLOSED_TRANSACTION -> {
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
