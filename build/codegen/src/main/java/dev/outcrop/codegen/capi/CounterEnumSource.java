package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.StatisticsFacts.Counter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The source of a public Java enum of things that RocksDB counts.
 *
 * @param javaName    the enum
 * @param description its documentation
 * @param counters    its constants
 */
record CounterEnumSource(String javaName, String description, List<Counter> counters) {

    /** Constants of the C API that rocksdb_perfcontext_metric does not know: it returns 0 for them (db/c.cc). */
    private static final Set<String> UNKNOWN_METRICS = Set.of("rocksdb_blob_cache_read_byte",
            "rocksdb_total_metric_count");

    static CounterEnumSource tickers(StatisticsFacts facts) {
        return new CounterEnumSource("Ticker", """
                What RocksDB counts, see {@link Statistics}. Each only grows. RocksDB describes them in its header
                 * {@code statistics.h}.""", facts.tickers());
    }

    static CounterEnumSource histograms(StatisticsFacts facts) {
        return new CounterEnumSource("Histogram", """
                What RocksDB makes histograms of, see {@link Statistics}. RocksDB describes them in its header
                 * {@code statistics.h}; times are in microseconds unless the name says otherwise.""",
                facts.histograms());
    }

    /** Returns the source of the names, for an API that has its own enum. */
    static String histogramNames(StatisticsFacts facts) {
        return """
                package dev.outcrop.rocksdb.engine.capi;

                import java.util.List;

                /** The histograms of {@code statistics.h}. Generated from the table of statistics. */
                public final class CHistograms {
                    /** Their names, by number. */
                    public static final List<String> NAMES = List.of(
                            %s);

                    private CHistograms() {
                    }
                }
                """.formatted(facts.histograms().stream().map(counter -> '"' + counter.constant() + '"')
                .collect(Collectors.joining(",\n            ")));
    }

    static CounterEnumSource perfMetrics(Facts facts) {
        List<Counter> counters = facts.enums().stream()
                .filter(values -> values.name().startsWith("rocksdb_user_key_comparison_count")).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the table has no enum of perf context metrics"))
                .constants().stream().filter(constant -> !UNKNOWN_METRICS.contains(constant.name()))
                .map(constant -> {
                    String name = constant.name().substring("rocksdb_".length());
                    return new Counter(Names.constant(name), (int) constant.value(), name);
                }).toList();
        return new CounterEnumSource("PerfMetric", """
                What RocksDB counts for a thread, see {@link PerfContext}. RocksDB describes them in its header
                 * {@code perf_context.h}; times are in nanoseconds.""", counters);
    }

    String text() {
        return """
                %1$s
                package dev.outcrop.rocksdb;

                /**
                 * %2$s
                 */
                public enum %3$s {
                %4$s;

                    private final int value;
                    private final String rocksdbName;

                    %3$s(int value, String rocksdbName) {
                        this.value = value;
                        this.rocksdbName = rocksdbName;
                    }

                    /** RocksDB's number for it. */
                    int value() {
                        return value;
                    }

                    /**
                     * Returns the name that RocksDB prints.
                     *
                     * @return RocksDB's name
                     */
                    public String rocksdbName() {
                        return rocksdbName;
                    }
                }
                """.formatted(Sources.HEADER, description, javaName,
                counters.stream().map(CounterEnumSource::constant).collect(Collectors.joining(",\n")));
    }

    private static String constant(Counter counter) {
        return "    /** RocksDB's {@code %s}. */\n    %s(%d, \"%s\")".formatted(counter.name(), counter.constant(),
                counter.number(), counter.name());
    }
}
