package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeStatistics;
import dev.outcrop.rocksdb.engine.NativeStatistics.Distribution;
import dev.outcrop.rocksdb.engine.capi.CHistograms;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.util.EnumSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counters and histograms of the databases with these statistics in their options. Several databases and options may share an object.
 * Thread-safe. Native code has its own reference, so the object may be closed before the databases.
 */
public class Statistics extends RocksObject {

    /** Options that refer to the counters. C reads some counters only through options. */
    private final long options;
    private final EnumSet<HistogramType> ignored;

    /** Makes statistics with all counters, at level {@link StatsLevel#EXCEPT_DETAILED_TIMERS}. */
    public Statistics() {
        this(newStatistics(0));
    }

    /**
     * Makes statistics with all counters. Another object counts the same events.
     *
     * @param otherStatistics counts everything that this object counts
     */
    public Statistics(Statistics otherStatistics) {
        this(newStatistics(otherStatistics));
    }

    /**
     * Makes statistics without some histograms.
     *
     * @param ignoreHistograms histograms that read as empty here
     */
    public Statistics(EnumSet<HistogramType> ignoreHistograms) {
        this(EnumSet.copyOf(ignoreHistograms), newStatistics(0));
    }

    /**
     * Makes statistics without some histograms. Another object counts the same events, including these histograms.
     *
     * @param ignoreHistograms histograms that read as empty here
     * @param otherStatistics  counts everything that this object counts
     */
    public Statistics(EnumSet<HistogramType> ignoreHistograms, Statistics otherStatistics) {
        this(EnumSet.copyOf(ignoreHistograms), newStatistics(otherStatistics));
    }

    /** Takes over a {@code shared_ptr}. */
    Statistics(long existingStatisticsHandle) {
        this(EnumSet.noneOf(HistogramType.class), existingStatisticsHandle);
    }

    private Statistics(EnumSet<HistogramType> ignored, long handle) {
        super(handle);
        this.ignored = ignored;
        options = NativeDbOptions.create();
        Options.jniSetStatistics(options, handle);
    }

    private static long newStatistics(Statistics other) {
        try (Scratch _ = other.use()) {
            return newStatistics(other.nativeHandle_);
        }
    }

    private static long newStatistics(long other) {
        return jniNewStatistics(other);
    }

    /** {@return the level} */
    public StatsLevel statsLevel() {
        try (Scratch _ = use()) {
            return StatsLevel.getStatsLevel(jniStatsLevel(nativeHandle_));
        }
    }

    /**
     * Sets the level.
     *
     * @param statsLevel the level
     */
    public void setStatsLevel(StatsLevel statsLevel) {
        try (Scratch _ = use()) {
            jniSetStatsLevel(nativeHandle_, statsLevel.getValue());
        }
    }

    /**
     * Returns a ticker.
     *
     * @param tickerType the ticker
     * @return a sum since the beginning, or since the last reset
     */
    public long getTickerCount(TickerType tickerType) {
        try (Scratch _ = use()) {
            return jniGetTickerCount(nativeHandle_, tickerType.getValue());
        }
    }

    /**
     * Returns a ticker and sets it to 0.
     *
     * @param tickerType the ticker
     * @return a sum since the beginning, or since the last reset
     */
    public long getAndResetTickerCount(TickerType tickerType) {
        try (Scratch _ = use()) {
            return jniGetAndResetTickerCount(nativeHandle_, tickerType.getValue());
        }
    }

    /**
     * Returns a histogram.
     *
     * @param histogramType the histogram
     * @return the distribution since the beginning, or since the last {@link #reset}; empty for an ignored histogram
     */
    public HistogramData getHistogramData(HistogramType histogramType) {
        try (Scratch _ = use()) {
            Distribution read = ignored.contains(histogramType)
                    ? Distribution.EMPTY
                    : NativeStatistics.histogram(options, number(histogramType));
            return new HistogramData(read.median(), read.p95(), read.p99(), read.average(), read.standardDeviation(),
                    read.max(), read.count(), read.sum(), read.min());
        }
    }

    /** Returns C's number of a histogram, which has the same name as in Java. */
    private static int number(HistogramType type) {
        return type == HistogramType.HISTOGRAM_ENUM_MAX
                ? CHistograms.NAMES.size()
                : Objects.checkIndex(CHistograms.NAMES.indexOf(type.name()), CHistograms.NAMES.size());
    }

    /**
     * Returns a histogram with its buckets as text.
     *
     * @param histogramType the histogram
     * @return several lines; for an ignored histogram, the lines of an empty histogram
     */
    public String getHistogramString(HistogramType histogramType) {
        try (Scratch _ = use()) {
            // RocksDB does not check whether there is such a histogram.
            if (histogramType == HistogramType.HISTOGRAM_ENUM_MAX || ignored.contains(histogramType)) {
                try (Statistics empty = new Statistics()) {
                    return empty.getHistogramString(HistogramType.DB_GET);
                }
            }
            NativeMethods.require("Java_org_rocksdb_Statistics_getHistogramString");
            return getHistogramString(nativeHandle_, histogramType.getValue());
        }
    }

    private static native String getHistogramString(long handle, byte histogramType);

    /**
     * Sets all counters to 0 and empties all histograms.
     *
     * @throws RocksDBException as published; never
     */
    public void reset() throws RocksDBException {
        try (Scratch _ = use()) {
            jniReset(nativeHandle_);
        }
    }

    /** {@return a line for each counter and histogram} */
    @Override
    public String toString() {
        try (Scratch _ = use()) {
            return NativeStatistics.text(options);
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        NativeDbOptions.destroy(options);
        jniDisposeInternalJni(handle);
    }

    private static void jniDisposeInternalJni(long handle) {
        NativeMethods.require("Java_org_rocksdb_Statistics_disposeInternalJni");
        disposeInternalJni(handle);
    }

    private static native void disposeInternalJni(long handle);

    private static long jniGetAndResetTickerCount(long handle, byte ticker) {
        NativeMethods.require("Java_org_rocksdb_Statistics_getAndResetTickerCount");
        return getAndResetTickerCount(handle, ticker);
    }

    private static native long getAndResetTickerCount(long handle, byte ticker);

    private static long jniGetTickerCount(long handle, byte ticker) {
        NativeMethods.require("Java_org_rocksdb_Statistics_getTickerCount");
        return getTickerCount(handle, ticker);
    }

    private static native long getTickerCount(long handle, byte ticker);

    private static long jniNewStatistics(long other) {
        NativeMethods.require("Java_org_rocksdb_Statistics_newStatistics___3BJ");
        return newStatistics(null, other);
    }

    private static native long newStatistics(byte @Nullable [] ignored, long other);

    private static void jniReset(long handle) {
        NativeMethods.require("Java_org_rocksdb_Statistics_reset");
        reset(handle);
    }

    private static native void reset(long handle);

    private static void jniSetStatsLevel(long handle, byte level) {
        NativeMethods.require("Java_org_rocksdb_Statistics_setStatsLevel");
        setStatsLevel(handle, level);
    }

    private static native void setStatsLevel(long handle, byte level);

    private static byte jniStatsLevel(long handle) {
        NativeMethods.require("Java_org_rocksdb_Statistics_statsLevel");
        return statsLevel(handle);
    }

    private static native byte statsLevel(long handle);
}
