package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.ImportColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TableProperties;
import org.rocksdb.util.ReverseBytewiseComparator;

/** Prints what readers of table files find, and what comes of importing several exports. */
@NullUnmarked // null is an argument like any other here
final class TableFilesReport {

    private final ReportLines report;
    private final Path directory;

    private TableFilesReport(Path directory) {
        this.directory = directory;
        report = new ReportLines(directory);
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        TableFilesReport made = new TableFilesReport(directory);
        try (Options plain = new Options().setCreateIfMissing(true);
                StringAppendOperator append = new StringAppendOperator("+");
                Options merging = new Options().setCreateIfMissing(true).setMergeOperator(append);
                Options reverse = new Options().setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR);
                ComparatorOptions comparing = new ComparatorOptions();
                ReverseBytewiseComparator inJava = new ReverseBytewiseComparator(comparing);
                Options java = new Options().setComparator(inJava)) {
            String file = made.write("table", plain);
            made.read("plain", plain, file);
            made.read("merging", merging, made.write("merges", merging));
            made.read("reverse", reverse, made.write("backwards", reverse));
            made.read("java", java, made.write("in java", java));
            made.seeks("plain", plain, file);
            made.seeks("java", java, directory.resolve("in java").toString());
            made.badFiles(plain, file);
            made.lives(plain, file);
            made.imports(merging);
        }
        return made.report.all();
    }

    private String write(String name, Options options) throws RocksDBException {
        String path = directory.resolve(name).toString();
        boolean isReverse = name.equals("backwards") || name.equals("in java");
        try (EnvOptions environment = new EnvOptions();
                SstFileWriter writer = new SstFileWriter(environment, options)) {
            writer.open(path);
            for (int i = 0; i < 200; i++) {
                byte[] key = key(isReverse ? 199 - i : i);
                if (i % 10 == 7) {
                    writer.delete(key);
                } else if (i == 150 && name.equals("merges")) {
                    writer.merge(key, b("operand"));
                } else {
                    writer.put(key, b("value" + i));
                }
            }
            writer.finish();
        }
        return path;
    }

    private static byte[] key(int number) {
        return b(String.format("key%03d", number));
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    private void read(String name, Options options, String file) throws RocksDBException {
        try (SstFileReader reader = new SstFileReader(options); ReadOptions read = new ReadOptions()) {
            report.done(name + " open", () -> reader.open(file));
            report.done(name + " verify", reader::verifyChecksum);
            report.line(name + " properties", () -> {
                TableProperties found = reader.getTableProperties();
                return found.getNumEntries() + " " + found.getRawKeySize() + " " + found.getRawValueSize() + " "
                        + found.getDataSize() + " " + found.getNumDataBlocks() + " " + found.getComparatorName() + " "
                        + found.getMergeOperatorName() + " " + found.getFormatVersion() + " "
                        + found.getCompressionName() + " " + found.getFilterPolicyName() + " "
                        + found.getUserCollectedProperties().size() + " " + found.getReadableProperties();
            });
            report.line(name + " forward", () -> walk(reader, read, true));
            report.line(name + " backward", () -> walk(reader, read, false));
            try (Slice lower = new Slice("key01");
                    Slice upper = new Slice("key03");
                    ReadOptions bounded = new ReadOptions().setIterateLowerBound(lower).setIterateUpperBound(upper)) {
                report.line(name + " bounded", () -> walk(reader, bounded, true));
                report.line(name + " bounded backward", () -> walk(reader, bounded, false));
            }
        }
    }

    private static String walk(SstFileReader reader, ReadOptions read, boolean isForward) {
        StringBuilder all = new StringBuilder();
        try (SstFileReaderIterator entries = reader.newIterator(read)) {
            if (isForward) {
                entries.seekToFirst();
            } else {
                entries.seekToLast();
            }
            while (entries.isValid()) {
                all.append(new String(entries.key(), UTF_8)).append('=').append(new String(entries.value(), UTF_8))
                        .append(' ');
                if (isForward) {
                    entries.next();
                } else {
                    entries.prev();
                }
            }
            try {
                entries.status();
            } catch (RocksDBException e) {
                all.append(e.getMessage());
            }
        }
        return all.toString();
    }

    private void seeks(String name, Options options, String file) throws RocksDBException {
        try (SstFileReader reader = new SstFileReader(options);
                ReadOptions read = new ReadOptions()) {
            reader.open(file);
            try (SstFileReaderIterator entries = reader.newIterator(read)) {
                for (String target : new String[]{"", "key050", "key0505", "key007", "zzz"}) {
                    report.line(name + " seek '" + target + "'", () -> {
                        entries.seek(b(target));
                        return at(entries);
                    });
                    report.line(name + " seek back '" + target + "'", () -> {
                        entries.seekForPrev(b(target));
                        return at(entries);
                    });
                    ByteBuffer direct = ByteBuffer.allocateDirect(20).put(b("x" + target)).flip().position(1);
                    report.line(name + " seek direct '" + target + "'", () -> {
                        entries.seek(direct);
                        return at(entries) + direct;
                    });
                    ByteBuffer heap = ByteBuffer.wrap(b("x" + target)).position(1);
                    report.line(name + " seek back heap '" + target + "'", () -> {
                        entries.seekForPrev(heap);
                        return at(entries) + heap;
                    });
                }
                entries.seek(key(51));
                for (ByteBuffer buffer : new ByteBuffer[]{ByteBuffer.allocateDirect(20), ByteBuffer.allocate(20),
                        ByteBuffer.allocateDirect(4), ByteBuffer.allocate(4).position(1)}) {
                    report.line(name + " key into " + buffer, () -> entries.key(buffer) + " " + buffer);
                    buffer.clear();
                    report.line(name + " value into " + buffer, () -> entries.value(buffer) + " " + buffer);
                }
                report.done(name + " seek null", () -> entries.seek((byte[]) null));
                report.done(name + " key into null", () -> entries.key(null));
                report.done(name + " refresh", entries::refresh);
                report.done(name + " refresh to null", () -> entries.refresh(null));
                try (Options ofDatabase = new Options().setCreateIfMissing(true);
                        RocksDB db = RocksDB.open(ofDatabase, directory.resolve("db of " + name).toString());
                        Snapshot snapshot = db.getSnapshot()) {
                    report.done(name + " refresh to a snapshot", () -> entries.refresh(snapshot));
                    report.line(name + " at a snapshot", () -> {
                        try (ReadOptions then = new ReadOptions().setSnapshot(snapshot)) {
                            return walk(reader, then, true).length();
                        }
                    });
                }
            }
        }
    }

    private static String at(SstFileReaderIterator entries) {
        return entries.isValid() ? new String(entries.key(), UTF_8) + " " : "nowhere ";
    }

    private void badFiles(Options options, String file) throws Exception {
        report.done("reader of null", () -> new SstFileReader(null).close());
        byte[] all = Files.readAllBytes(Path.of(file));
        Path zeros = Files.write(directory.resolve("zeros"), new byte[1000]);
        Path empty = Files.write(directory.resolve("empty"), new byte[0]);
        Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(all, all.length - 100));
        all[5] ^= 1;
        Path flipped = Files.write(directory.resolve("flipped"), all);
        for (Path bad : new Path[]{zeros, empty, cut, directory, directory.resolve("missing"), Path.of("")}) {
            try (SstFileReader reader = new SstFileReader(options)) {
                report.done("open " + (bad.equals(directory) ? "a directory" : bad.getFileName()),
                        () -> reader.open(bad.toString()));
            }
        }
        try (SstFileReader reader = new SstFileReader(options);
                ReadOptions read = new ReadOptions();
                ReadOptions trusting = new ReadOptions().setVerifyChecksums(false)) {
            report.done("open flipped", () -> reader.open(flipped.toString()));
            report.done("verify flipped", reader::verifyChecksum);
            report.line("read flipped", () -> walk(reader, read, true));
            report.line("read flipped without checksums", () -> walk(reader, trusting, true).length());
            report.done("open another", () -> reader.open(file));
            report.done("verify another", reader::verifyChecksum);
            report.done("fail to open a third", () -> reader.open(zeros.toString()));
            report.done("open another again", () -> reader.open(file));
            report.line("read another", () -> walk(reader, read, true).length());
            report.done("iterator with null", () -> reader.newIterator(null).close());
        }
        try (Options plainTables = new Options().setTableFormatConfig(new PlainTableConfig());
                Options old = new Options().setTableFormatConfig(new BlockBasedTableConfig().setFormatVersion(2));
                SstFileReader reader = new SstFileReader(plainTables);
                SstFileReader older = new SstFileReader(old)) {
            report.done("open with another format", () -> reader.open(file));
            report.done("open with an older format", () -> older.open(file));
        }
    }

    /** Closes things in an order that the published jar survives. */
    private void lives(Options options, String file) throws RocksDBException {
        try (SstFileReader reader = new SstFileReader(options)) {
            reader.open(file);
            Slice upper = new Slice("key003");
            ReadOptions read = new ReadOptions().setIterateUpperBound(upper);
            SstFileReaderIterator entries = reader.newIterator(read);
            entries.seekToFirst();
            report.line("entry", () -> at(entries));
            entries.close();
            entries.close();
            read.close();
            upper.close();
        }
        SstFileReader reader;
        try (Options closedSoon = new Options()) {
            reader = new SstFileReader(closedSoon);
        }
        try (reader; ReadOptions read = new ReadOptions()) {
            reader.open(file);
            report.line("after options were closed", () -> walk(reader, read, true).length());
        }
    }

    private void imports(Options options) throws RocksDBException {
        try (RocksDB db = RocksDB.open(options, directory.resolve("importing").toString());
                Checkpoint checkpoint = Checkpoint.create(db);
                ColumnFamilyOptions of = new ColumnFamilyOptions();
                ImportColumnFamilyOptions how = new ImportColumnFamilyOptions()) {
            ExportImportFilesMetaData low = export(db, checkpoint, of, "low", "a", "b");
            ExportImportFilesMetaData high = export(db, checkpoint, of, "high", "m", "n");
            ExportImportFilesMetaData middle = export(db, checkpoint, of, "middle", "b", "c");
            ExportImportFilesMetaData none = export(db, checkpoint, of, "none");
            imported(db, of, how, "one", List.of(low));
            imported(db, of, how, "two", List.of(low, high));
            imported(db, of, how, "two the other way round", List.of(high, low));
            imported(db, of, how, "overlapping", List.of(low, middle));
            imported(db, of, how, "same twice", List.of(low, low));
            imported(db, of, how, "an empty one too", List.of(none, low));
            imported(db, of, how, "nothing", List.of());
            imported(db, of, how, "null in it", Arrays.asList(low, null));
            imported(db, of, how, "no list", null);
            imported(db, of, how, "zero\0byte", List.of(low, high));
            imported(db, of, how, "two", List.of(low, high));
            try (ColumnFamilyOptions reverse = new ColumnFamilyOptions()
                    .setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR)) {
                imported(db, reverse, how, "reverse", List.of(low, high));
            }
            how.setMoveFiles(true);
            imported(db, of, how, "moved", List.of(low, high));
            imported(db, of, how, "moved again", List.of(low, high));
            for (ExportImportFilesMetaData each : List.of(low, high, middle, none)) {
                each.close();
            }
        }
    }

    private ExportImportFilesMetaData export(RocksDB db, Checkpoint checkpoint, ColumnFamilyOptions of, String name,
            String... keys) throws RocksDBException {
        try (ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b(name), of))) {
            for (String key : keys) {
                db.put(family, b(key), b(name));
            }
            return checkpoint.exportColumnFamily(family, directory.resolve("exported " + name).toString());
        }
    }

    private void imported(RocksDB db, ColumnFamilyOptions of, ImportColumnFamilyOptions how, String name,
            List<ExportImportFilesMetaData> exports) {
        String given = name.equals("two") && report.all().containsKey("import two") ? " again" : "";
        report.line("import " + name.replace('\0', '0') + given, () -> {
            try (ColumnFamilyHandle family = db.createColumnFamilyWithImport(
                    new ColumnFamilyDescriptor(b(name), of), how, exports)) {
                StringBuilder all = new StringBuilder();
                try (var entries = db.newIterator(family)) {
                    for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                        all.append(new String(entries.key(), UTF_8)).append('=')
                                .append(new String(entries.value(), UTF_8)).append(' ');
                    }
                }
                return all;
            }
        });
    }
}
