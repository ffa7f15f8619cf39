package dev.outcrop.generator;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the header does not say about options and RocksDB's sources (db/c.cc, options.h) do. Options are named as in C, without
 * {@code set_}.
 */
final class OptionNotes {

    /** Options that the C API takes as {@code int} and assigns to a {@code bool}. */
    private static final Set<String> BOOLEANS = Set.of("use_fsync", "disable_auto_compactions",
            "optimize_filters_for_hits", "report_bg_io_stats", "disable_WAL", "keep_log_files");

    /** A negative value with a meaning, because the option is unsigned and uses numbers near its end as a sign. */
    record Special(long value, String meaning) {
    }

    private static final Map<String, Special> SPECIALS = Map.of(
            "ttl", new Special(-2, "lets RocksDB choose"),
            "periodic_compaction_seconds", new Special(-2, "lets RocksDB choose"),
            "value_size_soft_limit", new Special(-1, "means no limit"),
            "output_file_size_limit", new Special(-1, "means no limit"),
            "txn_commit_bypass_memtable_threshold", new Special(-1, "means never"));

    /** Numbers of threads that RocksDB starts in the setter itself: where one cannot be started, it ends the process. */
    private static final Map<String, Integer> AT_MOST = Map.of("total_threads", 1024);

    /** Names for parameters that the header leaves unnamed, where there are several. */
    private static final Map<String, List<String>> PARAMETERS = Map.of(
            "compression_options", List.of("window_bits", "level", "strategy", "max_dict_bytes"),
            "bottommost_compression_options",
            List.of("window_bits", "level", "strategy", "max_dict_bytes", "enabled"),
            "bottommost_compression_options_zstd_max_train_bytes", List.of("zstd_max_train_bytes", "enabled"),
            "bottommost_compression_options_use_zstd_dict_trainer", List.of("use_zstd_dict_trainer", "enabled"),
            "bottommost_compression_options_max_dict_buffer_bytes", List.of("max_dict_buffer_bytes", "enabled"),
            "hash_skip_list_rep", List.of("bucket_count", "skiplist_height", "skiplist_branching_factor"));

    /** Functions that get no method although their parameters would allow it. */
    private static final Map<String, String> SKIPPED = Map.of(
            "destroy", "belongs to the life of the object, not to its options",
            "min_level_to_compress", "writes outside its array when the level is above num_levels",
            "plain_table_factory", "eight values in a row; a class of its own is due with PlainTable",
            "io_activity", "is set by RocksDB itself",
            "checksum_handoff_file_types_add", "takes a number of RocksDB's internal FileType",
            "checksum_handoff_file_types_remove", "takes a number of RocksDB's internal FileType");

    private OptionNotes() {
    }

    static boolean isBoolean(String option) {
        return BOOLEANS.contains(option);
    }

    static Optional<Special> special(String option) {
        return Optional.ofNullable(SPECIALS.get(option));
    }

    /** The greatest value of an option whose least is 1. */
    static Optional<Integer> atMost(String option) {
        return Optional.ofNullable(AT_MOST.get(option));
    }

    static Optional<List<String>> parameters(String option) {
        return Optional.ofNullable(PARAMETERS.get(option));
    }

    static Optional<String> skipped(String option) {
        return Optional.ofNullable(SKIPPED.get(option));
    }

    static Optional<OptionEnum> enumOf(String option) {
        return OptionEnum.ALL.stream().filter(e -> e.options().contains(option)).findFirst();
    }
}
