package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.CompactionJobStats;
import org.rocksdb.CompactionOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.ExternalFileIngestionInfo;
import org.rocksdb.FileOperationInfo;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.MemTableInfo;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.TableFileCreationBriefInfo;
import org.rocksdb.TableFileCreationInfo;
import org.rocksdb.TableFileDeletionInfo;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteOptions;
import org.rocksdb.WriteStallInfo;

/** Prints the events that listeners receive. */
@NullUnmarked // null is a result like any other here
final class EventsReport {

    /** The result of each event, by its name and number. */
    private static final class Told extends AbstractEventListener {
        private final Map<String, String> lines = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> numbers = new ConcurrentHashMap<>();

        Told(EnabledEventCallback... enabled) {
            super(enabled);
        }

        Told() {
        }

        private void tell(String event, String text) {
            int number = numbers.computeIfAbsent(event, _ -> new AtomicInteger()).incrementAndGet();
            lines.put(event + " " + number, text);
        }

        @Override
        public void onFlushBegin(RocksDB db, FlushJobInfo info) {
            tell("flush begin", describe(info));
        }

        @Override
        public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
            tell("flush completed", describe(info) + " " + describe(info.getTableProperties()) + " "
                    + name(db.getName()));
        }

        @Override
        public void onCompactionBegin(RocksDB db, CompactionJobInfo info) {
            tell("compaction begin", describe(info));
        }

        @Override
        public void onCompactionCompleted(RocksDB db, CompactionJobInfo info) {
            tell("compaction completed", describe(info));
        }

        @Override
        public void onMemTableSealed(MemTableInfo info) {
            tell("memtable sealed", info.toString());
        }

        @Override
        public void onExternalFileIngested(RocksDB db, ExternalFileIngestionInfo info) {
            tell("file ingested", info.getColumnFamilyName() + " " + name(info.getExternalFilePath()) + " "
                    + name(info.getInternalFilePath()) + " " + info.getGlobalSeqno() + " "
                    + describe(info.getTableProperties()));
        }

        @Override
        public void onBackgroundError(BackgroundErrorReason reason, Status status) {
            tell("background error", reason + " " + describe(status));
        }

        @Override
        public void onStallConditionsChanged(WriteStallInfo info) {
            tell("stall", info.toString());
        }

        @Override
        public void onTableFileCreationStarted(TableFileCreationBriefInfo info) {
            tell("table creation started", describe(info));
        }

        @Override
        public void onTableFileCreated(TableFileCreationInfo info) {
            tell("table created", describe(info) + " " + info.getFileSize() + " " + describe(info.getTableProperties())
                    + " " + describe(info.getStatus()));
        }

        @Override
        public void onTableFileDeleted(TableFileDeletionInfo info) {
            tell("table deleted", name(info.getDbName()) + " " + name(info.getFilePath()) + " " + info.getJobId() + " "
                    + describe(info.getStatus()));
        }

