package dev.outcrop.benchmarks.misuse;

import java.io.IOException;
import java.io.UncheckedIOException;
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
@SuppressWarnings("resource") // closing at the wrong time is what this is about
final class MisusedRocksJava implements MisusedLibrary {
    private static final byte[] KEY = MisusedLibrary.key(1);

    private final Options options = new Options().setCreateIfMissing(true);
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteOptions writeOptions = new WriteOptions();

    @Override
    public @Nullable Steps prepare(Mistake mistake, Path directory) throws RocksDBException {
        return switch (mistake) {
            case COMMIT_OPTIMISTIC_TRANSACTION_OF_CLOSED_DATABASE -> {
                OptimisticTransactionDB db = OptimisticTransactionDB.open(options, directory.toString());
                fill(db);
                Transaction transaction = db.beginTransaction(writeOptions);
                transaction.put(KEY, KEY);
                yield Steps.of(db::close, transaction::commit);
            }
            case TRANSACTION_OF_CLOSED_DATABASE, PUT_INTO_TRANSACTION_OF_CLOSED_DATABASE,
                    COMMIT_TRANSACTION_OF_CLOSED_DATABASE, CLOSE_TRANSACTION_OF_CLOSED_DATABASE,
                    PUT_INTO_CLOSED_TRANSACTION, COMMIT_CLOSED_TRANSACTION, NEXT_OF_ITERATOR_OF_CLOSED_TRANSACTION,
                    CLOSE_TRANSACTION_TWICE, RACE_OF_TRANSACTION ->
                inTransaction(mistake, directory);
            default -> {
                RocksDB db = RocksDB.open(options, directory.toString());
                fill(db);
                Steps steps = withDatabase(mistake, db);
                yield steps != null ? steps : withOther(mistake, db, directory);
            }
        };
    }

    private void fill(RocksDB db) throws RocksDBException {
        for (int i = 0; i < ENTRIES; i++) {
            db.put(MisusedLibrary.key(i), new byte[VALUE_BYTES]);
            if (i == ENTRIES / 2) {
                db.flush(new FlushOptions());
            }
        }
    }

    private Steps inTransaction(Mistake mistake, Path directory) throws RocksDBException {
        TransactionDB db = TransactionDB.open(options, new TransactionDBOptions(), directory.toString());
        fill(db);
        Transaction transaction = db.beginTransaction(writeOptions);
        transaction.put(KEY, KEY);
        return switch (mistake) {
            case TRANSACTION_OF_CLOSED_DATABASE -> {
                transaction.close();
                yield new Steps(db::close, () -> db.beginTransaction(writeOptions));
            }
            case PUT_INTO_TRANSACTION_OF_CLOSED_DATABASE ->
                Steps.of(db::close, () -> transaction.put(MisusedLibrary.key(2), KEY));
            case COMMIT_TRANSACTION_OF_CLOSED_DATABASE -> Steps.of(db::close, transaction::commit);
            case CLOSE_TRANSACTION_OF_CLOSED_DATABASE -> Steps.of(db::close, transaction::close);
            case COMMIT_CLOSED_TRANSACTION -> Steps.of(transaction::close, transaction::commit);
            case CLOSE_TRANSACTION_TWICE -> Steps.of(transaction::close, transaction::close);
            case NEXT_OF_ITERATOR_OF_CLOSED_TRANSACTION -> {
                RocksIterator entries = transaction.getIterator(readOptions);
                entries.seekToFirst();
                yield new Steps(transaction::close, () -> next(entries));
            }
            default -> Steps.of(transaction::close, () -> transaction.put(MisusedLibrary.key(2), KEY));
        };
    }

