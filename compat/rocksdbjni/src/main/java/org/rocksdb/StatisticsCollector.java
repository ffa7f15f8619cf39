package org.rocksdb;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Reports statistics to callbacks periodically, on its own thread. */
public class StatisticsCollector {

    private final List<StatsCollectorInput> inputs;
    private final ExecutorService thread;
    private final int interval;

    /**
     * Makes a collector that is not started.
     *
     * @param statsCollectorInputList                statistics and their callbacks
     * @param statsCollectionIntervalInMilliSeconds pause between two rounds in milliseconds
     */
    public StatisticsCollector(List<StatsCollectorInput> statsCollectorInputList,
            int statsCollectionIntervalInMilliSeconds) {
        inputs = statsCollectorInputList;
        interval = statsCollectionIntervalInMilliSeconds;
        thread = Executors.newSingleThreadExecutor();
    }

    /** Starts the thread. It ends when a callback throws, or when statistics are closed. */
    public void start() {
        if (thread.isShutdown()) {
            throw new IllegalStateException("The collector was shut down: make another one");
        }
        thread.execute(this::collect);
    }

    /**
     * Stops the thread, and waits for a running round.
     *
     * @param shutdownTimeout how long to wait at most, in milliseconds
     * @throws InterruptedException if the caller is interrupted
     */
    public void shutDown(int shutdownTimeout) throws InterruptedException {
        thread.shutdownNow();
        thread.awaitTermination(shutdownTimeout, TimeUnit.MILLISECONDS);
    }

    private void collect() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                for (StatsCollectorInput input : inputs) {
                    tell(input.getStatistics(), input.getCallback());
                }
                Thread.sleep(interval);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the collector is shut down
        }
    }

    static StatisticsCollectorCallback callback(StatsCollectorInput input) {
        return input.statsCallback;
    }

    private static void tell(Statistics statistics, StatisticsCollectorCallback callback) {
        for (TickerType ticker : TickerType.values()) {
            if (ticker != TickerType.TICKER_ENUM_MAX) {
                callback.tickerCallback(ticker, statistics.getTickerCount(ticker));
            }
        }
        for (HistogramType histogram : HistogramType.values()) {
            if (histogram != HistogramType.HISTOGRAM_ENUM_MAX) {
                callback.histogramCallback(histogram, statistics.getHistogramData(histogram));
            }
        }
    }
}
