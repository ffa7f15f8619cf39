package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.AbstractMutableOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileMetaData;
import org.rocksdb.TableProperties;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.WriteOptions;

/** Prints what each kind of database says of itself, and what maintenance does to its files, in families with names of any bytes. */
@SuppressWarnings("deprecation") // programs call it
@NullUnmarked // null is an argument like any other here
final class MaintenanceReport {

    private static final List<byte[]> NAMES = List.of(RocksDB.DEFAULT_COLUMN_FAMILY, "idx\0A".getBytes(ISO_8859_1),
            new byte[]{(byte) 0xff, 1});
    private static final byte[] B = {'b'};
    private static final byte[] D = {'d'};
    private static final byte[] F = {'f'};
    private static final byte[] NONE = {};

    private final Map<String, String> lines = new TreeMap<>();
    private final OpenedAs kind;
    private final String path;

    private MaintenanceReport(OpenedAs kind, Path directory) {
        this.kind = kind;
        path = directory.resolve(kind.name()).toString();
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        Map<String, String> all = new TreeMap<>();
        for (OpenedAs kind : OpenedAs.values()) {
            MaintenanceReport report = new MaintenanceReport(kind, directory);
            report.run();
            report.lines.forEach((key, value) -> all.put(kind + " " + key, value));
        }
        return all;
    }

    private interface Call {
        Object run() throws Exception;
    }

    private interface Action {
        void run() throws Exception;
    }

    private void line(String name, Call call) {
        if (lines.put(name, result(call)) != null) {
            throw new IllegalStateException("twice: " + name);
        }
    }

    private void done(String name, Action action) {
        line(name, () -> {
            action.run();
            return "done";
        });
    }

    private String result(Call call) {
        try {
            return String.valueOf(call.run()).replace(path, "PATH").replace("\n", "\\n");
        } catch (RocksDBException e) {
            return e.getStatus() == null
                    ? e.toString()
                    : e.getStatus().getCode() + " " + e.getStatus().getSubCode()
                            + (kind.writes() ? " " + e.getStatus().getState() : "");
        } catch (Exception | IncompatibleClassChangeError e) {
            return e.getClass().getName();
        }
    }

