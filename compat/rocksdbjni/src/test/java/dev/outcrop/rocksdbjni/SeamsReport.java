package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractMutableOptions;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.DirectSlice;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Prints the results for texts of options, bytes of other lengths, null and empty lists, and objects of others. */
final class SeamsReport {

    private static final String[] DATABASE_TEXTS = {"daily_offpeak_time_utc=02\\:20-19\\:50",
            "daily_offpeak_time_utc=02:20-19:50", "daily_offpeak_time_utc={02:20-19:50}", "daily_offpeak_time_utc=",
            "daily_offpeak_time_utc=;max_open_files=3", "max_open_files=3;", "max_open_files=3;;",
            " max_open_files = 3 ; max_total_wal_size = 7 ", "max_open_files=x", "max_open_files=1:2",
            "max_open_files={1}", "max_open_files={a=1}", "max_open_files=1e3", "max_open_files=3.7",
            "max_open_files=2147483648", "bytes_per_sync=9223372036854775808", "bytes_per_sync=18446744073709551615",
            "avoid_flush_during_shutdown=TRUE", "avoid_flush_during_shutdown=1", "a\\", "", ";", "x=1", "x=", "x=;",
            "x={}", "x={a=1}", "x={a=1;};y=3", "x={a=1;;}", "x={a={b={c=1;};};d=2:{3}};y=3", "x=1:2:3", "x=2:{3}:{5}",
            "x={2}:{3}", "x=1:{}", "x=1:{a\\:b}", "x=1: 2", "x=1:", "x=:1", "x=a\\:b:c", "x=\\:a", "x=a\\;b", "x=a\\",
            "x=a#b", "x=[1.5+2-3_]", "x.y=1", "x=1}", "x={a=1} ;y=2", "x={a=1}z", "x=a b"};
    private static final String[] FAMILY_TEXTS = {"max_bytes_for_level_multiplier_additional=1:2:3",
            "max_bytes_for_level_multiplier_additional=2:{3}:{5}", "max_bytes_for_level_multiplier_additional=1:",
            "max_bytes_for_level_multiplier_additional=;write_buffer_size=1",
            "max_bytes_for_level_multiplier_additional=1:2.0", "compression=kZSTD", "compression=kZSTD:kNoCompression",
            "compression=x", "compression=;write_buffer_size=1", "prepopulate_blob_cache=kFlushOnly",
            "blob_garbage_collection_age_cutoff=1e-3", "write_buffer_size=1;write_buffer_size=2",
            "compression_opts={max_dict_buffer_bytes=0;checksum=false;level=32767;};compression=kSnappyCompression"};
    private static final byte[] KEY = {1, 2, 3};
    private static final byte[] VALUE = {4, 5, 6};

    private final Map<String, String> lines = new TreeMap<>();

    private SeamsReport() {
    }

    static Map<String, String> report(Path directory) throws RocksDBException {
        RocksDB.loadLibrary();
        SeamsReport report = new SeamsReport();
        report.texts();
        report.slices();
        try (StringAppendOperator append = new StringAppendOperator("+-");
                Options options = new Options().setCreateIfMissing(true).setMergeOperator(append);
                TransactionDBOptions locks = new TransactionDBOptions();
                TransactionDB database = TransactionDB.open(options, locks, directory.toString())) {
            database.put(KEY, VALUE);
            report.lengths(database);
            report.lists(database);
            report.options(database);
            report.batches(database, false);
            report.batches(database, true);
            report.log(database);
        }
        return report.lines;
    }

    private interface Call {
        Object run() throws Exception;
    }

    private void line(String name, Call call) {
        String value;
        try {
            Object result = call.run();
            value = result instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(result);
        } catch (Exception e) {
            value = e.getClass().getName();
        }
        lines.put(name, value);
    }

