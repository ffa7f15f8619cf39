package dev.outcrop.benchmarks.harness;

import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The options with which every side opens the database, in RocksDB's own notation. Nothing runs in the background, and the cache holds
 * everything.
 */
public final class EngineOptions {
    /** For a database that is read. */
    public static final EngineOptions READING = new EngineOptions(Map.of(), Map.of());

    /** For a database that is written: the writes of an iteration stay in the memtable, and are thrown away afterwards. */
    public static final EngineOptions WRITING = new EngineOptions(Map.of("avoid_flush_during_shutdown", "true"),
            Map.of("write_buffer_size", "536870912"));

    private final SortedMap<String, String> database = new TreeMap<>(Map.of(
            "create_if_missing", "true",
            "avoid_flush_during_recovery", "true",
            "max_open_files", "-1",
            "stats_dump_period_sec", "0",
            "stats_persist_period_sec", "0"));

    private final SortedMap<String, String> columnFamily = new TreeMap<>(Map.of(
            "compression", "kNoCompression",
            "disable_auto_compactions", "true",
            "write_buffer_size", "67108864",
            "block_based_table_factory",
            "{block_cache=1073741824;block_size=4096;checksum=kXXH3;filter_policy=bloomfilter:10:false}"));

    private EngineOptions(Map<String, String> forDatabase, Map<String, String> forColumnFamily) {
        database.putAll(forDatabase);
        columnFamily.putAll(forColumnFamily);
    }

    /** Returns the options of the database, for rocksdbjni. */
    Properties database() {
        return properties(database);
    }

    /** Returns the options of each column family, for rocksdbjni. */
    Properties columnFamily() {
        return properties(columnFamily);
    }

    /** Returns all options as one string, for Outcrop and C. */
    public String text() {
        return join(database) + join(columnFamily);
    }

    private static String join(Map<String, String> options) {
        return options.entrySet().stream().map(option -> option.getKey() + '=' + option.getValue() + ';')
                .collect(Collectors.joining());
    }

    private static Properties properties(Map<String, String> options) {
        Properties properties = new Properties();
        properties.putAll(options);
        return properties;
    }
}
