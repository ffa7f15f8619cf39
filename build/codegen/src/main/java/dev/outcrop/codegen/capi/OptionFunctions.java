package dev.outcrop.codegen.capi;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Functions of option objects without a generated method: their methods are written by hand, or there are none. */
final class OptionFunctions {

    /** Functions that the Java classes call themselves, because they take or return more than plain values. */
    private static final Set<String> HAND_WRITTEN = Set.of(
            "rocksdb_backup_engine_options_get_backup_dir",
            "rocksdb_backup_engine_options_set_backup_rate_limiter",
            "rocksdb_backup_engine_options_set_env",
            "rocksdb_backup_engine_options_set_restore_rate_limiter",
            "rocksdb_block_based_options_set_block_cache",
            "rocksdb_block_based_options_set_filter_policy",
            "rocksdb_block_based_options_set_user_defined_index_factory_from_string",
            "rocksdb_column_family_metadata_options_get_end_key",
            "rocksdb_column_family_metadata_options_get_start_key",
            "rocksdb_column_family_metadata_options_set_end_key",
            "rocksdb_column_family_metadata_options_set_start_key",
            "rocksdb_compaction_options_set_canceled",
            "rocksdb_compaction_service_options_override_add_event_listener",
            "rocksdb_compaction_service_options_override_set_block_based_table_factory",
            "rocksdb_compaction_service_options_override_set_compaction_filter",
            "rocksdb_compaction_service_options_override_set_compaction_filter_factory",
            "rocksdb_compaction_service_options_override_set_comparator",
            "rocksdb_compaction_service_options_override_set_cuckoo_table_factory",
            "rocksdb_compaction_service_options_override_set_env",
            "rocksdb_compaction_service_options_override_set_file_checksum_gen_factory",
            "rocksdb_compaction_service_options_override_set_info_log",
            "rocksdb_compaction_service_options_override_set_merge_operator",
            "rocksdb_compaction_service_options_override_set_option",
            "rocksdb_compaction_service_options_override_set_prefix_extractor",
            "rocksdb_compaction_service_options_override_set_sst_partitioner_factory",
            "rocksdb_compaction_service_options_override_set_statistics",
            "rocksdb_compactoptions_set_full_history_ts_low",
            "rocksdb_create_backup_options_set_exclude_files_callback",
            "rocksdb_create_backup_options_set_progress_callback",
            "rocksdb_envoptions_set_rate_limiter",
            "rocksdb_hyper_clock_cache_options_set_memory_allocator",
            "rocksdb_lru_cache_options_set_memory_allocator",
            "rocksdb_open_and_compact_options_set_canceled",
            "rocksdb_optimistictransactiondb_options_set_shared_lock_buckets",
            "rocksdb_options_add_eventlistener",
            "rocksdb_options_calculate_sst_write_lifetime_hint_set_add",
            "rocksdb_options_calculate_sst_write_lifetime_hint_set_clear",
            "rocksdb_options_calculate_sst_write_lifetime_hint_set_contains",
            "rocksdb_options_checksum_handoff_file_types_add",
            "rocksdb_options_checksum_handoff_file_types_clear",
            "rocksdb_options_checksum_handoff_file_types_contains",
            "rocksdb_options_create_copy",
            "rocksdb_options_set_blob_cache",
            "rocksdb_options_set_block_based_table_factory",
            "rocksdb_options_set_cf_paths",
            "rocksdb_options_set_compaction_filter",
            "rocksdb_options_set_compaction_filter_factory",
            "rocksdb_options_set_compaction_service",
            "rocksdb_options_set_comparator",
            "rocksdb_options_set_compression_per_level",
            "rocksdb_options_set_cuckoo_table_factory",
            "rocksdb_options_set_db_paths",
            "rocksdb_options_set_env",
            "rocksdb_options_set_fifo_compaction_options",
            "rocksdb_options_set_file_checksum_gen_factory",
            "rocksdb_options_set_info_log",
            "rocksdb_options_set_max_bytes_for_level_multiplier_additional",
            "rocksdb_options_set_merge_operator",
            "rocksdb_options_set_min_level_to_compress",
            "rocksdb_options_set_plain_table_factory",
            "rocksdb_options_set_prefix_extractor",
            "rocksdb_options_set_ratelimiter",
            "rocksdb_options_set_row_cache",
            "rocksdb_options_set_sst_file_manager",
            "rocksdb_options_set_sst_partitioner_factory",
            "rocksdb_options_set_universal_compaction_options",
            "rocksdb_options_set_wal_filter",
            "rocksdb_options_set_write_buffer_manager",
            "rocksdb_readoptions_set_iter_start_ts",
            "rocksdb_readoptions_set_iterate_lower_bound",
            "rocksdb_readoptions_set_iterate_upper_bound",
            "rocksdb_readoptions_set_request_id",
            "rocksdb_readoptions_set_snapshot",
            "rocksdb_readoptions_set_table_filter",
            "rocksdb_readoptions_set_table_index_factory_from_string",
            "rocksdb_readoptions_set_timestamp");

    private static final Map<String, String> SKIPPED = Map.ofEntries(
            Map.entry("rocksdb_backup_engine_options_set_backup_dir", "the constructor takes it"),
            Map.entry("rocksdb_block_based_options_set_data_block_hash_ratio",
                    "does the same as rocksdb_block_based_options_set_data_block_hash_table_util_ratio"),
            Map.entry("rocksdb_compaction_service_options_override_add_table_properties_collector_factory",
                    "the C API has nothing that makes such a factory"),
            Map.entry("rocksdb_cuckoo_options_set_hash_ratio",
                    "does the same as rocksdb_cuckoo_options_set_hash_table_ratio"),
            Map.entry("rocksdb_options_add_table_properties_collector_factory",
                    "the C API has nothing that makes such a factory"),
            Map.entry("rocksdb_options_calculate_sst_write_lifetime_hint_set_count", "the getter returns the set"),
            Map.entry("rocksdb_options_calculate_sst_write_lifetime_hint_set_remove", "the setter takes the set"),
            Map.entry("rocksdb_options_checksum_handoff_file_types_count", "the getter returns the set"),
            Map.entry("rocksdb_options_checksum_handoff_file_types_remove", "the setter takes the set"),
            Map.entry("rocksdb_options_get_info_log", "Java has the logger that it set"),
            Map.entry("rocksdb_options_statistics_get_histogram_data", "reads statistics, and is no option"),
            Map.entry("rocksdb_options_statistics_get_string", "reads statistics, and is no option"),
            Map.entry("rocksdb_options_statistics_get_ticker_count", "reads statistics, and is no option"),
            Map.entry("rocksdb_wait_for_compact_options_get_close_db", "there is no setter"),
            Map.entry("rocksdb_wait_for_compact_options_set_close_db",
                    "would close the native database under its Java object"));

    private OptionFunctions() {
    }

    /** Returns whether the Java class of the object calls the function itself. */
    static boolean isHandWritten(OptionObject object, CFunction function) {
        return HAND_WRITTEN.contains(function.name()) || function.name().equals(object.prefix() + "destroy");
    }

    /** Returns why a function has no method. */
    static Optional<String> skipped(CFunction function) {
        return Optional.ofNullable(SKIPPED.get(function.name()));
    }

    /** Returns all functions that are named here. */
    static Set<String> all() {
        Set<String> all = new TreeSet<>(HAND_WRITTEN);
        all.addAll(SKIPPED.keySet());
        return all;
    }
}
