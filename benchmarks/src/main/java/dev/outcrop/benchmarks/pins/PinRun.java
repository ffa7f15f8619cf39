package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.Statistics;
import dev.outcrop.rocksdb.StatsLevel;
import dev.outcrop.rocksdb.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** One start of a side: a thread pins, others read, and each iteration's figures are printed. */
final class PinRun {
    /**
     * Begins a line with figures: nanoseconds a read, reads of a hundred that missed the cache, bytes of garbage a
     * read.
     */
    static final String FIGURES = "figures";
    /** So often each key is read before measuring, on average. */
    private static final int ROUNDS_TO_WARM = 4;

    private final List<Reader> readers = new ArrayList<>();
    private final ExecutorService threads;
    private final Statistics statistics;
    private final Pinner pinner;

    private PinRun(RocksDB db, Workload workload, Pinner pinner, ExecutorService threads) {
        this.statistics = Objects.requireNonNull(db.statistics());
        this.pinner = pinner;
        this.threads = threads;
        Zipf zipf = new Zipf(workload.readersKeys(), Workload.ZIPF_EXPONENT);
        for (int i = 0; i < Workload.READERS; i++) {
            readers.add(new Reader(db, zipf));
        }
    }

    /** A program of its own, so that cache and JVM are new. */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        Workload workload = Workload.current();
        Options options = new Options().set(workload.options()).enableStatistics()
                .statisticsLevel(StatsLevel.EXCEPT_HISTOGRAM_OR_TIMERS);
        if (!Settings.flag("hasBudget")) {
            options.pinBudget(Long.MAX_VALUE);
        }
        try (RocksDB db = RocksDB.open(workload.database().directory(), options);
                ExecutorService threads = Executors.newFixedThreadPool(Workload.READERS);
                Pinner pinner = new Pinner(db, workload)) {
            workload.database().requireOnlyEngine();
            PinRun run = new PinRun(db, workload, pinner, threads);
            run.iterate((long) ROUNDS_TO_WARM * workload.readersKeys(), 0);
            long nanos = TimeUnit.MILLISECONDS.toNanos(Settings.number("iterationMillis"));
            for (int i = 0; i < Settings.number("warmups"); i++) {
                run.iterate(0, nanos);
            }
            for (int i = 0; i < Settings.number("iterations"); i++) {
                System.out.println(FIGURES + ' ' + run.iterate(0, nanos));
            }
        }
    }

    /** All threads read at once, each for as long or as often as is asked for; returns the figures. */
    private String iterate(long reads, long nanos) throws InterruptedException, ExecutionException {
        // What the pinner reads is in the counts, too; its keys are never in the cache.
        long hits = statistics.ticker(Ticker.BLOCK_CACHE_DATA_HIT);
        long misses = statistics.ticker(Ticker.BLOCK_CACHE_DATA_MISS) - pinner.reads();
        List<Future<Reader.Result>> running = new ArrayList<>();
        for (Reader reader : readers) {
            running.add(threads.submit(() -> reader.read(reads, nanos)));
        }
        double nanosForRead = 0;
        double bytesForRead = 0;
        for (Future<Reader.Result> each : running) {
            Reader.Result result = each.get();
            nanosForRead += (double) result.nanos() / result.reads() / readers.size();
            bytesForRead += (double) result.bytes() / result.reads() / readers.size();
        }
        hits = statistics.ticker(Ticker.BLOCK_CACHE_DATA_HIT) - hits;
        misses = statistics.ticker(Ticker.BLOCK_CACHE_DATA_MISS) - pinner.reads() - misses;
        return nanosForRead + " " + 100.0 * misses / (hits + misses) + ' ' + bytesForRead;
    }
}
