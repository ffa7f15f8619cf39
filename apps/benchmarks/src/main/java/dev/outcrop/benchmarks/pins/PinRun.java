package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.ProcessOutput;
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

/** One start of a side: one thread pins values, others read, and the program prints the figures of each iteration. */
final class PinRun {
    /** How often each key is read before measuring, on average. */
    private static final int ROUNDS_TO_WARM = 4;

    private final List<ZipfReader> readers = new ArrayList<>();
    private final ExecutorService threads;
    private final Statistics statistics;
    private final Pinner pinner;

    private PinRun(RocksDB db, PinsWorkload workload, Pinner pinner, ExecutorService threads) {
        this.statistics = Objects.requireNonNull(db.statistics());
        this.pinner = pinner;
        this.threads = threads;
        Zipf zipf = new Zipf(workload.readersKeys(), PinsWorkload.ZIPF_EXPONENT);
        for (int i = 0; i < PinsWorkload.READERS; i++) {
            readers.add(new ZipfReader(db, zipf));
        }
    }

    /** Runs in its own process, so that cache and JVM are new. */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        PinsWorkload workload = PinsWorkload.current();
        Options options = new Options().set(workload.options()).enableStatistics()
                .statisticsLevel(StatsLevel.EXCEPT_HISTOGRAM_OR_TIMERS);
        if (!workload.hasBudget()) {
            options.pinBudget(Long.MAX_VALUE);
        }
        try (RocksDB db = RocksDB.open(Database.current().directory(), options);
                ExecutorService threads = Executors.newFixedThreadPool(PinsWorkload.READERS);
                Pinner pinner = new Pinner(db, workload)) {
            Database.current().requireOnlyEngine();
            PinRun run = new PinRun(db, workload, pinner, threads);
            run.iterate((long) ROUNDS_TO_WARM * workload.readersKeys(), 0, false);
            for (int i = -workload.warmups(); i < workload.iterations(); i++) {
                run.iterate(0, workload.time().toNanos(), i >= 0);
            }
        }
    }

    /**
     * Reads on all threads at once, and prints the figures. Each thread does at least {@code reads} reads and runs at least {@code nanos}
     * nanoseconds.
     */
    private void iterate(long reads, long nanos, boolean isCounted) throws InterruptedException, ExecutionException {
        // The counts include the pinner's reads. Its keys are never in the cache.
        long hits = statistics.ticker(Ticker.BLOCK_CACHE_DATA_HIT);
        long misses = statistics.ticker(Ticker.BLOCK_CACHE_DATA_MISS) - pinner.reads();
        List<Future<ZipfReader.Result>> running = new ArrayList<>();
        for (ZipfReader reader : readers) {
            running.add(threads.submit(() -> reader.read(reads, nanos)));
        }
        double nanosForRead = 0;
        double bytesForRead = 0;
        for (Future<ZipfReader.Result> each : running) {
            ZipfReader.Result result = each.get();
            nanosForRead += (double) result.nanos() / result.reads() / readers.size();
            bytesForRead += (double) result.bytes() / result.reads() / readers.size();
        }
        hits = statistics.ticker(Ticker.BLOCK_CACHE_DATA_HIT) - hits;
        misses = statistics.ticker(Ticker.BLOCK_CACHE_DATA_MISS) - pinner.reads() - misses;
        if (isCounted) {
            ProcessOutput.print(ProcessOutput.TIME, nanosForRead, bytesForRead);
            ProcessOutput.print(PinsCase.MISSES, 100.0 * misses / (hits + misses), bytesForRead);
        }
    }
}
