package org.rocksdb;

import static java.util.Map.entry;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/** The counters of a {@code CompactionJobStats}, by getter. Thread-safe. */
final class CompactionCounters {

    /** The C function that reads a counter of a native object. */
    private static final Map<String, LongUnaryOperator> FUNCTIONS = Map.ofEntries(
            entry("elapsedMicros", CApi::rocksdb_compaction_job_stats_elapsed_micros),
            entry("numInputRecords", CApi::rocksdb_compaction_job_stats_num_input_records),
            entry("numInputFiles", CApi::rocksdb_compaction_job_stats_num_input_files),
            entry("numInputFilesAtOutputLevel", CApi::rocksdb_compaction_job_stats_num_input_files_at_output_level),
            entry("numOutputRecords", CApi::rocksdb_compaction_job_stats_num_output_records),
            entry("numOutputFiles", CApi::rocksdb_compaction_job_stats_num_output_files),
            entry("totalInputBytes", CApi::rocksdb_compaction_job_stats_total_input_bytes),
            entry("totalOutputBytes", CApi::rocksdb_compaction_job_stats_total_output_bytes),
            entry("numRecordsReplaced", CApi::rocksdb_compaction_job_stats_num_records_replaced),
            entry("totalInputRawKeyBytes", CApi::rocksdb_compaction_job_stats_total_input_raw_key_bytes),
            entry("totalInputRawValueBytes", CApi::rocksdb_compaction_job_stats_total_input_raw_value_bytes),
            entry("numInputDeletionRecords", CApi::rocksdb_compaction_job_stats_num_input_deletion_records),
            entry("numExpiredDeletionRecords", CApi::rocksdb_compaction_job_stats_num_expired_deletion_records),
            entry("numCorruptKeys", CApi::rocksdb_compaction_job_stats_num_corrupt_keys),
            entry("fileWriteNanos", CApi::rocksdb_compaction_job_stats_file_write_nanos),
            entry("fileRangeSyncNanos", CApi::rocksdb_compaction_job_stats_file_range_sync_nanos),
            entry("fileFsyncNanos", CApi::rocksdb_compaction_job_stats_file_fsync_nanos),
            entry("filePrepareWriteNanos", CApi::rocksdb_compaction_job_stats_file_prepare_write_nanos),
            entry("numSingleDelFallthru", CApi::rocksdb_compaction_job_stats_num_single_del_fallthru),
            entry("numSingleDelMismatch", CApi::rocksdb_compaction_job_stats_num_single_del_mismatch));

    private final CompactionJobStats stats;
    private final Map<String, Long> counts = new HashMap<>();

    CompactionCounters(CompactionJobStats stats) {
        this.stats = stats;
    }

    /** Returns a copy of the counters of a native object. */
    static Map<String, Long> copy(long nativeStats) {
        Map<String, Long> copy = new HashMap<>();
        FUNCTIONS.forEach((getter, function) -> copy.put(getter, function.applyAsLong(nativeStats)));
        return copy;
    }

    synchronized long read(String getter) {
        Objects.requireNonNull(FUNCTIONS.get(getter), getter);
        try (Scratch _ = stats.use()) {
            return counts.getOrDefault(getter, 0L);
        }
    }

    synchronized void reset() {
        try (Scratch _ = stats.use()) {
            counts.clear();
        }
    }

    void add(CompactionJobStats other) {
        Map<String, Long> added = other.state_.copy();
        try (Scratch _ = stats.use()) {
            add(added);
        }
    }

    synchronized void add(Map<String, Long> others) {
        others.forEach((getter, count) -> counts.merge(getter, count, Long::sum));
    }

    private synchronized Map<String, Long> copy() {
        try (Scratch _ = stats.use()) {
            return new HashMap<>(counts);
        }
    }

    /** Unknown for sums. */
    boolean isManualCompaction() {
        try (Scratch _ = stats.use()) {
            return false;
        }
    }

    /** Unknown for sums. */
    byte[] smallestOutputKeyPrefix() {
        try (Scratch _ = stats.use()) {
            return new byte[0];
        }
    }
}
