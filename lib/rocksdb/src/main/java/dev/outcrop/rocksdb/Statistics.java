package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.NativeStatistics;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statistics that RocksDB collects after {@link Options#enableStatistics()}: for all databases together that were opened with these
 * options. There is nothing to close. The statistics stay readable after the databases are closed. As long as this object is reachable, it
 * keeps the caches that the options share in memory. Thread-safe, but several numbers belong to the same moment only while the databases
 * are not used.
 */
public final class Statistics {
    /** A copy of the options: it shares the counts, and nothing puts other statistics into it. */
    private final NativeObject options;

    private Statistics(long options) {
        this.options = new NativeObject(this, options, NativeDbOptions::destroy);
    }

    /** Returns the statistics of options, or null if they have none. */
    static @Nullable Statistics of(Options options) {
        long copy = options.copyNative();
        // The only function of the C API that shows whether there are statistics.
        if (NativeStatistics.text(copy) == null) {
            NativeDbOptions.destroy(copy);
            return null;
        }
        return new Statistics(copy);
    }

    /**
     * Returns the count of a ticker.
     *
     * @param ticker the ticker
     * @return the sum
     */
    public long ticker(Ticker ticker) {
        try {
            return CApi.rocksdb_options_statistics_get_ticker_count(options.address(), ticker.value());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Returns the distribution of a histogram.
     *
     * @param histogram the histogram
     * @return the distribution; everything is 0 if nothing was recorded
     */
    public HistogramData histogram(Histogram histogram) {
        try {
            NativeStatistics.Distribution read = NativeStatistics.histogram(options.address(), histogram.value());
            return new HistogramData(read.count(), read.sum(), read.min(), read.max(), read.average(),
                    read.standardDeviation(), read.median(), read.p95(), read.p99());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Sets how much is counted from now on; the databases may be in use.
     *
     * @param level how much; {@link StatsLevel#EXCEPT_DETAILED_TIMERS} is RocksDB's default
     * @return this object
     */
    public Statistics level(StatsLevel level) {
        try {
            CApi.rocksdb_options_set_statistics_level(options.address(), level.value());
        } finally {
            Reference.reachabilityFence(this);
        }
        return this;
    }

    /**
     * Returns the level of detail.
     *
     * @return the level as it is now
     */
    public StatsLevel level() {
        try {
            return StatsLevel.of(CApi.rocksdb_options_get_statistics_level(options.address()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** All tickers and histograms as RocksDB prints them, a line each. */
    @Override
    public String toString() {
        try {
            return Objects.requireNonNull(NativeStatistics.text(options.address()));
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
