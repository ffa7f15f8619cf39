package dev.outcrop.benchmarks.misuse;

import dev.outcrop.rocksdb.BackupEngine;
import dev.outcrop.rocksdb.BackupEngineOptions;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyValueIterator;
import dev.outcrop.rocksdb.KeyValueReader;
import dev.outcrop.rocksdb.OptimisticTransactionDB;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.ReadOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.Snapshot;
import dev.outcrop.rocksdb.SstFileWriter;
import dev.outcrop.rocksdb.Transaction;
import dev.outcrop.rocksdb.TransactionDB;
import dev.outcrop.rocksdb.WalIterator;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchWithIndex;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Mistakes with Outcrop. */
@SuppressWarnings("resource") // closing at the wrong time is the subject
final class MisusedOutcrop implements MisusedLibrary {
    @Override
    public Steps prepare(Mistake mistake, Path directory) {
        RocksDB db;
        if (mistake == Mistake.COMMIT_OPTIMISTIC_TRANSACTION_OF_CLOSED_DATABASE) {
            db = OptimisticTransactionDB.open(directory, options());
        } else {
            db = mistake.isInTransaction()
                    ? TransactionDB.open(directory, options())
                    : RocksDB.open(directory, options());
        }
        fill(db);
        Steps steps = steps(mistake, db, directory.resolveSibling("beside"));
        return mistake.closesDatabase() ? new Steps(db::close, steps.use()) : steps;
    }

    private static Options options() {
        return new Options().createIfMissing(true);
    }

    private static void fill(RocksDB db) {
        for (int i = 0; i < ENTRIES; i++) {
            db.put(MisusedLibrary.key(i), new byte[VALUE_BYTES]);
            if (i == ENTRIES / 2) {
                db.flush();
            }
        }
    }

