package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LogFile;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Prints the results of writes, batches and files. */
final class WritesReport {

    private final Map<String, String> lines = new TreeMap<>();
    private final Path directory;

    private WritesReport(Path directory) {
        this.directory = directory;
    }

    /** A tried call. */
    private interface Attempt {
        Object run() throws Exception;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        WritesReport report = new WritesReport(directory);
        report.buffers();
        try (WriteBatch batch = new WriteBatch()) {
            report.batch("WriteBatch", batch);
        }
        try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
            report.batch("WriteBatchWithIndex", batch);
        }
        report.handlers();
        report.indexed();
        report.files();
        return report.lines;
    }

    private void line(String key, Attempt attempt) {
        String value;
        try {
            value = text(attempt.run());
        } catch (RocksDBException e) {
            value = "throws RocksDBException " + (e.getStatus() == null
                    ? "without status: " + e.getMessage()
                    : e.getStatus().getCode() + " " + e.getStatus().getSubCode() + " " + e.getStatus().getState());
        } catch (Exception | AssertionError e) {
            value = "throws " + e.getClass().getName();
        }
        lines.put(key, value.replace('\n', ' ').replace(directory.toString(), "DIR"));
    }

    private static String text(Object value) {
        return value instanceof byte[] bytes
                ? Arrays.toString(bytes)
                : value instanceof ByteBuffer buffer
                        ? buffer.position() + ".." + buffer.limit() + " of " + buffer.capacity()
                        : String.valueOf(value);
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    private static ByteBuffer direct(String text) {
        return ByteBuffer.allocateDirect(text.length()).put(b(text)).flip();
    }

    private static ByteBuffer heap(String text) {
        return ByteBuffer.wrap(b("__" + text + "_"), 2, text.length());
    }

    private void buffers() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, directory.resolve("buffers").toString());
                WriteOptions write = new WriteOptions()) {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
            for (boolean isDirect : List.of(true, false)) {
                ByteBuffer key = isDirect ? direct("xkey1") : heap("xkey1");
                ByteBuffer value = isDirect ? direct("value1y") : heap("value1y");
                key.get();
                value.limit(value.limit() - 1);
                String name = isDirect ? "direct" : "heap";
                line(name + " put", () -> {
                    db.put(write, key, value);
                    return text(key) + " " + text(value) + " " + text(db.get(b("key1")));
                });
                ByteBuffer gone = isDirect ? direct("key1") : heap("key1");
                line(name + " delete", () -> {
                    db.delete(write, gone);
                    return text(gone) + " " + text(db.get(b("key1")));
                });
                ByteBuffer inFamily = isDirect ? direct("key2") : heap("key2");
                ByteBuffer read = (isDirect ? direct("value2") : heap("value2")).asReadOnlyBuffer();
                line(name + " put of a read-only value in a family", () -> {
                    db.put(family, write, inFamily, read);
                    return text(inFamily) + " " + text(read) + " " + text(db.get(family, b("key2")));
                });
                line(name + " delete in a family", () -> {
                    inFamily.rewind();
                    db.delete(family, write, isDirect ? direct("key2") : heap("key2"));
                    return text(db.get(family, b("key2")));
                });
            }
            line("mixed put", () -> {
                db.put(write, direct("a"), heap("b"));
                return "done";
            });
            line("mixed put in a family", () -> {
                db.put(family, write, heap("a"), direct("b"));
                return "done";
            });
            line("merge without an operator", () -> {
                db.merge(b("a"), b("b"));
                return "done";
            });
            line("put beyond the array", () -> {
                db.put(b("abc"), 2, 2, b("v"), 0, 1);
                return "done";
            });
            line("put of nothing", () -> {
                db.put(new byte[0], new byte[0]);
                return db.get(new byte[0]);
            });
            line("deleteRange", () -> {
                db.put(b("r1"), b("1"));
                db.put(b("r2"), b("2"));
                db.deleteRange(b("r1"), b("r2"));
                return text(db.get(b("r1"))) + text(db.get(b("r2")));
            });
            line("singleDelete", () -> {
                db.put(b("s"), b("1"));
                db.singleDelete(write, b("s"));
                return db.get(b("s"));
            });
        }
    }

    private void batch(String name, AbstractWriteBatch batch) throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, directory.resolve(name).toString());
                WriteOptions write = new WriteOptions()) {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
            ByteBuffer key = direct("xkey");
            ByteBuffer value = direct("value");
            key.get();
            line(name + " put buffers", () -> {
                batch.put(key, value);
                batch.put(family, direct("familyKey"), direct("familyValue"));
                return text(key) + text(value) + batch.count();
            });
            line(name + " delete buffer", () -> {
                ByteBuffer gone = direct("gone");
                batch.delete(gone);
                batch.delete(family, direct("gone"));
                return text(gone) + batch.count();
            });
            line(name + " put null", () -> {
                batch.put((byte[]) null, b("a"));
                return "done";
            });
            line(name + " rollback without a save point", () -> {
                batch.rollbackToSavePoint();
                return "done";
            });
            line(name + " pop without a save point", () -> {
                batch.popSavePoint();
                return "done";
            });
            line(name + " save points", () -> {
                int before = batch.count();
                batch.setSavePoint();
                batch.put(b("sp1"), b("1"));
                batch.setSavePoint();
                batch.put(b("sp2"), b("2"));
                batch.popSavePoint();
                batch.put(b("sp3"), b("3"));
                batch.rollbackToSavePoint();
                return batch.count() - before;
            });
            line(name + " other records", () -> {
                batch.singleDelete(b("single"));
                batch.singleDelete(family, b("single"));
                batch.putLogData(b("log"));
                batch.put(family, b("k"), b("v"));
                batch.delete(family, b("k2"));
                return batch.count() + " " + text(batch.getWriteBatch().data());
            });
            line(name + " deleteRange", () -> {
                batch.deleteRange(b("a"), b("b"));
                batch.deleteRange(family, b("a"), b("b"));
                return batch.count();
            });
            line(name + " write", () -> {
                if (batch instanceof WriteBatch plain) {
                    db.write(write, plain);
                } else {
                    db.write(write, (WriteBatchWithIndex) batch);
                }
                return text(db.get(b("key"))) + text(db.get(b("sp3"))) + text(db.get(family, b("k")))
                        + text(db.get(family, b("familyKey"))) + db.getLatestSequenceNumber();
            });
            line(name + " clear", () -> {
                batch.clear();
                return batch.count();
            });
            line(name + " max bytes", () -> {
                batch.put(b("12345"), b("12345"));
                batch.setMaxBytes(50);
                batch.put(b("12345"), b("12345"));
                batch.put(b("12345"), b("12345"));
                batch.put(b("12345"), b("12345"));
                return "done";
            });
            line(name + " after max bytes", batch::count);
        }
    }

    private void handlers() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, directory.resolve("handlers").toString());
                WriteBatch batch = new WriteBatch()) {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
            line("has nothing", () -> has(batch));
            batch.put(b("a"), b("1"));
            batch.put(family, b("fa"), b("f1"));
            batch.delete(b("b"));
            batch.delete(family, b("fb"));
            line("has put and delete", () -> has(batch));
            batch.singleDelete(b("c"));
            batch.singleDelete(family, b("fc"));
            batch.deleteRange(b("d"), b("e"));
            batch.deleteRange(family, b("fd"), b("fe"));
            batch.merge(b("g"), b("2"));
            batch.merge(family, b("fg"), b("f2"));
            batch.putLogData(b("log"));
            line("has all", () -> has(batch));
            line("size", batch::getDataSize);
            line("data", batch::data);
            line("copy", () -> {
                try (WriteBatch copy = new WriteBatch(batch.data())) {
                    return text(copy.data()) + has(copy);
                }
            });
            try (SeenRecords seen = new SeenRecords(Integer.MAX_VALUE, null)) {
                line("iterate", () -> {
                    batch.iterate(seen);
                    return seen.seen;
                });
            }
            try (SeenRecords seen = new SeenRecords(3, null)) {
                line("iterate until told to stop", () -> {
                    batch.iterate(seen);
                    return "done";
                });
                line("seen until told to stop", () -> seen.seen);
            }
            line("iterate with null", () -> {
                batch.iterate(null);
                return "done";
            });
            line("termination point, not marked", () -> point(batch.getWalTerminationPoint()));
            line("cleared point", () -> {
                WriteBatch.SavePoint point = new WriteBatch.SavePoint(1, 2, 3);
                String before = point(point);
                point.clear();
                return before + point(point);
            });
        }
    }

    private static String point(WriteBatch.SavePoint point) {
        return point.getSize() + " " + point.getCount() + " " + point.getContentFlags() + " " + point.isCleared();
    }

    private static String has(WriteBatch batch) {
        return List.of(batch.hasPut(), batch.hasDelete(), batch.hasSingleDelete(), batch.hasDeleteRange(),
                batch.hasMerge(), batch.hasBeginPrepare(), batch.hasEndPrepare(), batch.hasCommit(),
                batch.hasRollback()).toString();
    }

    private void indexed() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                org.rocksdb.DBOptions dbOptions = new org.rocksdb.DBOptions();
                org.rocksdb.ReadOptions read = new org.rocksdb.ReadOptions();
                RocksDB db = RocksDB.open(options, directory.resolve("indexed").toString());
                WriteBatchWithIndex batch = new WriteBatchWithIndex()) {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
            db.put(b("a"), b("db"));
            db.put(b("b"), b("db"));
            db.put(family, b("a"), b("fdb"));
            batch.put(b("b"), b("batch"));
            batch.put(b("c"), b("batch"));
            batch.put(family, b("c"), b("fbatch"));
            batch.delete(b("a"));
            line("from batch", () -> text(batch.getFromBatch(dbOptions, b("b"))) + text(batch.getFromBatch(dbOptions,
                    b("a"))) + text(batch.getFromBatch(family, dbOptions, b("c"))));
            line("from batch and database",
                    () -> text(batch.getFromBatchAndDB(db, read, b("a"))) + text(batch.getFromBatchAndDB(db, read,
                            b("c"))) + text(batch.getFromBatchAndDB(db, family, read, b("a"))));
            line("walk", () -> walk(batch.newIteratorWithBase(db.newIterator())));
            line("walk with options", () -> walk(batch.newIteratorWithBase(db.newIterator(read), read)));
            line("walk a family", () -> walk(batch.newIteratorWithBase(family, db.newIterator(family))));
            line("walk a family with options",
                    () -> walk(batch.newIteratorWithBase(family, db.newIterator(family), read)));
        }
    }

    private static String walk(RocksIterator iterator) {
        try (iterator) {
            StringBuilder seen = new StringBuilder();
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                seen.append(new String(iterator.key(), UTF_8)).append('=').append(new String(iterator.value(), UTF_8))
                        .append(' ');
            }
            iterator.seek(b("b"));
            return seen + (iterator.isValid() ? new String(iterator.key(), UTF_8) : "end");
        }
    }

    private void files() throws Exception {
        String path = directory.resolve("files").toString();
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, path);
                FlushOptions flush = new FlushOptions()) {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
            db.put(b("a"), b("1"));
            db.put(family, b("b"), b("2"));
            line("updates", () -> {
                StringBuilder seen = new StringBuilder();
                try (TransactionLogIterator updates = db.getUpdatesSince(1)) {
                    for (; updates.isValid(); updates.next()) {
                        updates.status();
                        TransactionLogIterator.BatchResult result = updates.getBatch();
                        seen.append(result.sequenceNumber()).append(text(result.writeBatch().data()));
                    }
                }
                return seen;
            });
            line("updates of the future", () -> {
                try (TransactionLogIterator updates = db.getUpdatesSince(100)) {
                    return updates.isValid();
                }
            });
            line("logs", () -> {
                StringBuilder seen = new StringBuilder();
                for (LogFile log : db.getSortedWalFiles()) {
                    seen.append(log.pathName()).append(' ').append(log.logNumber()).append(' ').append(log.type())
                            .append(' ').append(log.startSequence()).append(' ').append(log.sizeFileBytes());
                }
                return seen;
            });
            line("flushWal", () -> {
                db.flushWal(true);
                db.syncWal();
                return "done";
            });
            line("flush families", () -> {
                db.flush(flush, List.of(db.getDefaultColumnFamily(), family));
                return db.getProperty("rocksdb.num-files-at-level0")
                        + db.getProperty(family, "rocksdb.num-files-at-level0");
            });
            line("live files", () -> {
                List<String> names = new ArrayList<>();
                RocksDB.LiveFiles files = db.getLiveFiles(false);
                names.addAll(files.files);
                return names + " " + (files.manifestFileSize > 0);
            });
            line("set options", () -> {
                db.setOptions(MutableColumnFamilyOptions.builder().setWriteBufferSize(1 << 20).build());
                db.setOptions(family, MutableColumnFamilyOptions.builder().setDisableAutoCompactions(true).build());
                db.enableAutoCompaction(List.of(family));
                db.setDBOptions(org.rocksdb.MutableDBOptions.builder().setMaxOpenFiles(100).build());
                return "done";
            });
            line("background work", () -> {
                db.disableFileDeletions();
                db.enableFileDeletions();
                db.pauseBackgroundWork();
                db.continueBackgroundWork();
                db.verifyChecksum();
                return "done";
            });
            line("abort compactions", () -> {
                db.abortAllCompactions();
                db.resumeAllCompactions();
                return "done";
            });
            line("continue what is not paused", () -> {
                db.continueBackgroundWork();
                return "done";
            });
            line("compact", () -> {
                try (CompactRangeOptions compact = new CompactRangeOptions().setChangeLevel(true).setTargetLevel(3)) {
                    db.compactRange();
                    db.compactRange(family);
                    db.compactRange(family, b("a"), null);
                    db.compactRange(null, b("z"));
                    db.compactRange(family, null, null, compact);
                }
                return db.getProperty("rocksdb.num-files-at-level0");
            });
            for (int id : new int[]{-1, 1, Integer.MAX_VALUE}) {
                line("compact to path " + id, () -> {
                    db.put(family, b("p"), b("1"));
                    try (CompactRangeOptions compact = new CompactRangeOptions().setTargetPathId(id)) {
                        db.compactRange(family, null, null, compact);
                    }
                    return "done";
                });
            }
            line("compact after canceling", () -> {
                try (CompactRangeOptions compact = new CompactRangeOptions()) {
                    compact.setCanceled(true);
                    db.compactRange(family, null, null, compact);
                }
                return "done";
            });
            line("delete files in ranges", () -> {
                // A compaction in the background would keep its files.
                try (org.rocksdb.ColumnFamilyOptions still = new org.rocksdb.ColumnFamilyOptions()
                        .setDisableAutoCompactions(true);
                        CompactRangeOptions compact = new CompactRangeOptions().setChangeLevel(true)
                                .setTargetLevel(3)) {
                    ColumnFamilyHandle stays = db.createColumnFamily(new ColumnFamilyDescriptor(b("still"), still));
                    db.put(stays, b("b"), b("2"));
                    db.flush(flush, stays);
                    db.compactRange(stays, null, null, compact);
                    db.deleteFilesInRanges(stays, List.of(b("c"), b("d")), true);
                    String kept = db.getProperty(stays, "rocksdb.num-files-at-level3") + text(db.get(stays, b("b")));
                    db.deleteFilesInRanges(stays, List.of(b("a"), b("c")), true);
                    return kept + text(db.get(stays, b("b")));
                }
            });
            line("delete files in half a range", () -> {
                db.deleteFilesInRanges(family, List.of(b("a")), true);
                return "done";
            });
            line("create families", () -> {
                List<ColumnFamilyHandle> made = db.createColumnFamilies(
                        List.of(new ColumnFamilyDescriptor(b("m1")), new ColumnFamilyDescriptor(b("m2"))));
                db.dropColumnFamilies(made);
                return made.size();
            });
            line("create a family twice", () -> {
                db.createColumnFamilies(new org.rocksdb.ColumnFamilyOptions(), List.of(b("t1"), b("t1")));
                return "done";
            });
            line("backups in a directory that is not there", () -> {
                new org.rocksdb.BackupEngineOptions(path + "/none").close();
                return "done";
            });
            line("backups in no directory", () -> {
                new org.rocksdb.BackupEngineOptions(path + "/CURRENT").close();
                return "done";
            });
            line("backups in a directory", () -> {
                try (org.rocksdb.BackupEngineOptions backups = new org.rocksdb.BackupEngineOptions(path)) {
                    return backups.backupDir();
                }
            });
            line("end a trace that never began", () -> {
                db.endTrace();
                return "done";
            });
        }
        try (Options options = new Options(); RocksDB db = RocksDB.openReadOnly(options, path)) {
            line("compact a database for reading", () -> {
                db.compactRange();
                return "done";
            });
            line("write to a database for reading", () -> {
                db.put(direct("a").array(), b("b"));
                return "done";
            });
            line("flush a database for reading", () -> {
                db.flush(new FlushOptions());
                return "done";
            });
        }
    }
}
