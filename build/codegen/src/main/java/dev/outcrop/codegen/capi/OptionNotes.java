package dev.outcrop.codegen.capi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Facts about options from RocksDB's sources (db/c.cc, options.h) that the header does not have. Options are named as in C, without {@code
 * set_}.
 */
final class OptionNotes {

    /** Options that the C API takes as {@code int} and assigns to a {@code bool}. */
    private static final Set<String> BOOLEANS = Set.of("use_fsync", "disable_auto_compactions",
            "optimize_filters_for_hits", "report_bg_io_stats", "disable_WAL", "keep_log_files");

    /** Options that the C API takes as {@code int} and assigns to an unsigned number. */
    private static final Set<String> UNSIGNED = Set.of("size_ratio", "min_merge_width", "max_merge_width",
            "max_size_amplification_percent", "max_subcompactions", "target_path_id", "format_version");

    /** Options with a number that is a set of an enum's constants, one bit for each constant. */
    private static final Set<String> FLAGS = Set.of("filter", "verify_output_flags");

    /**
     * Options that are durations, with RocksDB's units. Three options are not here: {@code ttl} and {@code periodic_compaction_seconds}
     * have a default of -2 ({@link #SPECIALS}), and {@code deadline} is a point in time.
     */
    private static final Map<String, TimeUnit> UNITS = Map.ofEntries(
            Map.entry("timeout", TimeUnit.MICROSECONDS),
            Map.entry("io_timeout", TimeUnit.MICROSECONDS),
            Map.entry("bgerror_resume_retry_interval", TimeUnit.MICROSECONDS),
            Map.entry("deadlock_timeout_us", TimeUnit.MICROSECONDS),
            Map.entry("delete_obsolete_files_period_micros", TimeUnit.MICROSECONDS),
            Map.entry("write_thread_max_yield_usec", TimeUnit.MICROSECONDS),
            Map.entry("write_thread_slow_yield_usec", TimeUnit.MICROSECONDS),
            Map.entry("default_lock_timeout", TimeUnit.MILLISECONDS),
            Map.entry("expiration", TimeUnit.MILLISECONDS),
            Map.entry("follower_catchup_retry_wait_ms", TimeUnit.MILLISECONDS),
            Map.entry("follower_refresh_catchup_period_ms", TimeUnit.MILLISECONDS),
            Map.entry("lock_timeout", TimeUnit.MILLISECONDS),
            Map.entry("transaction_lock_timeout", TimeUnit.MILLISECONDS),
            Map.entry("WAL_ttl_seconds", TimeUnit.SECONDS),
            Map.entry("log_file_time_to_roll", TimeUnit.SECONDS),
            Map.entry("max_compaction_trigger_wakeup_seconds", TimeUnit.SECONDS),
            Map.entry("preclude_last_level_data_seconds", TimeUnit.SECONDS),
            Map.entry("preserve_internal_time_seconds", TimeUnit.SECONDS),
            Map.entry("stats_dump_period_sec", TimeUnit.SECONDS),
            Map.entry("stats_persist_period_sec", TimeUnit.SECONDS));

    /**
     * Durations that limit a wait. Zero means no limit. A duration that is longer than RocksDB can count becomes the longest that it can
     * count.
     */
    private static final Set<String> LIMITS = Set.of("timeout", "io_timeout");

    /** The meaning of negative durations, for options that have one. */
    private static final Map<String, String> NEGATIVE_TIMES = Map.of(
            "default_lock_timeout", "waits forever",
            "expiration", "means that the transaction never expires",
            "lock_timeout", "means {@code transaction_lock_timeout} of the database",
            "transaction_lock_timeout", "waits forever");

    /** A negative value with a special meaning. Unsigned options use numbers near their maximum for this. */
    record Special(long value, String meaning) {
    }

    private static final Map<String, Special> SPECIALS = Map.of(
            "ttl", new Special(-2, "lets RocksDB choose"),
            "periodic_compaction_seconds", new Special(-2, "lets RocksDB choose"),
            "value_size_soft_limit", new Special(-1, "means no limit"),
            "output_file_size_limit", new Special(-1, "means no limit"),
            "max_merge_width", new Special(-1, "means no limit"),
            "large_txn_commit_optimize_byte_threshold", new Special(-1, "means never"),
            "txn_commit_bypass_memtable_threshold", new Special(-1, "means never"));

    /** The least and the greatest value of an option, both inclusive. */
    record Range(Number least, Number most) {
        static Range of(long least, long most) {
            return new Range(least, most);
        }
    }

    private static final long GIB = 1L << 30;

