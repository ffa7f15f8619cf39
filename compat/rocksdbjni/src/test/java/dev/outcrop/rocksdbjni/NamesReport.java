package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyMetaData;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.FlushOptions;
import org.rocksdb.ImportColumnFamilyOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;

/** Prints the results of calls on column families with names of any bytes. */
final class NamesReport {

    static final List<byte[]> NAMES = names();
    private static final byte[] KEY = {'k'};

    private NamesReport() {
    }

    private static List<byte[]> names() {
        List<byte[]> names = new ArrayList<>(List.of(new byte[]{0, 0, 0, 1}, new byte[]{0, 0, 0, 2}, new byte[]{0},
                "idx\0A".getBytes(ISO_8859_1), "idx\0B".getBytes(ISO_8859_1), "idx".getBytes(ISO_8859_1),
                new byte[]{(byte) 0xff, (byte) 0xfe}, new byte[]{(byte) 0xff, 1}, "a\nb\rc".getBytes(ISO_8859_1),
                "\\ \"]#: [CFOptions \"x\"]".getBytes(ISO_8859_1), " x ".getBytes(ISO_8859_1)));
        for (byte last : new byte[]{'y', 'z'}) {
            byte[] large = new byte[1 << 16];
            Arrays.fill(large, (byte) 'x');
            large[100] = 0;
            large[large.length - 1] = last;
            names.add(large);
        }
        return names;
    }

    static String show(byte[] bytes) {
        return bytes == null
                ? "null"
                : bytes.length > 100
                        ? bytes.length + " bytes " + Arrays.hashCode(bytes)
                        : HexFormat.of().formatHex(bytes);
    }

    /** For one kind of database; called by reflection, in several class loaders at once. */
    static Map<String, String> brief(Path directory) throws Exception {
        Map<String, String> report = new TreeMap<>();
        new NamesReport.Run(report, Kind.LOCKING, directory.resolve("brief")).run();
        return report;
    }

    static Map<String, String> report(Path directory) throws Exception {
        Map<String, String> report = new TreeMap<>();
        for (Kind kind : Kind.values()) {
            new NamesReport.Run(report, kind, directory.resolve(kind.name())).run();
        }
        imports(report, directory);
        return report;
    }

    private enum Kind {
        PLAIN,
        LOCKING,
        OPTIMISTIC,
        TTL;

