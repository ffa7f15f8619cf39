package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Prints what of batches is in the write-ahead log, and what a TtlDB that is opened for reading can do. */
final class RestartsReport {

    private final Map<String, String> lines = new TreeMap<>();
    private final Path directory;

    private RestartsReport(Path directory) {
        this.directory = directory;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        RestartsReport report = new RestartsReport(directory);
        try (StringAppendOperator append = new StringAppendOperator();
                Options options = new Options().setCreateIfMissing(true).setMergeOperator(append)) {
            for (Batch batch : Batch.values()) {
                report.logged(options, batch);
            }
            report.reading(options);
        }
        return report.lines;
    }

    /** Batches of which a part is for the log. */
    private enum Batch {
        ALL {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                batch.delete(new byte[]{'b'});
                batch.markWalTerminationPoint();
            }
        },
        NOTHING {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                batch.markWalTerminationPoint();
                put(batch, "a");
            }
        },
        EMPTY {
            @Override
            void fill(WriteBatch batch) {
                batch.markWalTerminationPoint();
            }
        },
        SOME {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                batch.singleDelete(new byte[]{'z'});
                batch.markWalTerminationPoint();
                put(batch, "b");
                batch.merge(new byte[]{'z'}, new byte[]{'z'});
                batch.delete(new byte[]{'a'});
            }
        },
        ONE_DELETE {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                batch.markWalTerminationPoint();
                batch.delete(new byte[0]);
            }
        },
        ONE_DELETE_OF_A {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                batch.markWalTerminationPoint();
                batch.delete(new byte[]{'a'});
            }
        },
        LARGE {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                batch.put(new byte[]{'a'}, new byte[20_000]);
                batch.markWalTerminationPoint();
                batch.put(new byte[]{'b'}, new byte[300_000]);
                put(batch, "c");
            }
        },
        RANGE {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                put(batch, "b");
                batch.deleteRange(new byte[]{'0'}, new byte[]{'1'});
                batch.markWalTerminationPoint();
                batch.deleteRange(new byte[]{'a'}, new byte[]{'b'});
            }
        },
        LATER {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                batch.markWalTerminationPoint();
                put(batch, "b");
                batch.markWalTerminationPoint();
                put(batch, "c");
            }
        },
        CLEARED {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                batch.markWalTerminationPoint();
                batch.clear();
                put(batch, "b");
            }
        },
        ROLLED_BACK {
            @Override
            void fill(WriteBatch batch) throws RocksDBException {
                put(batch, "a");
                batch.markWalTerminationPoint();
                batch.setSavePoint();
                put(batch, "b");
                batch.rollbackToSavePoint();
                put(batch, "c");
            }
        };

        abstract void fill(WriteBatch batch) throws RocksDBException;

        private static void put(WriteBatch batch, String key) throws RocksDBException {
            batch.put(key.getBytes(UTF_8), key.getBytes(UTF_8));
        }
    }

    private static String point(WriteBatch batch) {
        WriteBatch.SavePoint point = batch.getWalTerminationPoint();
        return point.getSize() + " " + point.getCount() + " " + point.getContentFlags() + " " + point.isCleared();
    }

    private void logged(Options options, Batch kind) throws Exception {
        try (TransactionDBOptions locks = new TransactionDBOptions()) {
            try (WriteBatch batch = new WriteBatch()) {
                logged(options, kind.name(), batch, kind, RocksDB::open, (db, write) -> db.write(write, batch));
            }
            if (kind == Batch.SOME) {
                try (WriteBatch batch = new WriteBatch()) {
                    logged(options, "TRANSACTIONS", batch, kind,
                            (given, path) -> TransactionDB.open(given, locks, path),
                            (db, write) -> db.write(write, batch));
                }
            }
            if (kind != Batch.RANGE) {
                try (WriteBatchWithIndex indexed = new WriteBatchWithIndex(true)) {
                    logged(options, "INDEXED " + kind, indexed.getWriteBatch(), kind, RocksDB::open,
                            (db, write) -> db.write(write, indexed));
                }
                try (WriteBatchWithIndex indexed = new WriteBatchWithIndex(true)) {
                    WriteBatch part = indexed.getWriteBatch();
                    logged(options, "WITHIN " + kind, part, kind, RocksDB::open, (db, write) -> db.write(write, part));
                }
            }
        }
    }

    private interface Opening {
        RocksDB open(Options options, String path) throws RocksDBException;
    }

    private interface Writing {
        void write(RocksDB db, WriteOptions options) throws RocksDBException;
    }

    /** Writes a batch twice, and copies the files without what is only in memory. */
    private void logged(Options options, String name, WriteBatch batch, Batch kind, Opening opening, Writing writing)
            throws Exception {
        Path from = directory.resolve(name.replace(' ', '-'));
        Path copy = Files.createDirectory(directory.resolve(from.getFileName() + "-copy"));
        try (RocksDB db = opening.open(options, from.toString()); WriteOptions write = new WriteOptions()) {
            db.put(new byte[]{'0'}, new byte[]{'0'});
            kind.fill(batch);
            lines.put(name + " point", point(batch) + " of " + batch.getDataSize() + " " + batch.count());
            writing.write(db, write);
            lines.put(name + " written", keys(db));
            writing.write(db, write);
            lines.put(name + " sequence", Long.toString(db.getLatestSequenceNumber()));
            lines.put(name + " point later", point(batch) + " " + batch.hasPut() + " " + batch.hasMerge());
            try (Stream<Path> files = Files.list(from)) {
                for (Path file : files.filter(each -> !each.endsWith("LOCK")).toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
        }
        try (RocksDB db = RocksDB.openReadOnly(options, copy.toString())) {
            lines.put(name + " logged", keys(db));
        }
    }

    private static String keys(RocksDB db) {
        StringBuilder keys = new StringBuilder();
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                keys.append(new String(iterator.key(), UTF_8)).append(iterator.value().length).append(' ');
            }
        }
        return keys.toString();
    }

    private interface Call {
        Object run() throws Exception;
    }

    private void line(String name, Call call) {
        String value;
        try {
            value = String.valueOf(call.run());
        } catch (RocksDBException e) {
            value = e.getStatus().getCode().toString();
        } catch (Exception e) {
            value = e.getClass().getName();
        }
        lines.put(name, value);
    }

    private void reading(Options options) throws RocksDBException {
        String path = directory.resolve("ttl").toString();
        line("ttl missing", () -> TtlDB.open(options, path + "-none", 3, true));
        try (TtlDB db = TtlDB.open(options, path)) {
            db.put(new byte[]{'a'}, new byte[3]);
            ColumnFamilyHandle family = db.createColumnFamilyWithTtl(
                    new ColumnFamilyDescriptor("f\0g".getBytes(UTF_8)), 100);
            db.put(family, new byte[]{'b'}, new byte[5]);
        }
        for (int ttl : new int[]{0, -1, 1000, Integer.MAX_VALUE}) {
            try (TtlDB db = TtlDB.open(options, path, ttl, true)) {
                lines.put("ttl " + ttl, keys(db) + db.getLatestSequenceNumber() + " " + db.getName().endsWith("ttl"));
                line("ttl put " + ttl, () -> {
                    db.put(new byte[1], new byte[1]);
                    return "done";
                });
            }
        }
        line("ttl without enough", () -> TtlDB.open(new DBOptions(), path,
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)), new ArrayList<>(),
                List.of(), true));
        for (OpenedAs kind : OpenedAs.values()) {
            line(kind + " without families", () -> kind.open(new DBOptions(), path, List.of(), new ArrayList<>()));
            line(kind + " without the default family", () -> kind.open(new DBOptions(), path,
                    List.of(new ColumnFamilyDescriptor(new byte[]{1})), new ArrayList<>()));
        }
    }
}