    private void run() throws Exception {
        try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)
                .setMaxOpenFiles(-1);
                ColumnFamilyOptions first = new ColumnFamilyOptions().setDisableAutoCompactions(true)
                        .setCompressionType(CompressionType.NO_COMPRESSION);
                BloomFilter filter = new BloomFilter(10);
                ColumnFamilyOptions second = new ColumnFamilyOptions(first).setNumLevels(4)
                        .setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(filter))
                        .setLevel0StopWritesTrigger(77)
                        .setMaxBytesForLevelMultiplierAdditional(new int[]{1, 2, 3});
                FlushOptions flush = new FlushOptions()) {
            List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(NAMES.get(0), first),
                    new ColumnFamilyDescriptor(NAMES.get(1), second), new ColumnFamilyDescriptor(NAMES.get(2), first));
            if (!kind.writes()) {
                try (RocksDB db = kind.writer().open(options, path, families, new ArrayList<>())) {
                    fill(db, db.getDefaultColumnFamily(), flush);
                }
            }
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (RocksDB db = kind.open(options, path, families, handles)) {
                tell("empty ", db, handles);
                if (kind.writes()) {
                    for (ColumnFamilyHandle handle : handles) {
                        fill(db, handle, flush);
                    }
                }
                tell("full ", db, handles);
                iterate(db, handles.get(kind.writes() ? 1 : 0));
                if (kind.writes()) {
                    change(db, handles, flush);
                    tell("changed ", db, handles);
                    dropped(db, handles.get(2));
                    enable(db, handles.subList(0, 2));
                }
            }
        }
    }

    /** Writes three files, whose keys do not overlap, and two entries that are not flushed. */
    private static void fill(RocksDB db, ColumnFamilyHandle handle, FlushOptions flush) throws RocksDBException {
        for (String keys : List.of("ab", "cd", "ef")) {
            for (byte key : keys.getBytes(ISO_8859_1)) {
                db.put(handle, new byte[]{key}, new byte[100]);
            }
            if (keys.equals("cd")) {
                db.delete(handle, new byte[]{'d', 'd'});
            }
            db.flush(flush, handle);
        }
        db.put(handle, B, B);
        db.put(handle, D, D);
    }

    private void tell(String when, RocksDB db, List<ColumnFamilyHandle> handles) {
        for (String name : List.of("rocksdb.estimate-num-keys", "rocksdb.num-immutable-mem-table", "rocksdb.stats",
                "rocksdb.block-cache-capacity", "rocksdb.num-live-versions", "rocksdb.background-errors",
                "rocksdb.num-entries-active-mem-table", "rocksdb.total-sst-files-size", "", "x\0", "rocksdb.ä",
                "rocksdb.num-files-at-level0")) {
            line(when + "aggregated " + name.replace("\0", "\\0"), () -> db.getAggregatedLongProperty(name));
        }
        line(when + "aggregated null", () -> db.getAggregatedLongProperty(null));
        line(when + "database options", () -> options(db.getDBOptions().build(), db.getDBOptions().getUnknown()));
        done(when + "reset", db::resetStats);
        about(when + "alone ", db, new OfDefault(db));
        about(when + "null ", db, new OfFamily(db, null));
        for (ColumnFamilyHandle handle : handles) {
            about(when + handles.indexOf(handle) + " ", db, new OfFamily(db, handle));
        }
        line(when + "files", () -> {
            List<String> files = new ArrayList<>();
            for (LiveFileMetaData file : db.getLiveFilesMetaData()) {
                files.add(HexFormat.of().formatHex(file.columnFamilyName()) + " " + file.level() + " " + file(file));
            }
            files.sort(null);
            return files;
        });
    }

    private static String file(SstFileMetaData file) {
        return new String(file.smallestKey(), ISO_8859_1) + "-" + new String(file.largestKey(), ISO_8859_1) + " "
                + file.numEntries() + " " + file.numDeletions() + " " + file.numReadsSampled() + " "
                + file.beingCompacted();
    }

    /** Options as text: the values that are known, then the others. */
    private static String options(AbstractMutableOptions known, List<?> unknown) {
        return known + " / " + String.join(", ", unknown.stream().map(String::valueOf).toList());
    }

    /** The calls about one family. */
    private interface About {
        Map<String, String> map(String property) throws RocksDBException;

        RocksDB.CountAndSize memory(Range range) throws RocksDBException;

        String options() throws RocksDBException;

        Map<String, TableProperties> tables() throws RocksDBException;

        Map<String, TableProperties> tables(List<Range> ranges) throws RocksDBException;

        Range suggest() throws RocksDBException;

        String levels();
    }

    private record OfDefault(RocksDB db) implements About {
        @Override
        public Map<String, String> map(String property) throws RocksDBException {
            return db.getMapProperty(property);
        }

        @Override
        public RocksDB.CountAndSize memory(Range range) {
            return db.getApproximateMemTableStats(range);
        }

        @Override
        public String options() throws RocksDBException {
            return MaintenanceReport.options(db.getOptions().build(), db.getOptions().getUnknown());
        }

        @Override
        public Map<String, TableProperties> tables() throws RocksDBException {
            return db.getPropertiesOfAllTables();
        }

        @Override
        public Map<String, TableProperties> tables(List<Range> ranges) throws RocksDBException {
            return db.getPropertiesOfTablesInRange(ranges);
        }

        @Override
        public Range suggest() throws RocksDBException {
            return db.suggestCompactRange();
        }

        @Override
        public String levels() {
            return db.numberLevels() + " " + db.level0StopWriteTrigger() + " " + db.maxMemCompactionLevel();
        }
    }

    private record OfFamily(RocksDB db, ColumnFamilyHandle family) implements About {
        @Override
        public Map<String, String> map(String property) throws RocksDBException {
            return db.getMapProperty(family, property);
        }

        @Override
        public RocksDB.CountAndSize memory(Range range) {
            return db.getApproximateMemTableStats(family, range);
        }

        @Override
        public String options() throws RocksDBException {
            return MaintenanceReport.options(db.getOptions(family).build(), db.getOptions(family).getUnknown());
        }

        @Override
        public Map<String, TableProperties> tables() throws RocksDBException {
            return db.getPropertiesOfAllTables(family);
        }

        @Override
        public Map<String, TableProperties> tables(List<Range> ranges) throws RocksDBException {
            return db.getPropertiesOfTablesInRange(family, ranges);
        }

        @Override
        public Range suggest() throws RocksDBException {
            return db.suggestCompactRange(family);
        }

        @Override
        public String levels() {
            return db.numberLevels(family) + " " + db.level0StopWriteTrigger(family) + " "
                    + db.maxMemCompactionLevel(family);
        }
    }

    private void about(String name, RocksDB db, About about) {
        for (String property : List.of("rocksdb.cfstats", "rocksdb.aggregated-table-properties", "rocksdb.dbstats",
                "rocksdb.stats", "", "rocksdb.num-files-at-level0", "ä", "rocksdb.cfstats\0")) {
            line(name + "map " + property.replace("\0", "\\0"), () -> {
                Map<String, String> map = about.map(property);
                return new TreeSet<>(map.keySet()) + " " + map.get("compaction.Sum.NumFiles") + " "
                        + map.get("num_entries");
            });
        }
        line(name + "map null", () -> about.map(null));
        line(name + "options", about::options);
        line(name + "levels", about::levels);
        line(name + "tables", () -> tables(about.tables()));
        line(name + "tables in null", () -> tables(about.tables(null)));
        line(name + "tables in a list with null", () -> tables(about.tables(Arrays.asList((Range) null))));
        line(name + "memory of null", () -> about.memory(null));
        List<byte[][]> pairs = List.of(new byte[][]{NONE, {(byte) 0xff}}, new byte[][]{B, D}, new byte[][]{D, B},
                new byte[][]{B, B}, new byte[][]{F, {'g'}}, new byte[][]{{'x'}, {'y'}}, new byte[][]{NONE, NONE});
        for (byte[][] pair : pairs) {
            String keys = new String(pair[0], ISO_8859_1) + "-" + new String(pair[1], ISO_8859_1);
            try (Slice from = new Slice(pair[0]); Slice to = new Slice(pair[1])) {
                Range range = new Range(from, to);
                line(name + "memory " + keys, () -> {
                    RocksDB.CountAndSize memory = about.memory(range);
                    return memory.count + " " + memory.size;
                });
            }
        }
        line(name + "suggestion", () -> {
            Range range = about.suggest();
            return Arrays.toString(db.getApproximateSizes(List.of(range), SizeApproximationFlag.INCLUDE_FILES));
        });
    }

    private static Object names(Map<String, TableProperties> tables) {
        return new TreeSet<>(tables.keySet());
    }

    /** The properties of tables, but for those that no two runs have in common. */
    private static Object tables(Map<String, TableProperties> tables) throws ReflectiveOperationException {
        Map<String, Object> all = new TreeMap<>();
        for (Map.Entry<String, TableProperties> table : tables.entrySet()) {
            Map<String, Object> properties = new TreeMap<>();
            for (Method getter : TableProperties.class.getMethods()) {
                if (getter.getName().startsWith("get") && getter.getDeclaringClass() == TableProperties.class
                        && !getter.getName().endsWith("Time")) {
                    Object value = getter.invoke(table.getValue());
                    properties.put(getter.getName(), value instanceof byte[] bytes
                            ? HexFormat.of().formatHex(bytes)
                            : value instanceof Map<?, ?> map ? new TreeMap<>(map) : value);
                }
            }
            all.put(table.getKey(), properties);
        }
        return all;
    }

    /** Iterators that go back to a snapshot, and to the present again. */
    private void iterate(RocksDB db, ColumnFamilyHandle family) {
        Snapshot snapshot = db.getSnapshot();
        line("snapshot", () -> snapshot != null);
        try (ReadOptions plain = new ReadOptions();
                ReadOptions tailing = new ReadOptions().setTailing(true);
                ReadOptions old = new ReadOptions().setSnapshot(snapshot);
                Slice limit = new Slice(D);
                ReadOptions bounded = new ReadOptions().setIterateUpperBound(limit)) {
            if (snapshot != null && kind.writes()) {
                done("after the snapshot", () -> db.put(family, new byte[]{'g'}, B));
            }
            refresh("plain", db.newIterator(family, plain), snapshot);
            refresh("default", db.newIterator(family), snapshot);
            refresh("tailing", db.newIterator(family, tailing), snapshot);
            refresh("of a snapshot", db.newIterator(family, old), snapshot);
            refresh("bounded", db.newIterator(family, bounded), snapshot);
            if (db instanceof TransactionDB transactions) {
                try (WriteOptions write = new WriteOptions();
                        Transaction transaction = transactions.beginTransaction(write)) {
                    done("in a transaction", () -> transaction.put(family, new byte[]{'h'}, B));
                    refresh("of a transaction", transaction.getIterator(plain, family), snapshot);
                }
            }
        }
        db.releaseSnapshot(snapshot);
        line("after the release", () -> keys(db.newIterator(family)));
    }

    private void refresh(String name, RocksIterator iterator, Snapshot snapshot) {
        try (iterator) {
            line("iterator " + name, () -> walk(iterator));
            done("iterator " + name + " refreshed", () -> iterator.refresh(snapshot));
            line("iterator " + name + " is valid", iterator::isValid);
            line("iterator " + name + " at the snapshot", () -> walk(iterator));
            done("iterator " + name + " refreshed again", iterator::refresh);
            line("iterator " + name + " at the end", () -> walk(iterator));
            done("iterator " + name + " refreshed to null", () -> iterator.refresh(null));
            done("iterator " + name + " has status", iterator::status);
        }
    }

    private static String keys(RocksIterator iterator) {
        try (iterator) {
            return walk(iterator);
        }
    }

    private static String walk(RocksIterator iterator) {
        StringBuilder keys = new StringBuilder();
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
            keys.append(new String(iterator.key(), ISO_8859_1)).append(' ');
        }
        return keys.toString();
    }

    private void change(RocksDB db, List<ColumnFamilyHandle> handles, FlushOptions flush) {
        ColumnFamilyHandle family = handles.get(1);
        MutableColumnFamilyOptions larger = MutableColumnFamilyOptions.builder().setWriteBufferSize(1 << 20).build();
        done("set options", () -> db.setOptions(larger));
        done("set options of a family", () -> db.setOptions(family, larger));
        done("set no options", () -> db.setOptions(family, MutableColumnFamilyOptions.builder().build()));
        done("set null", () -> db.setOptions(family, null));
        done("set options that there are not", () -> db.setOptions(family,
                MutableColumnFamilyOptions.parse("write_buffer_size=-3").build()));
        for (int level : new int[]{-1, 0, 9, 3, 2, Integer.MAX_VALUE}) {
            done("promote to " + level, () -> db.promoteL0(level));
            done("promote a family to " + level, () -> db.promoteL0(family, level));
        }
        line("promoted", () -> db.getLiveFilesMetaData().stream()
                .map(file -> HexFormat.of().formatHex(file.columnFamilyName()) + file.level()).sorted().toList());
        files(db, family);
        clips(db, family, flush);
    }

    /** Turns automatic compactions on. */
    private void enable(RocksDB db, List<ColumnFamilyHandle> handles) {
        done("enable for null", () -> db.enableAutoCompaction(null));
        done("enable for none", () -> db.enableAutoCompaction(List.of()));
        done("enable for a list with null", () -> db.enableAutoCompaction(Arrays.asList((ColumnFamilyHandle) null)));
        done("enable for two", () -> db.enableAutoCompaction(handles));
        for (ColumnFamilyHandle handle : handles) {
            line("disabled " + handles.indexOf(handle), () -> db.getOptions(handle).disableAutoCompactions());
        }
    }

    private void files(RocksDB db, ColumnFamilyHandle family) {
        done("delete files in null", () -> db.deleteFilesInRanges(family, null, false));
        done("delete files in no range", () -> db.deleteFilesInRanges(family, List.of(), false));
        done("delete files in half a range", () -> db.deleteFilesInRanges(family, List.of(B), false));
        for (boolean include : new boolean[]{false, true}) {
            for (List<byte[]> ranges : List.of(List.of(new byte[]{'a'}, new byte[]{'a', 'a'}), List.of(F, D),
                    List.of(new byte[]{'c'}, new byte[]{'d', 'd'}),
                    Arrays.asList(null, new byte[]{'b'}), List.of(NONE, new byte[]{'a'}, new byte[]{'e'}, F))) {
                String name = "delete files in "
                        + ranges.stream().map(key -> key == null ? "null" : new String(key, ISO_8859_1)).toList()
                        + " " + include;
                done(name, () -> db.deleteFilesInRanges(family, ranges, include));
                line(name + " leaves", () -> names(db.getPropertiesOfAllTables(family)));
            }
        }
        done("delete files in the default family", () -> db.deleteFilesInRanges(null, List.of(F, F), false));
    }

    private void clips(RocksDB db, ColumnFamilyHandle family, FlushOptions flush) throws AssertionError {
        done("clip to null", () -> db.clipColumnFamily(family, null, F));
        done("clip null", () -> db.clipColumnFamily(null, B, F));
        done("clip to before null", () -> db.clipColumnFamily(family, B, null));
        for (byte[][] clip : new byte[][][]{{B, F}, {D, F}, {NONE, F}, {B, B}, {NONE, NONE}}) {
            String name = "clip to " + new String(clip[0], ISO_8859_1) + "-" + new String(clip[1], ISO_8859_1);
            done(name + " filled", () -> fill(db, family, flush));
            done(name, () -> db.clipColumnFamily(family, clip[0], clip[1]));
            line(name + " leaves", () -> keys(db.newIterator(family)));
        }
    }

    /** Calls with a dropped family. */
    private void dropped(RocksDB db, ColumnFamilyHandle family) {
        done("drop", () -> db.dropColumnFamily(family));
        about("dropped ", db, new OfFamily(db, family));
        done("dropped delete files", () -> db.deleteFilesInRanges(family, List.of(B, F), false));
        line("dropped aggregated", () -> db.getAggregatedLongProperty("rocksdb.estimate-num-keys"));
        done("dropped promote", () -> db.promoteL0(family, 1));
        done("dropped close", family::close);
        line("dropped and closed aggregated", () -> db.getAggregatedLongProperty("rocksdb.estimate-num-keys"));
        line("dropped and closed cache", () -> db.getAggregatedLongProperty("rocksdb.block-cache-capacity"));
    }
}
