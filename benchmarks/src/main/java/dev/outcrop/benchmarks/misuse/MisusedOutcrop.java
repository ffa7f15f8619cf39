package dev.outcrop.benchmarks.misuse;

import dev.outcrop.benchmarks.misuse.Mistake.Use;
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
        RocksDB db = switch (mistake.use()) {
            case COMMIT_OPTIMISTIC -> OptimisticTransactionDB.open(directory, options());
            case BEGIN, PUT_INTO_TRANSACTION, COMMIT, CLOSE_TRANSACTION, NEXT_IN_TRANSACTION ->
                TransactionDB.open(directory, options());
            default -> RocksDB.open(directory, options());
        };
        fill(db);
        Steps steps = steps(mistake.use(), db, directory.resolveSibling("beside"));
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

    /** Returns steps that close the used object, or the database if that is used. */
    private static Steps steps(Use use, RocksDB db, Path beside) {
        return switch (use) {
            case GET -> new Steps(db::close, () -> db.get(KEY));
            case GET_INTO_BUFFER -> {
                ByteBuffer key = ByteBuffer.allocateDirect(KEY.length).put(KEY).flip();
                ByteBuffer value = ByteBuffer.allocateDirect(VALUE_BYTES);
                yield new Steps(db::close, () -> db.get(key, value));
            }
            case MULTI_GET -> new Steps(db::close, () -> db.multiGet(List.of(KEY, KEY)));
            case PUT -> Steps.of(db::close, () -> db.put(KEY, KEY));
            case DELETE -> Steps.of(db::close, () -> db.delete(KEY));
            case BATCH -> {
                WriteBatch batch = new WriteBatch();
                batch.put(KEY, KEY);
                yield Steps.of(db::close, () -> db.write(batch));
            }
            case FLUSH -> Steps.of(db::close, db::flush);
            case PROPERTY -> new Steps(db::close, () -> db.property("rocksdb.stats"));
            case ITERATE -> new Steps(db::close, () -> iterate(db));
            case SNAPSHOT -> new Steps(db::close, db::snapshot);
            case LOG -> new Steps(db::close, () -> db.updatesSince(1));
            case CREATE_FAMILY -> new Steps(db::close, () -> db.createColumnFamily("new", new Options()));
            case CLOSE_DATABASE -> Steps.of(db::close, db::close);
            case CHECKPOINT -> Steps.of(db::close, () -> db.checkpoint(beside));
            case BACKUP -> {
                BackupEngine backups = BackupEngine.open(new BackupEngineOptions(beside));
                yield new Steps(backups::close, () -> backups.create(db));
            }
            case GET_FROM_FAMILY -> {
                ColumnFamily family = db.createColumnFamily("new", new Options());
                family.put(KEY, KEY);
                yield new Steps(() -> db.dropColumnFamily(family), () -> family.get(KEY));
            }
            case GET_FROM_INDEXED_BATCH -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
                batch.put(KEY, KEY);
                yield new Steps(db::close, () -> batch.getFromBatchAndDB(OTHER_KEY));
            }
            case PUT_INTO_INDEXED_BATCH -> {
                WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
                yield Steps.of(batch::close, () -> batch.put(KEY, KEY));
            }
            case PUT_INTO_TABLE -> {
                SstFileWriter writer = new SstFileWriter(beside, new Options());
                writer.put(KEY, KEY);
                yield Steps.of(writer::close, () -> writer.put(OTHER_KEY, KEY));
            }
            case NEXT_OF_LOG -> {
                WalIterator log = db.updatesSince(1);
                log.next();
                yield new Steps(log::close, () -> log.next() ? log.sequenceNumber() : "no entry");
            }
            case READ_VALUE -> {
                PinnedSlice value = Objects.requireNonNull(db.getPinned(KEY));
                var segment = value.segment();
                yield new Steps(value::close, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
            }
            case GET_AT_SNAPSHOT, NUMBER_OF_SNAPSHOT, CLOSE_SNAPSHOT -> withSnapshot(use, db);
            case NEXT, SEEK_AND_NEXT, KEY, CLOSE_ITERATOR -> withIterator(use, db);
            case BEGIN -> new Steps(db::close, ((TransactionDB) db)::begin);
            default -> inTransaction(use, db instanceof TransactionDB pessimistic
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

    private static Steps withSnapshot(Use use, RocksDB db) {
        Snapshot snapshot = db.snapshot();
        KeyValueReader atSnapshot = db.with(new ReadOptions().snapshot(snapshot));
        return switch (use) {
            case GET_AT_SNAPSHOT -> new Steps(snapshot::close, () -> atSnapshot.get(KEY));
            case NUMBER_OF_SNAPSHOT -> new Steps(snapshot::close, snapshot::sequenceNumber);
            default -> Steps.of(snapshot::close, snapshot::close);
        };
    }

    private static Steps withIterator(Use use, RocksDB db) {
        KeyValueIterator entries = db.iterator();
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

    private static Steps inTransaction(Use use, Transaction transaction) {
        transaction.put(KEY, KEY);
        return switch (use) {
            case COMMIT, COMMIT_OPTIMISTIC -> Steps.of(transaction::close, transaction::commit);
            case CLOSE_TRANSACTION -> Steps.of(transaction::close, transaction::close);
            case NEXT_IN_TRANSACTION -> {
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