    /** Ranges that RocksDB does not check itself. Outside of them it ends the process or hangs. */
    private static final Map<String, Range> RANGES = Map.ofEntries(
            // Numbers of threads: RocksDB ends the process if it cannot start a thread.
            Map.entry("total_threads", Range.of(1, 1024)),
            Map.entry("num_threads", Range.of(0, 1024)),
            Map.entry("max_background_operations", Range.of(1, 1024)),
            Map.entry("file_opening_threads", Range.of(1, 1024)),
            // With a larger number RocksDB makes no cache, but uses it nevertheless.
            Map.entry("num_shard_bits", Range.of(-1, 19)),
            // RocksDB divides by the number, or allocates memory for that many elements.
            Map.entry("occ_lock_buckets", Range.of(1, 1L << 24)),
            Map.entry("num_stripes", Range.of(1, 1L << 20)),
            Map.entry("max_num_deadlocks", Range.of(0, 1L << 20)),
            Map.entry("deadlock_detect_depth", Range.of(0, 100_000)),
            // RocksDB allocates memory for that many elements, or that many bytes in one piece.
            Map.entry("num_levels", Range.of(0, 1000)),
            Map.entry("block_size", Range.of(1, 256L << 20)),
            Map.entry("io_buffer_size", Range.of(0, GIB)),
            Map.entry("max_auto_readahead_size", Range.of(0, GIB)),
            Map.entry("initial_auto_readahead_size", Range.of(0, GIB)),
            Map.entry("trivial_copy_buffer_size", Range.of(0, GIB)),
            Map.entry("readahead_size", Range.of(0, GIB)),
            Map.entry("verify_checksums_readahead_size", Range.of(0, GIB)),
            // The size of a cuckoo table is inversely proportional to this ratio. The other options limit a search.
            Map.entry("hash_table_ratio", new Range(0.01, 1.0)),
            Map.entry("max_search_depth", Range.of(1, 10_000)),
            Map.entry("cuckoo_block_size", Range.of(1, 65_536)));

    /** Names for parameters that have no name in the header, in functions with several parameters. */
    private static final Map<String, List<String>> PARAMETERS = Map.of(
            "compression_options", List.of("window_bits", "level", "strategy", "max_dict_bytes"),
            "bottommost_compression_options",
            List.of("window_bits", "level", "strategy", "max_dict_bytes", "enabled"),
            "bottommost_compression_options_zstd_max_train_bytes", List.of("zstd_max_train_bytes", "enabled"),
            "bottommost_compression_options_use_zstd_dict_trainer", List.of("use_zstd_dict_trainer", "enabled"),
            "bottommost_compression_options_max_dict_buffer_bytes", List.of("max_dict_buffer_bytes", "enabled"),
            "hash_skip_list_rep", List.of("bucket_count", "skiplist_height", "skiplist_branching_factor"));

    /** The names of options in RocksDB's textual form, if they differ; empty for options that the textual form lacks. */
    private static final Map<String, String> TEXT_NAMES = Map.of(
            "blob_gc_age_cutoff", "blob_garbage_collection_age_cutoff",
            "blob_gc_force_threshold", "blob_garbage_collection_force_threshold",
            "enable_blob_gc", "enable_blob_garbage_collection",
            "bottommost_compression_options_use_zstd_dict_trainer",
            "bottommost_compression_opts.use_zstd_dict_trainer",
            "compression_options_max_dict_buffer_bytes", "compression_opts.max_dict_buffer_bytes",
            "compression_options_parallel_threads", "compression_opts.parallel_threads",
            "compression_options_use_zstd_dict_trainer", "compression_opts.use_zstd_dict_trainer",
            "compression_options_zstd_max_train_bytes", "compression_opts.zstd_max_train_bytes",
            "statistics_level", "");

    private OptionNotes() {
    }

    static boolean isBoolean(String option) {
        return BOOLEANS.contains(option);
    }

    static boolean isUnsigned(String option) {
        return UNSIGNED.contains(option);
    }

    static boolean isFlags(String option) {
        return FLAGS.contains(option);
    }

    /** Returns the unit of an option that is a duration. */
    static Optional<TimeUnit> unit(String option) {
        return Optional.ofNullable(UNITS.get(option));
    }

    static boolean isLimit(String option) {
        return LIMITS.contains(option);
    }

    static Optional<String> negativeTime(String option) {
        return Optional.ofNullable(NEGATIVE_TIMES.get(option));
    }

    /** Returns all options that are durations. */
    static Set<String> times() {
        return UNITS.keySet();
    }

    static Optional<Special> special(String option) {
        return Optional.ofNullable(SPECIALS.get(option));
    }

    static Optional<Range> range(String option) {
        return Optional.ofNullable(RANGES.get(option));
    }

    static Optional<List<String>> parameters(String option) {
        return Optional.ofNullable(PARAMETERS.get(option));
    }

    /** Returns the option's name in RocksDB's textual form, if it has one. */
    static Optional<String> textName(String option) {
        return Optional.of(TEXT_NAMES.getOrDefault(option, option)).filter(name -> !name.isEmpty());
    }

    static Optional<OptionEnum> enumOf(String option) {
        return OptionEnum.ALL.stream().filter(e -> e.options().contains(option)).findFirst();
    }
}
