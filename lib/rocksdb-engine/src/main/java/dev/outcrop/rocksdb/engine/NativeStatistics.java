package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;
import org.jspecify.annotations.Nullable;

/** Calls of statistics and of the counters of a thread. In C, statistics belong to options. */
public final class NativeStatistics {
    private NativeStatistics() {
    }

    /** A distribution; all zeros if nothing was counted. */
    public record Distribution(long count, long sum, double min, double max, double average, double standardDeviation,
            double median, double p95, double p99) {
        public static final Distribution EMPTY = new Distribution(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Reads a histogram. */
    public static Distribution histogram(long options, int number) {
        long data = CApi.rocksdb_statistics_histogram_data_create();
        try {
            CApi.rocksdb_options_statistics_get_histogram_data(options, number, data);
            return new Distribution(CApi.rocksdb_statistics_histogram_data_get_count(data),
                    CApi.rocksdb_statistics_histogram_data_get_sum(data),
                    CApi.rocksdb_statistics_histogram_data_get_min(data),
                    CApi.rocksdb_statistics_histogram_data_get_max(data),
                    CApi.rocksdb_statistics_histogram_data_get_average(data),
                    CApi.rocksdb_statistics_histogram_data_get_std_dev(data),
                    CApi.rocksdb_statistics_histogram_data_get_median(data),
                    CApi.rocksdb_statistics_histogram_data_get_p95(data),
                    CApi.rocksdb_statistics_histogram_data_get_p99(data));
        } finally {
            CApi.rocksdb_statistics_histogram_data_destroy(data);
        }
    }

    /** Returns RocksDB's print of all counters; null if the options have no statistics. */
    public static @Nullable String text(long options) {
        return NativeCall.takeStringOrNull(CApi.rocksdb_options_statistics_get_string(options));
    }

    /** Returns RocksDB's print of the counters of the calling thread. */
    public static String report(long perfContext, boolean excludeZeros) {
        return NativeCall.takeString(CApi.rocksdb_perfcontext_report(perfContext, (byte) (excludeZeros ? 1 : 0)));
    }
}
