package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.FlushOptions;
import org.rocksdb.HistogramData;
import org.rocksdb.HistogramType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.PerfContext;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Prints the statistics of work that is the same each time, without times. */
final class StatisticsReport {

    private static final String NOT_THE_SAME = ".*(MICROS|NANOS|TIME|CPU|DB_GET|DB_WRITE|SUPERVERSION|COMPRESSED|"
            + "FILE_BYTES|CACHE_BYTES|BYTES_INSERT|MEMORY_BYTES).*";

    private final Map<String, String> lines = new TreeMap<>();

    private StatisticsReport() {
    }

    static Map<String, String> report(Path directory) throws Exception {
        StatisticsReport report = new StatisticsReport();
        report.levels();
        report.work(directory);
        return report.lines;
    }

    private void levels() {
        try (Statistics statistics = new Statistics(); Options options = new Options()) {
            lines.put("default level", statistics.statsLevel().toString());
            lines.put("no statistics", String.valueOf(options.statistics()));
            for (StatsLevel level : StatsLevel.values()) {
                statistics.setStatsLevel(level);
                lines.put("level " + level, statistics.statsLevel().toString());
            }
        }
    }

    private void work(Path directory) throws Exception {
        try (Statistics all = new Statistics();
                LRUCache cache = new LRUCache(64 << 20);
                WriteBufferManager buffers = new WriteBufferManager(32 << 20, cache);
                StringAppendOperator append = new StringAppendOperator(';');
                Options options = counting(all)
                        .setWriteBufferManager(buffers).setMergeOperator(append)
                        .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
                Options second = new Options().setCreateIfMissing(true).setStatistics(all)) {
            use(options, directory.resolve("first"));
            use(second, directory.resolve("second"));
            counts("all", all);
            try (Statistics again = options.statistics()) {
                counts("own", again);
                lines.put("get and reset", again.getAndResetTickerCount(TickerType.BYTES_WRITTEN) + " then "
                        + again.getTickerCount(TickerType.BYTES_WRITTEN));
                again.reset();
                lines.put("reset", again.getTickerCount(TickerType.MEMTABLE_HIT) + " "
                        + again.getHistogramData(HistogramType.BYTES_PER_READ).getCount());
                lines.put("all is not reset", Long.toString(all.getTickerCount(TickerType.BYTES_WRITTEN)));
                lines.put("empty histogram", histogram(again.getHistogramData(HistogramType.DB_SEEK)));
                lines.put("text", again.toString().lines().map(line -> line.replaceAll(" .*", ""))
                        .collect(Collectors.joining(" ")));
            }
        }
    }

    /** Native code keeps its own reference to the statistics that are closed here. */
    private static Options counting(Statistics other) {
        try (Statistics own = new Statistics(other)) {
            return new Options().setCreateIfMissing(true).setStatistics(own).setDisableAutoCompactions(true);
        }
    }

    private void use(Options options, Path path) throws Exception {
        try (RocksDB db = RocksDB.open(options, path.toString());
                WriteOptions writing = new WriteOptions().setDisableWAL(true);
                FlushOptions flushing = new FlushOptions()) {
            db.setPerfLevel(PerfLevel.ENABLE_COUNT);
            lines.put("perf level", db.getPerfLevel().toString());
            PerfContext context = db.getPerfContext();
            context.reset();
            for (int i = 0; i < 1000; i++) {
                db.put(writing, ("key" + i).getBytes(UTF_8), new byte[i % 100]);
                db.get(("key" + i / 2).getBytes(UTF_8));
            }
            perf(path.getFileName() + " memtable", context);
            db.flush(flushing);
            for (int i = 0; i < 1000; i++) {
                db.get(("key" + i).getBytes(UTF_8));
            }
            perf(path.getFileName() + " file", context);
            db.setPerfLevel(PerfLevel.DISABLE);
            lines.put("perf text", context.toString(false).replaceAll(" = \\d+", ""));
        }
    }

    private void perf(String name, PerfContext context) {
        lines.put(name, (context.getUserKeyComparisonCount() > 0) + " " + context.getFromMemtableCount()
                + " " + context.getBlockReadCount() + " " + context.getBlockCacheHitCount() + " "
                + context.getReadBytes());
    }

    private void counts(String name, Statistics statistics) {
        for (TickerType ticker : TickerType.values()) {
            if (!ticker.name().matches(NOT_THE_SAME)) {
                lines.put(name + "." + ticker, Long.toString(statistics.getTickerCount(ticker)));
            }
        }
        for (HistogramType type : HistogramType.values()) {
            HistogramData data = statistics.getHistogramData(type);
            lines.put(name + ".text of " + type, type.name().matches(NOT_THE_SAME)
                    ? "beginning " + statistics.getHistogramString(type).split(" ", 2)[0]
                    : statistics.getHistogramString(type).replace("\n", "\\n"));
            lines.put(name + "." + type, type.name().matches(NOT_THE_SAME)
                    ? "count " + data.getCount()
                    : histogram(data));
        }
    }

    private static String histogram(HistogramData data) {
        return data.getCount() + " " + data.getSum() + " " + data.getMin() + " " + data.getMax() + " "
                + data.getAverage() + " " + data.getMedian() + " " + data.getPercentile95() + " "
                + data.getPercentile99() + " " + data.getStandardDeviation();
    }
}