    /** Returns steps that close the used object, or the database if the database is used. */
    private static Steps steps(Mistake mistake, RocksDB db, Path beside) {
        return switch (mistake) {
            case GET_FROM_CLOSED_DATABASE, RACE_OF_GET -> new Steps(db::close, () -> db.get(KEY));
            case GET_INTO_BUFFER_FROM_CLOSED_DATABASE -> {
                ByteBuffer key = ByteBuffer.allocateDirect(KEY.length).put(KEY).flip();
                ByteBuffer value = ByteBuffer.allocateDirect(VALUE_BYTES);
                yield new Steps(db::close, () -> db.get(key, value));
            }
            case MULTI_GET_FROM_CLOSED_DATABASE -> new Steps(db::close, () -> db.multiGet(List.of(KEY, KEY)));
            case PUT_INTO_CLOSED_DATABASE, RACE_OF_PUT -> Steps.of(db::close, () -> db.put(KEY, KEY));
            case DELETE_FROM_CLOSED_DATABASE -> Steps.of(db::close, () -> db.delete(KEY));
            case BATCH_TO_CLOSED_DATABASE -> {
                WriteBatch batch = new WriteBatch();
                batch.put(KEY, KEY);
                yield Steps.of(db::close, () -> db.write(batch));
            }
            case FLUSH_CLOSED_DATABASE -> Steps.of(db::close, db::flush);
            case PROPERTY_OF_CLOSED_DATABASE -> new Steps(db::close, () -> db.property("rocksdb.stats"));
            case ITERATE_OVER_CLOSED_DATABASE, RACE_OF_ITERATION -> new Steps(db::close, () -> iterate(db));
            case SNAPSHOT_OF_CLOSED_DATABASE -> new Steps(db::close, db::snapshot);
            case LOG_OF_CLOSED_DATABASE -> new Steps(db::close, () -> db.updatesSince(1));
            case FAMILY_IN_CLOSED_DATABASE -> new Steps(db::close, () -> db.createColumnFamily("new", new Options()));
            case CLOSE_DATABASE_TWICE -> Steps.of(db::close, db::close);
            case CHECKPOINT_OF_CLOSED_DATABASE -> Steps.of(db::close, () -> db.checkpoint(beside));
            case BACKUP_OF_CLOSED_DATABASE, CREATE_WITH_CLOSED_BACKUP_ENGINE -> {
                BackupEngine backups = BackupEngine.open(new BackupEngineOptions(beside));
                yield new Steps(backups::close, () -> backups.create(db));
            }
            case GET_FROM_FAMILY_OF_CLOSED_DATABASE, GET_FROM_CLOSED_FAMILY -> {
                ColumnFamily family = db.createColumnFamily("new", new Options());
                family.put(KEY, KEY);
                yield new Steps(() -> db.dropColumnFamily(family), () -> family.get(KEY));
            }
            case INDEXED_BATCH_WITH_CLOSED_DATABASE -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
                batch.put(KEY, KEY);
                yield new Steps(db::close, () -> batch.getFromBatchAndDB(OTHER_KEY));
            }
            case PUT_INTO_CLOSED_INDEXED_BATCH -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
                yield Steps.of(batch::close, () -> batch.put(KEY, KEY));
            }
            case PUT_INTO_CLOSED_TABLE_WRITER -> {
                SstFileWriter writer = new SstFileWriter(beside, new Options());
                writer.put(KEY, KEY);
                yield Steps.of(writer::close, () -> writer.put(OTHER_KEY, KEY));
            }
            case NEXT_OF_LOG_OF_CLOSED_DATABASE, NEXT_OF_CLOSED_LOG -> {
                WalIterator log = db.updatesSince(1);
                log.next();
                yield new Steps(log::close, () -> log.next() ? log.sequenceNumber() : "no entry");
            }
            case READ_CLOSED_VALUE -> {
                PinnedSlice value = Objects.requireNonNull(db.getPinned(KEY));
                var segment = value.segment();
                yield new Steps(value::close, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
            }
            case GET_AT_SNAPSHOT_OF_CLOSED_DATABASE, GET_AT_CLOSED_SNAPSHOT, RACE_OF_SNAPSHOT,
                    NUMBER_OF_CLOSED_SNAPSHOT, CLOSE_SNAPSHOT_OF_CLOSED_DATABASE ->
                withSnapshot(mistake, db);
            case NEXT_OF_ITERATOR_OF_CLOSED_DATABASE, NEXT_OF_CLOSED_ITERATOR, RACE_OF_ITERATOR, KEY_OF_CLOSED_ITERATOR,
                    CLOSE_ITERATOR_OF_CLOSED_DATABASE, CLOSE_ITERATOR_TWICE ->
                withIterator(mistake, db);
            case TRANSACTION_OF_CLOSED_DATABASE -> new Steps(db::close, ((TransactionDB) db)::begin);
            default -> inTransaction(mistake, db instanceof TransactionDB pessimistic
                    ? pessimistic.begin()
                    : ((OptimisticTransactionDB) db).begin());
        };
    }

    private static Object iterate(RocksDB db) {
        try (KeyValueIterator entries = db.iterator()) {
            entries.seekToFirst();
            return next(entries);
        }
    }

    private static Object next(KeyValueIterator entries) {
        return entries.next() ? entries.key().toArray(ValueLayout.JAVA_BYTE) : "no entry";
    }

    private static Steps withSnapshot(Mistake mistake, RocksDB db) {
        Snapshot snapshot = db.snapshot();
        KeyValueReader atSnapshot = db.with(new ReadOptions().snapshot(snapshot));
        return switch (mistake) {
            case GET_AT_SNAPSHOT_OF_CLOSED_DATABASE, GET_AT_CLOSED_SNAPSHOT, RACE_OF_SNAPSHOT ->
                new Steps(snapshot::close, () -> atSnapshot.get(KEY));
            case NUMBER_OF_CLOSED_SNAPSHOT -> new Steps(snapshot::close, snapshot::sequenceNumber);
            default -> Steps.of(snapshot::close, snapshot::close);
        };
    }

    private static Steps withIterator(Mistake mistake, RocksDB db) {
        KeyValueIterator entries = db.iterator();
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

    private static Steps inTransaction(Mistake mistake, Transaction transaction) {
        transaction.put(KEY, KEY);
        return switch (mistake) {
            case COMMIT_TRANSACTION_OF_CLOSED_DATABASE, COMMIT_CLOSED_TRANSACTION,
                    COMMIT_OPTIMISTIC_TRANSACTION_OF_CLOSED_DATABASE ->
                Steps.of(transaction::close, transaction::commit);
            case CLOSE_TRANSACTION_OF_CLOSED_DATABASE, CLOSE_TRANSACTION_TWICE ->
                Steps.of(transaction::close, transaction::close);
            case NEXT_OF_ITERATOR_OF_CLOSED_TRANSACTION -> {
                KeyValueIterator entries = transaction.iterator();
                entries.seekToFirst();
                yield new Steps(transaction::close, () -> next(entries));
            }
            default -> Steps.of(transaction::close, () -> transaction.put(OTHER_KEY, KEY));
        };
    }

    @Override
    public void doSomethingElse(Path directory) {
        try (RocksDB db = RocksDB.open(directory, options()); KeyValueIterator entries = db.iterator()) {
            fill(db);
            entries.seekToFirst();
        }
    }
}
