package dev.outcrop.rocksdb;

/**
 * A distribution, in the unit of its {@link Histogram}. RocksDB counts in buckets that get wider with the values, so the
 * percentiles are estimates; count, sum, smallest and largest are exact.
 *
 * @param count             how many values there were
 * @param sum               of the values
 * @param min               the smallest value
 * @param max               the largest value
 * @param average           of the values
 * @param standardDeviation of the values
 * @param median            half of the values are smaller
 * @param p95               95 % of the values are smaller
 * @param p99               99 % of the values are smaller
 */
public record HistogramData(long count, long sum, double min, double max, double average, double standardDeviation,
        double median, double p95, double p99) {
}
