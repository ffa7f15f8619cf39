package dev.outcrop.engines.kafka;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Metric;

/** Kafka's metrics that come from RocksDB, without the values that depend on time or on background threads. */
final class RocksDbMetrics {
    private static final List<String> PREFIXES = List.of("bytes-", "memtable-", "block-cache-", "write-stall-",
            "number-open-files", "number-file-errors", "num-", "cur-size-", "size-all-", "estimate-", "live-sst-",
            "total-sst-", "mem-table-flush-pending", "compaction-pending", "background-errors");
    private static final Set<String> STEADY = Set.of("bytes-written-total", "bytes-read-total", "block-cache-capacity",
            "background-errors", "number-open-files", "number-file-errors-total", "num-open-iterators");

    private RocksDbMetrics() {
    }

    /** One line for each, sorted; the value only where it is steady. */
    static List<String> lines(Collection<? extends Metric> metrics) {
        return metrics.stream().filter(metric -> metric.metricName().group().equals("stream-state-metrics"))
                .filter(metric -> PREFIXES.stream().anyMatch(metric.metricName().name()::startsWith))
                .map(metric -> "metric " + tags(metric) + " " + metric.metricName().name() + " " + value(metric))
                .sorted().toList();
    }

    private static String tags(Metric metric) {
        return metric.metricName().tags().entrySet().stream().filter(tag -> !tag.getKey().equals("thread-id"))
                .map(Object::toString).sorted().toList().toString();
    }

    private static Object value(Metric metric) {
        Object value = metric.metricValue();
        if (STEADY.contains(metric.metricName().name()) || !(value instanceof Number number)) {
            return value;
        }
        return number.doubleValue() < 0 ? "negative" : "a number";
    }
}
