package org.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** A copy of what C counts in a compaction. */
record CompactionCounts(Map<CompactionCounts.Count, Long> counts) {

    /** A number, and the C function that gives it. */
    @SuppressWarnings("ImmutableEnumChecker") // a method reference holds nothing
    enum Count {
        ELAPSED_MICROS(CApi::rocksdb_compaction_job_stats_elapsed_micros),
        INPUT_RECORDS(CApi::rocksdb_compaction_job_stats_num_input_records),
        INPUT_FILES(CApi::rocksdb_compaction_job_stats_num_input_files),
        INPUT_FILES_AT_OUTPUT_LEVEL(CApi::rocksdb_compaction_job_stats_num_input_files_at_output_level),
        OUTPUT_RECORDS(CApi::rocksdb_compaction_job_stats_num_output_records),
        OUTPUT_FILES(CApi::rocksdb_compaction_job_stats_num_output_files),
        INPUT_BYTES(CApi::rocksdb_compaction_job_stats_total_input_bytes),
        OUTPUT_BYTES(CApi::rocksdb_compaction_job_stats_total_output_bytes),
        RECORDS_REPLACED(CApi::rocksdb_compaction_job_stats_num_records_replaced),
        INPUT_RAW_KEY_BYTES(CApi::rocksdb_compaction_job_stats_total_input_raw_key_bytes),
        INPUT_RAW_VALUE_BYTES(CApi::rocksdb_compaction_job_stats_total_input_raw_value_bytes),
        INPUT_DELETION_RECORDS(CApi::rocksdb_compaction_job_stats_num_input_deletion_records),
        EXPIRED_DELETION_RECORDS(CApi::rocksdb_compaction_job_stats_num_expired_deletion_records),
        CORRUPT_KEYS(CApi::rocksdb_compaction_job_stats_num_corrupt_keys),
        FILE_WRITE_NANOS(CApi::rocksdb_compaction_job_stats_file_write_nanos),
        FILE_RANGE_SYNC_NANOS(CApi::rocksdb_compaction_job_stats_file_range_sync_nanos),
        FILE_FSYNC_NANOS(CApi::rocksdb_compaction_job_stats_file_fsync_nanos),
        FILE_PREPARE_WRITE_NANOS(CApi::rocksdb_compaction_job_stats_file_prepare_write_nanos),
        SINGLE_DELETE_FALLTHROUGHS(CApi::rocksdb_compaction_job_stats_num_single_del_fallthru),
        SINGLE_DELETE_MISMATCHES(CApi::rocksdb_compaction_job_stats_num_single_del_mismatch);

        private final LongUnaryOperator function;

        Count(LongUnaryOperator function) {
            this.function = function;
        }
    }

    /** Of no compaction. */
    static final CompactionCounts NONE = new CompactionCounts(Map.of());

    static CompactionCounts of(long stats) {
        Map<Count, Long> counts = new EnumMap<>(Count.class);
        for (Count count : Count.values()) {
            counts.put(count, count.function.applyAsLong(stats));
        }
        return new CompactionCounts(counts);
    }
}