        private RocksDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
                List<ColumnFamilyHandle> handles) throws RocksDBException {
            return switch (this) {
                case PLAIN -> RocksDB.open(options, path, families, handles);
                case LOCKING -> {
                    try (TransactionDBOptions locking = new TransactionDBOptions()) {
                        yield TransactionDB.open(options, locking, path, families, handles);
                    }
                }
                case OPTIMISTIC -> OptimisticTransactionDB.open(options, path, families, handles);
                case TTL ->
                    TtlDB.open(options, path, families, handles, Collections.nCopies(families.size(), 0), false);
            };
        }
    }

    private record Run(Map<String, String> report, Kind kind, Path path) {

        private void say(String what, Object value) {
            String before = report.put(kind + " " + what, String.valueOf(value));
            if (before != null) {
                throw new IllegalStateException("twice: " + what);
            }
        }

        private void run() throws Exception {
            Files.createDirectories(path.getParent());
            try (Options options = new Options().setCreateIfMissing(true);
                    DBOptions database = new DBOptions(options)) {
                List<ColumnFamilyDescriptor> first = new ArrayList<>(
                        List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)));
                // Some are there from the beginning.
                for (int i = 0; i < 4; i++) {
                    first.add(new ColumnFamilyDescriptor(NAMES.get(i),
                            new ColumnFamilyOptions().setWriteBufferSize((i + 1L) << 20)));
                }
                database.setCreateMissingColumnFamilies(true);
                List<ColumnFamilyHandle> handles = new ArrayList<>();
                try (RocksDB db = kind.open(database, path.toString(), first, handles)) {
                    create(db, handles);
                }
                List<byte[]> listed = RocksDB.listColumnFamilies(options, path.toString());
                say("listed", listed.stream().map(NamesReport::show).toList());
                List<ColumnFamilyDescriptor> all = listed.stream().map(ColumnFamilyDescriptor::new).toList();
                List<ColumnFamilyHandle> opened = new ArrayList<>();
                try (RocksDB db = kind.open(database, path.toString(), all, opened)) {
                    read("opened", db, opened);
                    files(db, opened);
                    refusals(db);
                    db.dropColumnFamily(opened.get(4));
                    opened.get(4).close();
                }
                say("listed without one",
                        RocksDB.listColumnFamilies(options, path.toString()).stream().map(NamesReport::show).toList());
                reopen(database, options);
                stored(database);
            }
        }

        private void create(RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException {
            for (int i = 4; i < NAMES.size(); i++) {
                ColumnFamilyDescriptor descriptor = new ColumnFamilyDescriptor(NAMES.get(i));
                handles.add(kind == Kind.TTL
                        ? ((TtlDB) db).createColumnFamilyWithTtl(descriptor, 0)
                        : i == 5
                                ? db.createColumnFamilies(List.of(descriptor)).getFirst()
                                : i == 6
                                        ? db.createColumnFamilies(descriptor.getOptions(),
                                                List.of(descriptor.getName())).getFirst()
                                        : db.createColumnFamily(descriptor));
            }
            for (byte[] refused : List.of(new byte[0], NAMES.get(0), NAMES.get(6), NAMES.getLast())) {
                try (ColumnFamilyHandle handle = db.createColumnFamily(new ColumnFamilyDescriptor(refused))) {
                    say("made anew " + show(refused), handle.getID());
                } catch (RocksDBException e) {
                    say("made anew " + show(refused), e.getStatus().getCode() + " " + e.getMessage());
                }
            }
            for (ColumnFamilyHandle handle : handles) {
                say("made " + show(handle.getName()), handle.getID());
                db.put(handle, KEY, ("of " + handle.getID()).getBytes(ISO_8859_1));
            }
        }

        private void read(String how, RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException {
            for (ColumnFamilyHandle handle : handles) {
                byte[] value = db.get(handle, KEY);
                say(how + " " + show(handle.getName()),
                        handle.getID() + " " + (value == null ? "null" : new String(value, ISO_8859_1)));
            }
        }

        private void files(RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException {
            try (FlushOptions flush = new FlushOptions()) {
                for (ColumnFamilyHandle handle : handles) {
                    db.put(handle, NAMES.get(1), new byte[1000]);
                    db.flush(flush, handle);
                }
            }
            for (ColumnFamilyHandle handle : handles) {
                ColumnFamilyDescriptor descriptor = handle.getDescriptor();
                say("descriptor " + show(descriptor.getName()),
                        descriptor.getOptions().writeBufferSize() + " " + descriptor.getOptions().numLevels());
                descriptor.getOptions().close();
                ColumnFamilyMetaData metadata = db.getColumnFamilyMetaData(handle);
                say("metadata " + show(metadata.name()),
                        metadata.fileCount() + " files, " + metadata.levels().size() + " levels, "
                                + metadata.levels().getFirst().files().stream().mapToLong(file -> file.numEntries())
                                        .sum()
                                + " entries, "
                                + metadata.levels().getFirst().files().stream()
                                        .allMatch(file -> file.path().equals(path.toString())));
            }
            List<String> live = new ArrayList<>();
            for (LiveFileMetaData file : db.getLiveFilesMetaData()) {
                live.add(show(file.columnFamilyName()) + " " + file.level() + " " + file.numEntries() + " "
                        + file.numDeletions() + " "
                        + file.beingCompacted() + " " + file.fileChecksum().length + " " + show(file.smallestKey())
                        + " "
                        + show(file.largestKey()) + " " + file.path().equals(path.toString()));
            }
            Collections.sort(live);
            say("live files", live);
        }

        /** RocksDB's exceptions are made by native code. */
        private void refusals(RocksDB db) {
            for (String name : List.of("idx\0A", "idx\0C\0")) {
                try (ColumnFamilyHandle handle = db.createColumnFamily(
                        new ColumnFamilyDescriptor(name.getBytes(ISO_8859_1),
                                new ColumnFamilyOptions().setNumLevels(1)))) {
                    say("refused " + show(name.getBytes(ISO_8859_1)), handle.getID());
                } catch (RocksDBException e) {
                    say("refused " + show(name.getBytes(ISO_8859_1)),
                            e.getStatus().getCode() + " " + e.getStatus().getSubCode() + " " + e.getMessage());
                }
            }
        }

        private void reopen(DBOptions database, Options options) throws RocksDBException {
            List<ColumnFamilyDescriptor> all = RocksDB.listColumnFamilies(options, path.toString()).stream()
                    .map(ColumnFamilyDescriptor::new).toList();
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            if (kind != Kind.TTL) {
                try (RocksDB db = RocksDB.openReadOnly(database, path.toString(), all, handles)) {
                    read("read-only", db, handles);
                }
                handles.clear();
                // A part of them will do.
                try (RocksDB db = RocksDB.openReadOnly(database, path.toString(), List.of(all.get(0), all.get(3)),
                        handles)) {
                    read("part read-only", db, handles);
                }
                handles.clear();
                try (RocksDB db = RocksDB.openAsSecondary(database, path.toString(), path + "-secondary", all,
                        handles)) {
                    read("secondary", db, handles);
                }
                handles.clear();
            }
            database.setCreateMissingColumnFamilies(false);
            try (RocksDB db = kind.open(database, path.toString(),
                    List.of(all.get(0), new ColumnFamilyDescriptor(new byte[]{0, 7})), handles)) {
                say("missing", "opened " + db.getName().length());
            } catch (RocksDBException e) {
                say("missing", e.getStatus().getCode());
            }
        }

        private void stored(DBOptions database) throws RocksDBException {
            for (boolean latest : new boolean[]{true, false}) {
                List<ColumnFamilyDescriptor> loaded = new ArrayList<>();
                try (ConfigOptions config = new ConfigOptions()) {
                    if (latest) {
                        OptionsUtil.loadLatestOptions(config, path.toString(), database, loaded);
                    } else {
                        String file = OptionsUtil.getLatestOptionsFileName(path.toString(),
                                org.rocksdb.Env.getDefault());
                        OptionsUtil.loadOptionsFromFile(config, path.resolve(file).toString(), database, loaded);
                    }
                }
                say("stored " + latest, loaded.stream().map(family -> show(family.getName())).toList());
                loaded.forEach(family -> family.getOptions().close());
            }
        }
    }

    private static void imports(Map<String, String> report, Path directory) throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                ColumnFamilyOptions family = new ColumnFamilyOptions();
                ImportColumnFamilyOptions importing = new ImportColumnFamilyOptions();
                RocksDB db = RocksDB.open(options, directory.resolve("imports").toString());
                Checkpoint checkpoint = Checkpoint.create(db)) {
            List<ColumnFamilyHandle> handles = new ArrayList<>(db.createColumnFamilies(family, NAMES.subList(3, 5)));
            for (int i = 0; i < 2; i++) {
                db.put(handles.get(i), new byte[]{(byte) i}, KEY);
            }
            try (ExportImportFilesMetaData first = checkpoint.exportColumnFamily(handles.get(0),
                    directory.resolve("export-0").toString());
                    ExportImportFilesMetaData second = checkpoint.exportColumnFamily(handles.get(1),
                            directory.resolve("export-1").toString())) {
                List<List<ExportImportFilesMetaData>> exports = List.of(List.of(first), List.of(second),
                        List.of(first, second));
                for (int i = 0; i < exports.size(); i++) {
                    for (byte[] name : List.of(new byte[]{'i', 0, (byte) i}, new byte[]{'i', 1, (byte) (i + 1)})) {
                        try (ColumnFamilyHandle made = db.createColumnFamilyWithImport(new ColumnFamilyDescriptor(name),
                                importing,
                                exports.get(i))) {
                            report.put("import " + i + " " + show(made.getName()),
                                    show(db.get(made, new byte[]{0})) + " " + show(db.get(made, new byte[]{1})));
                        }
                    }
                }
            }
            handles.forEach(ColumnFamilyHandle::close);
        }
    }
}
