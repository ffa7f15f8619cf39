package dev.outcrop.benchmarks.get;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How every side opens the database, in RocksDB's own notation. Nothing runs in the background, and the cache holds
 * everything.
 */
final class EngineOptions {
    static final Map<String, String> DATABASE = new TreeMap<>(Map.of(
            "create_if_missing", "true",
            "avoid_flush_during_recovery", "true",
            "max_open_files", "-1",
            "stats_dump_period_sec", "0",
            "stats_persist_period_sec", "0"));

    static final Map<String, String> COLUMN_FAMILY = new TreeMap<>(Map.of(
            "compression", "kNoCompression",
            "disable_auto_compactions", "true",
            "write_buffer_size", "67108864",
            "block_based_table_factory",
            "{block_cache=1073741824;block_size=4096;checksum=kXXH3;filter_policy=bloomfilter:10:false}"));

    private EngineOptions() {
    }

    /** Both in one string, for the sides that take one. */
    static String text() {
        return join(DATABASE) + join(COLUMN_FAMILY);
    }

    private static String join(Map<String, String> options) {
        return options.entrySet().stream().map(option -> option.getKey() + '=' + option.getValue() + ';')
                .collect(Collectors.joining());
    }
}
