package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TableProperties;
import org.rocksdb.WalFilter;
import org.rocksdb.WalProcessingOption;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Prints the arguments of filters of the log and of table files, and the results. */
@NullUnmarked // null is a result like any other here
final class ReadFiltersReport {

    private final Path directory;
    private final Map<String, String> lines = new TreeMap<>();

    private ReadFiltersReport(Path directory) {
        this.directory = directory;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        ReadFiltersReport report = new ReadFiltersReport(directory);
        for (WalProcessingOption option : WalProcessingOption.values()) {
            report.log(option);
        }
        report.changedLog();
        report.tables();
        return report.lines;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String keys(RocksDB db) {
        StringBuilder keys = new StringBuilder();
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                keys.append(new String(iterator.key(), UTF_8)).append('=').append(new String(iterator.value(), UTF_8))
                        .append(' ');
            }
        }
        return keys.toString();
    }

    /** Three writes that are in the log only. */
    private static void write(Path path) throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true).setAvoidFlushDuringShutdown(true);
                RocksDB db = RocksDB.open(options, path.toString());
                WriteBatch batch = new WriteBatch();
                WriteOptions write = new WriteOptions()) {
            db.put(bytes("a"), bytes("1"));
            batch.put(bytes("b"), bytes("2"));
            batch.put(bytes("c"), bytes("3"));
            db.write(write, batch);
            db.put(bytes("d"), bytes("4"));
        }
    }

    /** Does something at the second record. */
    private final class Second extends AbstractWalFilter {
        private final String name;
        private final LogRecordFoundResult result;
        private int records;

        Second(String name, LogRecordFoundResult result) {
            this.name = name;
            this.result = result;
        }

        @Override
        public void columnFamilyLogNumberMap(Map<Integer, Long> logs, Map<String, Integer> ids) {
            lines.put(name + " families", new TreeMap<>(logs) + " " + new TreeMap<>(ids));
        }

        @Override
        public LogRecordFoundResult logRecordFound(long number, String file, WriteBatch batch, WriteBatch changed) {
            lines.put(name + " record " + ++records,
                    number + " " + Path.of(file).getFileName() + " " + batch.count() + " " + changed.count());
            if (records == 2 && result == null) {
                try {
                    changed.put(bytes("x"), bytes("9"));
                    changed.delete(bytes("a"));
                } catch (RocksDBException e) {
                    throw new IllegalStateException(e);
                }
                return new LogRecordFoundResult(WalProcessingOption.CONTINUE_PROCESSING, true);
            }
            return records == 2 ? result : LogRecordFoundResult.CONTINUE_UNCHANGED;
        }

        @Override
        public String name() {
            return "second";
        }
    }

    private void open(String name, Path path, Second filter) {
        try (Options options = new Options().setWalFilter(filter)) {
            lines.put(name + " getter", options.walFilter().equals(filter) + "");
            try (RocksDB db = RocksDB.open(options, path.toString())) {
                lines.put(name + " opened", keys(db));
            }
        } catch (RocksDBException e) {
            lines.put(name + " opened", e.getStatus().getCodeString());
        }
    }

    private void log(WalProcessingOption option) throws RocksDBException {
        String name = "log " + option;
        Path path = directory.resolve(option.name());
        write(path);
        try (Second filter = new Second(name, new WalFilter.LogRecordFoundResult(option, false))) {
            open(name, path, filter);
        }
    }

    private void changedLog() throws RocksDBException {
        Path path = directory.resolve("changed");
        write(path);
        try (Second filter = new Second("changed", null)) {
            open("changed", path, filter);
        }
    }

    /** Skips tables with many entries. */
    private void tables() throws RocksDBException {
        try (AbstractTableFilter few = new AbstractTableFilter() {
            @Override
            public boolean filter(TableProperties table) {
                lines.put("table of " + table.getNumEntries(), table.getRawKeySize() + " " + table.getComparatorName());
                return table.getNumEntries() < 10;
            }
        };
                Options options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
                RocksDB db = RocksDB.open(options, directory.resolve("tables").toString());
                FlushOptions flush = new FlushOptions();
                ReadOptions read = new ReadOptions().setTableFilter(few);
                ReadOptions copy = new ReadOptions(read)) {
            for (int i = 0; i < 20; i++) {
                db.put(bytes("many" + i), bytes(""));
            }
            db.flush(flush);
            for (int i = 0; i < 5; i++) {
                db.put(bytes("few" + i), bytes(""));
            }
            db.flush(flush);
            db.put(bytes("memtable"), bytes(""));
            lines.put("read", count(db, read));
            lines.put("read with a copy", count(db, copy));
            lines.put("read by key", (db.get(read, bytes("many1")) == null) + "");
        }
    }

    private static String count(RocksDB db, ReadOptions read) {
        int found = 0;
        try (RocksIterator iterator = db.newIterator(read)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                found++;
            }
        }
        return found + "";
    }
}
