package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.HashMap;
import java.util.Map;

/** Copies of the values of an event. The second word of the scratch memory takes lengths. */
final class EventData {

    private EventData() {
    }

    /** Copies a text; its length is in the second word. */
    static String text(Scratch scratch, long address) {
        return NativeValues.text(address, scratch.word(1));
    }

    private static String textOrNull(Scratch scratch, long address) {
        return scratch.word(1) == 0 ? null : text(scratch, address);
    }

    /** Returns the status of a call. */
    static Status status(Scratch scratch) {
        try {
            Errors.check(scratch);
            return new Status(Status.Code.Ok, Status.SubCode.None, null);
        } catch (RocksDBException e) {
            return e.getStatus();
        }
    }

    static FlushJobInfo flush(long info, Scratch scratch) {
        return new FlushJobInfo(Integer.toUnsignedLong(CApi.rocksdb_flushjobinfo_cf_id(info)),
                text(scratch, CApi.rocksdb_flushjobinfo_cf_name(info, scratch.wordAddress(1))),
                text(scratch, CApi.rocksdb_flushjobinfo_file_path(info, scratch.wordAddress(1))),
                CApi.rocksdb_flushjobinfo_thread_id(info), CApi.rocksdb_flushjobinfo_job_id(info),
                CApi.rocksdb_flushjobinfo_triggered_writes_slowdown(info) != 0,
                CApi.rocksdb_flushjobinfo_triggered_writes_stop(info) != 0,
                CApi.rocksdb_flushjobinfo_smallest_seqno(info), CApi.rocksdb_flushjobinfo_largest_seqno(info),
                table(CApi.rocksdb_flushjobinfo_table_properties(info), scratch),
                (byte) CApi.rocksdb_flushjobinfo_flush_reason(info));
    }

    /** Copies the first field of an ingested file, the family. */
    static String ingestedFamily(long info, Scratch scratch) {
        return text(scratch, CApi.rocksdb_externalfileingestioninfo_cf_name(info, scratch.wordAddress(1)));
    }

    static ExternalFileIngestionInfo ingestion(long info, Scratch scratch) {
        long length = scratch.wordAddress(1);
        return new ExternalFileIngestionInfo(
                ingestedFamily(info, scratch),
                text(scratch, CApi.rocksdb_externalfileingestioninfo_external_file_path(info, length)),
                text(scratch, CApi.rocksdb_externalfileingestioninfo_internal_file_path(info, length)),
                CApi.rocksdb_externalfileingestioninfo_global_seqno(info),
                table(CApi.rocksdb_externalfileingestioninfo_table_properties(info), scratch));
    }

    /** Copies the properties of a table file. */
    static TableProperties table(long table, Scratch scratch) {
        long length = scratch.wordAddress(1);
        return new TableProperties(CApi.rocksdb_table_properties_data_size(table),
                CApi.rocksdb_table_properties_index_size(table), CApi.rocksdb_table_properties_index_partitions(table),
                CApi.rocksdb_table_properties_top_level_index_size(table),
                CApi.rocksdb_table_properties_index_key_is_user_key(table),
                CApi.rocksdb_table_properties_index_value_is_delta_encoded(table),
                CApi.rocksdb_table_properties_filter_size(table), CApi.rocksdb_table_properties_raw_key_size(table),
                CApi.rocksdb_table_properties_raw_value_size(table),
                CApi.rocksdb_table_properties_num_data_blocks(table),
                CApi.rocksdb_table_properties_num_entries(table), CApi.rocksdb_table_properties_num_deletions(table),
                CApi.rocksdb_table_properties_num_merge_operands(table),
                CApi.rocksdb_table_properties_num_range_deletions(table),
                CApi.rocksdb_table_properties_format_version(table),
                CApi.rocksdb_table_properties_fixed_key_len(table),
                CApi.rocksdb_table_properties_column_family_id(table),
                CApi.rocksdb_table_properties_creation_time(table),
                CApi.rocksdb_table_properties_oldest_key_time(table),
                CApi.rocksdb_table_properties_slow_compression_estimated_data_size(table),
                CApi.rocksdb_table_properties_fast_compression_estimated_data_size(table),
                CApi.rocksdb_table_properties_external_sst_file_global_seqno_offset(table),
                NativeValues.bytes(CApi.rocksdb_table_properties_column_family_name(table, length), scratch.word(1)),
                textOrNull(scratch, CApi.rocksdb_table_properties_filter_policy_name(table, length)),
                textOrNull(scratch, CApi.rocksdb_table_properties_comparator_name(table, length)),
                textOrNull(scratch, CApi.rocksdb_table_properties_merge_operator_name(table, length)),
                textOrNull(scratch, CApi.rocksdb_table_properties_prefix_extractor_name(table, length)),
                textOrNull(scratch, CApi.rocksdb_table_properties_property_collectors_names(table, length)),
                textOrNull(scratch, CApi.rocksdb_table_properties_compression_name(table, length)),
                texts(table, scratch, CApi.rocksdb_table_properties_user_collected_properties_count(table),
                        CApi::rocksdb_table_properties_user_collected_properties_key_at,
                        CApi::rocksdb_table_properties_user_collected_properties_value_at),
                texts(table, scratch, CApi.rocksdb_table_properties_readable_properties_count(table),
                        CApi::rocksdb_table_properties_readable_properties_key_at,
                        CApi::rocksdb_table_properties_readable_properties_value_at));
    }

    /** A C function that returns the text at an index. */
    private interface TextAt {
        long get(long of, long place, long length);
    }

    private static Map<String, String> texts(long of, Scratch scratch, long count, TextAt keys, TextAt values) {
        Map<String, String> texts = new HashMap<>();
        for (long i = 0; i < count; i++) {
            String key = text(scratch, keys.get(of, i, scratch.wordAddress(1)));
            String value = text(scratch, values.get(of, i, scratch.wordAddress(1)));
            // As published, numbers in bytes are texts that end at a zero.
            int zero = value.indexOf('\0');
            texts.put(key, zero < 0 ? value : value.substring(0, zero));
        }
        return texts;
    }
}