        @Override
        public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status status) {
            tell("recovery begin", reason + " " + describe(status));
            return true;
        }

        @Override
        public void onErrorRecoveryCompleted(Status status) {
            tell("recovery completed", describe(status));
        }
    }

    /** Counts the operations on files, by kind and file. */
    private static final class Operations extends AbstractEventListener {
        private final Map<String, Integer> counts = new ConcurrentHashMap<>();
        private final long begin = System.currentTimeMillis();

        Operations(EnabledEventCallback... enabled) {
            super(enabled);
        }

        Operations() {
        }

        private void count(String kind, FileOperationInfo info) {
            long end = System.currentTimeMillis();
            long start = TimeUnit.NANOSECONDS.toMillis(info.getStartTimestamp());
            counts.merge(kind + " " + name(info.getPath()) + " " + describe(info.getStatus()) + " "
                    + (start >= begin && start <= end) + " " + (info.getDuration() >= 0), 1, Integer::sum);
        }

        @Override
        public boolean shouldBeNotifiedOnFileIO() {
            return true;
        }

        @Override
        public void onFileReadFinish(FileOperationInfo info) {
            count("read from " + info.getOffset() + ", " + info.getLength() + " bytes", info);
        }

        @Override
        public void onFileWriteFinish(FileOperationInfo info) {
            count("write" + (info.getLength() > 0), info);
        }

        @Override
        public void onFileFlushFinish(FileOperationInfo info) {
            count("flush", info);
        }

        @Override
        public void onFileSyncFinish(FileOperationInfo info) {
            count("sync", info);
        }

        @Override
        public void onFileRangeSyncFinish(FileOperationInfo info) {
            count("range sync", info);
        }

        @Override
        public void onFileTruncateFinish(FileOperationInfo info) {
            count("truncate", info);
        }

        @Override
        public void onFileCloseFinish(FileOperationInfo info) {
            count("close", info);
        }
    }

    private final Path directory;
    private final Map<String, String> lines = new TreeMap<>();

    private EventsReport(Path directory) {
        this.directory = directory;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        EventsReport report = new EventsReport(directory);
        report.all();
        report.some();
        report.failure();
        report.recovery();
        report.operations();
        report.files();
        report.objects();
        return report.lines;
    }

    private static Options options() {
        return new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
    }

    private static void fill(RocksDB db, int from, int to) throws RocksDBException {
        for (int i = from; i < to; i++) {
            db.put(key(i), new byte[100]);
        }
    }

    private static byte[] key(int i) {
        return String.format("key%06d", i).getBytes(UTF_8);
    }

    private void add(String name, Told told) {
        told.lines.forEach((key, value) -> lines.put(name + " " + key, value));
    }

    @SuppressWarnings("try") // everything is told once it is closed
    private void all() throws Exception {
        try (Told told = new Told();
                Told second = new Told();
                Options options = options().setListeners(List.of(told, second)).setLevel0SlowdownWritesTrigger(3);
                RocksDB db = RocksDB.open(options, directory.resolve("all").toString());
                FlushOptions flush = new FlushOptions()) {
            lines.put("listeners", options.listeners().size() + " " + options.listeners().contains(told));
            fill(db, 0, 100);
            db.flush(flush);
            fill(db, 50, 200);
            db.delete(key(7));
            db.flush(flush);
            ingest(db);
            db.compactRange();
            for (int i = 0; i < 4; i++) {
                fill(db, 0, 10);
                db.flush(flush);
            }
            db.compactRange();
            db.close();
            add("all", told);
            lines.put("second", told.lines.keySet().equals(second.lines.keySet()) + "");
        }
    }

    private void ingest(RocksDB db) throws RocksDBException {
        String file = directory.resolve("table.sst").toString();
        try (EnvOptions env = new EnvOptions();
                Options options = new Options();
                SstFileWriter writer = new SstFileWriter(env, options);
                IngestExternalFileOptions ingest = new IngestExternalFileOptions()) {
            writer.open(file);
            writer.put(key(60), key(1));
            writer.finish();
            db.ingestExternalFile(List.of(file), ingest);
        }
    }

    private void some() throws Exception {
        try (Told told = new Told(AbstractEventListener.EnabledEventCallback.ON_FLUSH_BEGIN,
                AbstractEventListener.EnabledEventCallback.ON_COMPACTION_COMPLETED);
                Options options = options().setListeners(List.of(told));
                RocksDB db = RocksDB.open(options, directory.resolve("some").toString());
                FlushOptions flush = new FlushOptions()) {
            fill(db, 0, 10);
            db.flush(flush);
            db.compactRange();
            add("some", told);
        }
    }

    /** A directory that is gone fails a flush. */
    private void failure() throws Exception {
        Path path = directory.resolve("failure");
        try (Told told = new Told();
                Options options = options().setListeners(List.of(told)).setMaxBgErrorResumeCount(0);
                RocksDB db = RocksDB.open(options, path.toString());
                FlushOptions flush = new FlushOptions()) {
            fill(db, 0, 10);
            Path away = directory.resolve("away");
            Files.move(path, away);
            try {
                db.flush(flush);
                lines.put("failed flush", "works");
            } catch (RocksDBException e) {
                lines.put("failed flush", describe(e.getStatus()));
            }
            Files.move(away, path);
            add("failure", told);
        }
    }

    /** A log that is the full device fails a write. */
    private void recovery() throws Exception {
        Path path = directory.resolve("recovery");
        try (Told told = new Told();
                Options options = options().setListeners(List.of(told));
                RocksDB db = RocksDB.open(options, path.toString());
                FlushOptions flush = new FlushOptions()) {
            fill(db, 0, 10);
            for (int number = 8; number < 11; number++) {
                Files.createSymbolicLink(path.resolve(String.format("%06d.log", number)), Path.of("/dev/full"));
            }
            db.flush(flush);
            try {
                db.put(key(1), key(2));
                lines.put("recovery write", "works");
            } catch (RocksDBException e) {
                lines.put("recovery write", describe(e.getStatus()));
            }
            lines.put("recovery begin", told.lines.get("recovery begin 1"));
        }
    }

    @SuppressWarnings("try") // everything is told once it is closed
    private void operations() throws Exception {
        try (Operations all = new Operations();
                Operations some = new Operations(
                        AbstractEventListener.EnabledEventCallback.SHOULD_BE_NOTIFIED_ON_FILE_IO,
                        AbstractEventListener.EnabledEventCallback.ON_FILE_SYNC_FINISH);
                Operations none = new Operations(AbstractEventListener.EnabledEventCallback.ON_FILE_SYNC_FINISH);
                Options options = options().setListeners(List.of(all, some, none)).setWalBytesPerSync(1 << 10)
                        .setBytesPerSync(1 << 10);
                FlushOptions flush = new FlushOptions();
                WriteOptions synced = new WriteOptions().setSync(true)) {
            for (int i = 0; i < 2; i++) {
                RocksDB db = RocksDB.open(options, directory.resolve("operations").toString());
                fill(db, 0, 100);
                db.put(synced, key(1), key(2));
                db.flush(flush);
                db.compactRange();
                db.get(key(50));
                db.close();
            }
            all.counts.forEach((key, value) -> lines.put("operations " + key, value + ""));
            some.counts.forEach((key, value) -> lines.put("some operations " + key, value + ""));
            lines.put("no operations", none.counts + "");
        }
    }

    private void files() throws RocksDBException {
        try (Options options = options();
                RocksDB db = RocksDB.open(options, directory.resolve("files").toString());
                FlushOptions flush = new FlushOptions();
                CompactionOptions compaction = new CompactionOptions();
                CompactionJobInfo info = new CompactionJobInfo()) {
            fill(db, 0, 50);
            db.flush(flush);
            fill(db, 20, 60);
            db.flush(flush);
            List<String> files = db.getLiveFilesMetaData().stream().map(file -> file.path() + file.fileName()).toList();
            lines.put("files", names(db.compactFiles(compaction, files, 2, -1, info)) + "");
            lines.put("files info", describe(info));
        }
    }

    private void objects() {
        try (CompactionJobInfo info = new CompactionJobInfo(); CompactionJobStats stats = new CompactionJobStats()) {
            lines.put("empty info", describe(info));
            stats.add(stats);
            stats.reset();
            lines.put("empty stats", describe(stats));
        }
        try (Told told = new Told(); Options none = new Options().setListeners(List.of())) {
            lines.put("no listeners", none.listeners().toString());
            none.setListeners(List.of(told)).setListeners(List.of());
            lines.put("listeners taken away", none.listeners().toString());
            lines.put("defaults", told.shouldBeNotifiedOnFileIO() + " "
                    + told.onErrorRecoveryBegin(BackgroundErrorReason.FLUSH, null));
        }
    }

    private static String name(String path) {
        return Path.of(path).getFileName().toString();
    }

    private static List<String> names(List<String> paths) {
        return paths.stream().map(EventsReport::name).toList();
    }

    private static String describe(TableFileCreationBriefInfo info) {
        return name(info.getDbName()) + " " + info.getColumnFamilyName() + " " + name(info.getFilePath()) + " "
                + info.getJobId() + " " + info.getReason();
    }

    private static String describe(FlushJobInfo info) {
        return info.getColumnFamilyId() + " " + info.getColumnFamilyName() + " " + name(info.getFilePath()) + " "
                + (info.getThreadId() != 0) + " " + info.getJobId() + " " + info.isTriggeredWritesSlowdown() + " "
                + info.isTriggeredWritesStop() + " " + info.getSmallestSeqno() + " " + info.getLargestSeqno() + " "
                + info.getFlushReason();
    }

    private static String describe(CompactionJobInfo info) {
        Map<String, String> tables = new TreeMap<>();
        info.tableProperties().forEach((path, table) -> tables.put(name(path), describe(table)));
        try (CompactionJobStats stats = info.stats()) {
            return new String(info.columnFamilyName(), UTF_8) + " " + describe(info.status()) + " "
                    + (info.threadId() != 0) + " " + info.jobId() + " " + info.baseInputLevel() + " "
                    + info.outputLevel() + " " + names(info.inputFiles()) + " " + names(info.outputFiles()) + " "
                    + tables + " " + info.compactionReason() + " " + info.compression() + " " + describe(stats);
        }
    }

    private static String describe(CompactionJobStats stats) {
        return (stats.elapsedMicros() > 0) + " " + stats.numInputRecords() + " " + stats.numInputFiles() + " "
                + stats.numInputFilesAtOutputLevel() + " " + stats.numOutputRecords() + " " + stats.numOutputFiles()
                + " " + stats.isManualCompaction() + " " + stats.totalInputBytes() + " " + stats.totalOutputBytes()
                + " " + stats.numRecordsReplaced() + " " + stats.totalInputRawKeyBytes() + " "
                + stats.totalInputRawValueBytes() + " " + stats.numInputDeletionRecords() + " "
                + stats.numExpiredDeletionRecords() + " " + stats.numCorruptKeys() + " "
                + (stats.fileWriteNanos() > 0) + " " + (stats.fileRangeSyncNanos() > 0) + " "
                + (stats.fileFsyncNanos() > 0) + " " + (stats.filePrepareWriteNanos() > 0) + " "
                + new String(stats.smallestOutputKeyPrefix(), UTF_8) + " "
                + new String(stats.largestOutputKeyPrefix(), UTF_8) + " " + stats.numSingleDelFallthru() + " "
                + stats.numSingleDelMismatch();
    }

    private static String describe(Status status) {
        return status == null
                ? "null"
                : status.getCodeString() + " "
                        + String.valueOf(status.getState()).replaceAll("/\\S*/", "");
    }

    /** The parts that do not depend on the time and the process. */
    private static String describe(TableProperties table) {
        if (table == null) {
            return "null";
        }
        return table.getDataSize() + " " + table.getIndexSize() + " " + table.getIndexPartitions() + " "
                + table.getTopLevelIndexSize() + " " + table.getIndexKeyIsUserKey() + " "
                + table.getIndexValueIsDeltaEncoded() + " " + table.getFilterSize() + " " + table.getRawKeySize() + " "
                + table.getRawValueSize() + " " + table.getNumDataBlocks() + " " + table.getNumEntries() + " "
                + table.getNumDeletions() + " " + table.getNumMergeOperands() + " " + table.getNumRangeDeletions()
                + " " + table.getFormatVersion() + " " + table.getFixedKeyLen() + " " + table.getColumnFamilyId() + " "
                + (table.getCreationTime() > 0) + " " + (table.getOldestKeyTime() > 0) + " "
                + table.getSlowCompressionEstimatedDataSize() + " " + table.getFastCompressionEstimatedDataSize() + " "
                + new String(table.getColumnFamilyName(), UTF_8) + " " + table.getFilterPolicyName() + " "
                + table.getComparatorName() + " " + table.getMergeOperatorName() + " "
                + table.getPrefixExtractorName() + " " + table.getPropertyCollectorsNames() + " "
                + table.getCompressionName() + " " + new TreeMap<>(table.getUserCollectedProperties()) + " "
                + new TreeMap<>(table.getReadableProperties());
    }
}