    private void texts() {
        for (String text : DATABASE_TEXTS) {
            line("database '" + text + "'", () -> MutableDBOptions.parse(text).build());
            line("database, all '" + text + "'", () -> {
                var builder = MutableDBOptions.parse(text, true);
                AbstractMutableOptions built = builder.build();
                return built + " " + builder.getUnknown();
            });
        }
        for (String text : FAMILY_TEXTS) {
            line("family '" + text + "'", () -> {
                var builder = MutableColumnFamilyOptions.parse(text, true);
                return builder.build() + " " + builder.getUnknown();
            });
        }
    }

    private void slices() {
        ByteBuffer text = ByteBuffer.allocateDirect(8).put("abcde".getBytes(UTF_8)).position(2).limit(4);
        line("slice of a buffer with a zero", () -> new DirectSlice(text));
        line("slice of a buffer with a length", () -> new DirectSlice(text, 7).size());
        line("slice of a heap buffer", () -> new DirectSlice(ByteBuffer.allocate(1)));
        line("slice of an array from its end", () -> new Slice(KEY, 3).size());
        line("slice of an array from before it", () -> new Slice(KEY, -1));
    }

    private void lengths(RocksDB db) {
        for (int[] part : new int[][]{{0, -1}, {-1, 1}, {0, 4}, {4, 0}, {3, 0}, {1, Integer.MAX_VALUE}, {-1, -1}}) {
            int at = part[0];
            int length = part[1];
            String name = at + "," + length + " ";
            line(name + "key to put", () -> done(() -> db.put(KEY, at, length, VALUE, 0, 1)));
            line(name + "value to put", () -> done(() -> db.put(KEY, 0, 1, VALUE, at, length)));
            line(name + "key to merge", () -> done(() -> db.merge(KEY, at, length, VALUE, 0, 1)));
            if (length >= 0) {
                line(name + "key to delete", () -> done(() -> db.delete(new byte[3], at, length)));
            }
            line(name + "key to get", () -> db.get(KEY, at, length));
            line(name + "get into", () -> db.get(KEY, 0, 3, new byte[3], at, length));
            line(name + "key to look for", () -> db.keyExists(KEY, at, length));
            line(name + "key of an iterator", () -> {
                try (RocksIterator iterator = db.newIterator()) {
                    iterator.seekToFirst();
                    return iterator.key(new byte[3], at, length);
                }
            });
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static String done(Action action) throws Exception {
        action.run();
        return "done";
    }

    private void lists(RocksDB db) {
        for (List<ColumnFamilyHandle> families : Arrays.asList(null, List.<ColumnFamilyHandle>of())) {
            String name = (families == null ? "null" : "empty") + " list: ";
            line(name + "compactions", () -> done(() -> db.enableAutoCompaction(families)));
            line(name + "flush", () -> done(() -> {
                try (FlushOptions flush = new FlushOptions()) {
                    db.flush(flush, families);
                }
            }));
            line(name + "iterators", () -> db.newIterators(families));
            line(name + "drop", () -> done(() -> db.dropColumnFamilies(families)));
        }
        line("no listeners", () -> {
            try (Options options = new Options(); DBOptions database = new DBOptions()) {
                options.setListeners(List.of(new AbstractEventListener() {
                }));
                options.setListeners(null);
                database.setListeners(null);
                return options.listeners().size() + database.listeners().size();
            }
        });
    }

    private void options(TransactionDB db) {
        try (WriteOptions given = new WriteOptions(); Transaction transaction = db.beginTransaction(given)) {
            WriteOptions options = transaction.getWriteOptions();
            line("options of a transaction", () -> {
                options.setSync(true).setDisableWAL(true).setNoSlowdown(true);
                WriteOptions again = transaction.getWriteOptions();
                return again.sync() + " " + again.disableWAL() + " " + again.noSlowdown() + " " + given.sync() + " "
                        + again.isOwningHandle();
            });
            line("closed options of a transaction", () -> {
                options.close();
                return options.sync();
            });
            line("other options of a transaction", () -> {
                transaction.setWriteOptions(given);
                return options.sync();
            });
            line("a copy of the options of a transaction", () -> {
                try (WriteOptions copy = new WriteOptions(options)) {
                    copy.setSync(true);
                    return options.sync() + " " + copy.isOwningHandle();
                }
            });
            line("without a log", () -> {
                long before = db.getLatestSequenceNumber();
                options.setSync(false).setDisableWAL(true);
                transaction.put(KEY, VALUE);
                transaction.commit();
                try (TransactionLogIterator log = db.getUpdatesSince(before + 1)) {
                    return log.isValid();
                }
            });
        }
    }

    private void batches(TransactionDB db, boolean overwrite) {
        String name = "batch " + overwrite + ": ";
        byte[] key = {(byte) (overwrite ? 8 : 9)};
        try (WriteBatchWithIndex indexed = new WriteBatchWithIndex(overwrite);
                DBOptions options = new DBOptions();
                ReadOptions read = new ReadOptions();
                WriteOptions write = new WriteOptions()) {
            WriteBatch batch = indexed.getWriteBatch();
            line(name + "sees what comes later", () -> {
                indexed.put(KEY, VALUE);
                return batch.count() + " " + batch.getDataSize() + " " + batch.hasPut() + " " + batch.hasDelete() + " "
                        + batch.isOwningHandle() + " " + HexFormat.of().formatHex(batch.data());
            });
            line(name + "adds to the other", () -> {
                batch.put(key, VALUE);
                batch.put(db.getDefaultColumnFamily(), new byte[]{7}, VALUE);
                batch.delete(new byte[]{6});
                batch.singleDelete(new byte[]{5});
                batch.putLogData(new byte[2]);
                return indexed.count() + " " + Arrays.toString(indexed.getFromBatch(options, key));
            });
            line(name + "rolls back", () -> {
                batch.setSavePoint();
                indexed.put(KEY, VALUE);
                batch.rollbackToSavePoint();
                indexed.setSavePoint();
                batch.put(KEY, VALUE);
                indexed.rollbackToSavePoint();
                return batch.count() + " " + indexed.count();
            });
            line(name + "knows no place", () -> done(batch::popSavePoint));
            line(name + "is limited", () -> done(() -> {
                batch.setMaxBytes(batch.getDataSize() + 5);
                indexed.put(KEY, VALUE);
            }));
            line(name + "stays open", () -> {
                batch.setMaxBytes(0);
                batch.close();
                return batch.count() + " " + batch.getWriteBatch().equals(batch);
            });
            line(name + "is written", () -> {
                db.write(write, batch);
                byte[] value = db.get(key);
                db.delete(key);
                db.write(write, indexed);
                return Arrays.equals(value, db.get(key));
            });
            line(name + "is cleared", () -> {
                batch.clear();
                return indexed.count() + " " + batch.getDataSize();
            });
            try (Transaction transaction = db.beginTransaction(write)) {
                line(name + "of a transaction", () -> {
                    transaction.put(KEY, VALUE);
                    transaction.getWriteBatch().getWriteBatch().put(key, KEY);
                    String seen = transaction.getWriteBatch().count() + " " + transaction.get(read, key).length;
                    transaction.commit();
                    return seen + " " + HexFormat.of().formatHex(db.get(key));
                });
            }
        }
    }

    /** Follows a log over its end, a flush and a new file. */
    private void log(RocksDB db) throws RocksDBException {
        db.put(new byte[]{20}, VALUE);
        try (TransactionLogIterator log = db.getUpdatesSince(db.getLatestSequenceNumber());
                FlushOptions flush = new FlushOptions()) {
            for (int step = 0; step < 12; step++) {
                switch (step) {
                    case 3, 5, 7, 8 -> db.put(new byte[]{(byte) step}, VALUE);
                    case 6 -> db.flush(flush);
                    default -> {
                        // Only goes on.
                    }
                }
                line("log " + step, () -> {
                    String found = "none";
                    if (log.isValid()) {
                        byte[] batch = log.getBatch().writeBatch().data();
                        found = HexFormat.of().formatHex(batch, 12, batch.length);
                    }
                    log.next();
                    return found + " " + log.isValid();
                });
                line("log " + step + " status", () -> done(log::status));
            }
        }
    }
}
