package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.ConcurrentTaskLimiterImpl;
import org.rocksdb.Env;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.PersistentCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.Statistics;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.TickerType;

/** Prints what objects do that databases share: limiters of compactions, managers of files, collectors of properties, caches in files. */
final class SharedObjectsReport {

    private final Path directory;
    private final Map<String, String> lines = new TreeMap<>();

    private SharedObjectsReport(Path directory) {
        this.directory = directory;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        SharedObjectsReport report = new SharedObjectsReport(directory);
        report.limiters();
        report.limitedCompactions();
        report.managers();
        report.trackedFiles();
        report.collectors();
        report.caches();
        return report.lines;
    }

    private static Options options() {
        return new Options().setCreateIfMissing(true);
    }

    private static void flush(RocksDB db, String key) throws RocksDBException {
        try (FlushOptions flush = new FlushOptions()) {
            db.put(key.getBytes(UTF_8), "value".repeat(100).getBytes(UTF_8));
            db.flush(flush);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same object is what is asked for
    private void limiters() {
        for (String name : List.of("", "limiter", "größe", "\uD83D\uDE00")) {
            for (int most : new int[]{-5, -1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                try (ConcurrentTaskLimiterImpl limiter = new ConcurrentTaskLimiterImpl(name, most)) {
                    lines.put("limiter " + name + " " + most, limiter.name() + " " + limiter.outstandingTask() + " "
                            + (limiter.setMaxOutstandingTask(most) == limiter) + " "
                            + (limiter.resetMaxOutstandingTask() == limiter));
                }
            }
        }
        try (ConcurrentTaskLimiterImpl limiter = new ConcurrentTaskLimiterImpl("limiter", 1);
                ColumnFamilyOptions family = new ColumnFamilyOptions();
                Options options = options()) {
            lines.put("limiter by default", family.compactionThreadLimiter() + " " + options.compactionThreadLimiter());
            lines.put("limiter set", (family.setCompactionThreadLimiter(limiter) == family) + " "
                    + (options.setCompactionThreadLimiter(limiter) == options));
            try (ColumnFamilyOptions copy = new ColumnFamilyOptions(family); Options copies = new Options(options)) {
                lines.put("limiter of copies", (copy.compactionThreadLimiter() == limiter) + " "
                        + (copies.compactionThreadLimiter() == limiter));
            }
        }
    }

    /** A limiter of 0 keeps files from being compacted, until it is changed. */
    private void limitedCompactions() throws Exception {
        ConcurrentTaskLimiterImpl limiter = new ConcurrentTaskLimiterImpl("limiter", 0);
        CountDownLatch compacted = new CountDownLatch(1);
        AtomicInteger atMost = new AtomicInteger();
        try (AbstractEventListener listener = new AbstractEventListener() {
            @Override
            public void onCompactionBegin(RocksDB db, CompactionJobInfo info) {
                atMost.accumulateAndGet(limiter.outstandingTask(), Math::max);
            }

            @Override
            public void onCompactionCompleted(RocksDB db, CompactionJobInfo info) {
                compacted.countDown();
            }
        };
                Options options = options().setLevel0FileNumCompactionTrigger(2)
                        .setCompactionThreadLimiter(limiter).setListeners(List.of(listener))) {
            try (RocksDB db = RocksDB.open(options, directory.resolve("limited").toString())) {
                for (int i = 0; i < 6; i++) {
                    flush(db, "key");
                }
                lines.put("files with a limiter of 0", db.getProperty("rocksdb.num-files-at-level0"));
                limiter.setMaxOutstandingTask(1);
                flush(db, "key");
                compacted.await();
                lines.put("compactions with a limiter of 1", atMost + "");
            }
            limiter.close();
            try (RocksDB db = RocksDB.open(options, directory.resolve("closed").toString())) {
                flush(db, "key");
                lines.put("a database with a closed limiter", new String(db.get("key".getBytes(UTF_8)), UTF_8).length()
                        + "");
            }
        }
    }

    private void managers() throws RocksDBException {
        try (SstFileManager plain = new SstFileManager(Env.getDefault());
                SstFileManager none = new SstFileManager(Env.getDefault(), null);
                SstFileManager rate = new SstFileManager(Env.getDefault(), null, 12345);
                SstFileManager ratio = new SstFileManager(Env.getDefault(), null, -1, 0.5);
                SstFileManager chunk = new SstFileManager(Env.getDefault(), null, 777, 1e6, 1)) {
            int number = 0;
            for (SstFileManager manager : List.of(plain, none, rate, ratio, chunk)) {
                lines.put("manager " + number++, manager.getDeleteRateBytesPerSecond() + " "
                        + manager.getMaxTrashDBRatio() + " " + manager.getTotalSize() + " "
                        + manager.getTrackedFiles());
            }
        }
    }

    private void trackedFiles() throws RocksDBException {
        try (SstFileManager manager = new SstFileManager(Env.getDefault(), null, 0, 0.25, 1000);
                Options options = options().setSstFileManager(manager)) {
            try (RocksDB first = RocksDB.open(options, directory.resolve("first").toString());
                    RocksDB second = RocksDB.open(options, directory.resolve("größe").toString())) {
                for (RocksDB db : List.of(first, second)) {
                    flush(db, "a");
                    flush(db, "b");
                }
                tracked("files of two databases", manager);
            }
            tracked("files of closed databases", manager);
        }
    }

    private void tracked(String key, SstFileManager manager) {
        Map<String, Long> tracked = new TreeMap<>();
        manager.getTrackedFiles().forEach((name, size) -> tracked.put(directory.relativize(Path.of(name)) + "",
                size - size % 500));
        long total = manager.getTrackedFiles().values().stream().mapToLong(Long::longValue).sum();
        lines.put(key, tracked + " " + (total == manager.getTotalSize()));
    }

    private void collectors() throws RocksDBException {
        List<String> collectors = new CopyOnWriteArrayList<>();
        try (TablePropertiesCollectorFactory one = TablePropertiesCollectorFactory
                .NewCompactOnDeletionCollectorFactory(100, 50, 0);
                TablePropertiesCollectorFactory other = TablePropertiesCollectorFactory
                        .NewCompactOnDeletionCollectorFactory(10, 5, 0.5);
                AbstractEventListener listener = new AbstractEventListener() {
                    @Override
                    public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
                        collectors.add(info.getTableProperties().getPropertyCollectorsNames());
                    }
                };
                Options options = options().setListeners(List.of(listener))) {
            List<String> counts = new ArrayList<>();
            List<TablePropertiesCollectorFactory> none = List.of();
            for (List<TablePropertiesCollectorFactory> given : List.of(none, List.of(one), List.of(one, other, one),
                    List.of(other), none)) {
                options.setTablePropertiesCollectorFactory(given);
                List<TablePropertiesCollectorFactory> got = options.tablePropertiesCollectorFactory();
                options.setTablePropertiesCollectorFactory(got);
                counts.add(got.size() + " " + got.contains(one));
                try (RocksDB db = RocksDB.open(options, directory.resolve("collected" + counts.size()).toString())) {
                    flush(db, "key");
                }
                got.forEach(TablePropertiesCollectorFactory::close);
            }
            lines.put("collectors", counts + " " + collectors);
        }
    }

    private void caches() throws Exception {
        List<String> messages = new CopyOnWriteArrayList<>();
        try (Logger logger = new Logger(InfoLogLevel.DEBUG_LEVEL) {
            @Override
            protected void log(InfoLogLevel level, String message) {
                messages.add(message.replaceAll(":.*", ""));
            }
        }) {
            Path files = Files.createDirectory(directory.resolve("cache"));
            try (PersistentCache cache = new PersistentCache(Env.getDefault(), files.toString(), 1 << 30, logger,
                    true);
                    Statistics statistics = new Statistics();
                    Options options = options().setStatistics(statistics)
                            .setTableFormatConfig(new BlockBasedTableConfig().setNoBlockCache(true)
                                    .setPersistentCache(cache));
                    RocksDB db = RocksDB.open(options, directory.resolve("cached").toString())) {
                flush(db, "key");
                for (int i = 0; i < 3; i++) {
                    byte[] value = db.get("key".getBytes(UTF_8));
                    lines.put("value through a persistent cache " + i, value.length + "");
                }
                lines.put("misses of a persistent cache",
                        (statistics.getTickerCount(TickerType.PERSISTENT_CACHE_MISS) > 0) + "");
            }
            lines.put("messages of a persistent cache", !messages.isEmpty() + "");
            for (String path : List.of("", "/proc/none/cache")) {
                try (PersistentCache cache = new PersistentCache(Env.getDefault(), path, 1 << 30, logger, false)) {
                    lines.put("persistent cache at '" + path + "'", "made " + cache.isOwningHandle());
                } catch (RocksDBException e) {
                    lines.put("persistent cache at '" + path + "'",
                            e.getStatus().getCodeString() + " " + e.getMessage());
                }
            }
        }
    }
}