    /** Uses of a database itself. */
    private @Nullable Steps withDatabase(Mistake mistake, RocksDB db) throws RocksDBException {
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
            case ITERATE_OVER_CLOSED_DATABASE -> new Steps(db::close, () -> iterate(db));
            case SNAPSHOT_OF_CLOSED_DATABASE -> new Steps(db::close, db::getSnapshot);
            case LOG_OF_CLOSED_DATABASE -> new Steps(db::close, () -> db.getUpdatesSince(1));
            case FAMILY_IN_CLOSED_DATABASE -> new Steps(db::close,
                    () -> db.createColumnFamily(new ColumnFamilyDescriptor(KEY)));
            case CLOSE_DATABASE_TWICE -> Steps.of(db::close, db::close);
            case RACE_OF_ITERATION -> new Steps(db::close, () -> iterate(db));
            default -> null;
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

    /** Uses of what belongs to a database. */
    private @Nullable Steps withOther(Mistake mistake, RocksDB db, Path directory) throws RocksDBException {
        String beside = directory.resolveSibling("beside").toString();
        return switch (mistake) {
            case CHECKPOINT_OF_CLOSED_DATABASE -> {
                Checkpoint checkpoint = Checkpoint.create(db);
                yield Steps.of(db::close, () -> checkpoint.createCheckpoint(beside));
            }
            case BACKUP_OF_CLOSED_DATABASE -> {
                BackupEngine backups = BackupEngine.open(Env.getDefault(), backupOptions(beside));
                yield Steps.of(db::close, () -> backups.createNewBackup(db));
            }
            case CREATE_WITH_CLOSED_BACKUP_ENGINE -> {
                BackupEngine backups = BackupEngine.open(Env.getDefault(), backupOptions(beside));
                yield Steps.of(backups::close, () -> backups.createNewBackup(db));
            }
            case GET_FROM_FAMILY_OF_CLOSED_DATABASE -> {
                ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(KEY));
                db.put(family, KEY, KEY);
                yield new Steps(db::close, () -> db.get(family, KEY));
            }
            case GET_FROM_CLOSED_FAMILY -> {
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
                yield new Steps(db::close, () -> batch.getFromBatchAndDB(db, readOptions, MisusedLibrary.key(2)));
            }
            case PUT_INTO_CLOSED_INDEXED_BATCH -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
                yield Steps.of(batch::close, () -> batch.put(KEY, KEY));
            }
            case PUT_INTO_CLOSED_TABLE_WRITER -> {
                SstFileWriter writer = new SstFileWriter(new EnvOptions(), options);
                writer.open(beside);
                writer.put(KEY, KEY);
                yield Steps.of(writer::close, () -> writer.put(MisusedLibrary.key(2), KEY));
            }
            case NEXT_OF_LOG_OF_CLOSED_DATABASE, NEXT_OF_CLOSED_LOG -> {
                TransactionLogIterator log = db.getUpdatesSince(1);
                yield new Steps(mistake == Mistake.NEXT_OF_CLOSED_LOG ? log::close : db::close, () -> {
                    log.next();
                    return log.isValid() ? log.getBatch().sequenceNumber() : "no entry";
                });
            }
            default -> withReader(mistake, db);
        };
    }

    private static BackupEngineOptions backupOptions(String directory) {
        try {
            // BackupEngineOptions wants it to be there.
            Files.createDirectories(Path.of(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BackupEngineOptions(directory);
    }

    private @Nullable Steps withReader(Mistake mistake, RocksDB db) {
        RocksIterator entries = db.newIterator();
        entries.seekToFirst();
        Snapshot snapshot = db.getSnapshot();
        ReadOptions atSnapshot = new ReadOptions().setSnapshot(snapshot);
        return switch (mistake) {
            case NEXT_OF_ITERATOR_OF_CLOSED_DATABASE -> new Steps(db::close, () -> next(entries));
            case CLOSE_ITERATOR_OF_CLOSED_DATABASE -> Steps.of(db::close, entries::close);
            case NEXT_OF_CLOSED_ITERATOR -> new Steps(entries::close, () -> next(entries));
            case RACE_OF_ITERATOR -> new Steps(entries::close, () -> {
                entries.seekToFirst();
                return next(entries);
            });
            case KEY_OF_CLOSED_ITERATOR -> new Steps(entries::close, entries::key);
            case CLOSE_ITERATOR_TWICE -> Steps.of(entries::close, entries::close);
            case GET_AT_SNAPSHOT_OF_CLOSED_DATABASE -> new Steps(db::close, () -> db.get(atSnapshot, KEY));
            case CLOSE_SNAPSHOT_OF_CLOSED_DATABASE -> Steps.of(db::close, () -> db.releaseSnapshot(snapshot));
            case GET_AT_CLOSED_SNAPSHOT, RACE_OF_SNAPSHOT -> new Steps(() -> db.releaseSnapshot(snapshot),
                    () -> db.get(atSnapshot, KEY));
            case NUMBER_OF_CLOSED_SNAPSHOT -> new Steps(() -> db.releaseSnapshot(snapshot),
                    snapshot::getSequenceNumber);
            // Values are always copied.
            default -> null;
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
