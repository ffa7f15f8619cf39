package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Calls of the options of reads and writes. */
public final class NativeReadOptions {
    private NativeReadOptions() {
    }

    public static long create() {
        return CApi.rocksdb_readoptions_create();
    }

    public static void destroy(long options) {
        CApi.rocksdb_readoptions_destroy(options);
    }

    public static long newWriteOptions() {
        return CApi.rocksdb_writeoptions_create();
    }

    public static void destroyWriteOptions(long options) {
        CApi.rocksdb_writeoptions_destroy(options);
    }

    public static void setSnapshot(long options, long snapshot) {
        CApi.rocksdb_readoptions_set_snapshot(options, snapshot);
    }

    /** Sets where iterators begin; the key is not copied. */
    public static void setLowerBound(long options, MemorySegment key, long length) {
        CApi.rocksdb_readoptions_set_iterate_lower_bound(options, key, length);
    }

    /** Sets where iterators end; the key is not copied. */
    public static void setUpperBound(long options, MemorySegment key, long length) {
        CApi.rocksdb_readoptions_set_iterate_upper_bound(options, key, length);
    }

    public static boolean isTailing(long options) {
        return CApi.rocksdb_readoptions_get_tailing(options) != 0;
    }

    public static void setTailing(long options, byte tailing) {
        CApi.rocksdb_readoptions_set_tailing(options, tailing);
    }

    public static byte prefixSameAsStart(long options) {
        return CApi.rocksdb_readoptions_get_prefix_same_as_start(options);
    }

    public static void setPrefixSameAsStart(long options, byte same) {
        CApi.rocksdb_readoptions_set_prefix_same_as_start(options, same);
    }

    public static byte autoPrefixMode(long options) {
        return CApi.rocksdb_readoptions_get_auto_prefix_mode(options);
    }

    public static void setTotalOrderSeek(long options, byte total) {
        CApi.rocksdb_readoptions_set_total_order_seek(options, total);
    }

    public static void setAllowUnpreparedValue(long options, byte allowed) {
        CApi.rocksdb_readoptions_set_allow_unprepared_value(options, allowed);
    }

    public static void setReadaheadSize(long options, long bytes) {
        CApi.rocksdb_readoptions_set_readahead_size(options, bytes);
    }

    public static void setFillCache(long options, byte fills) {
        CApi.rocksdb_readoptions_set_fill_cache(options, fills);
    }

    public static void setVerifyChecksums(long options, byte verifies) {
        CApi.rocksdb_readoptions_set_verify_checksums(options, verifies);
    }

    public static void setRequestId(long options, MemorySegment id, long length) {
        CApi.rocksdb_readoptions_set_request_id(options, id, length);
    }

    public static void setTableIndexFactory(Scratch scratch, long options, MemorySegment name, long length) {
        CApi.rocksdb_readoptions_set_table_index_factory_from_string(options, name, length,
                NativeCall.error(scratch));
    }

    /**
     * Copies every option that can be asked for its value, for which the C API has no function. Not copied are those that point to memory
     * of the caller's.
     */
    public static void copy(Scratch scratch, long from, long to) {
        CApi.rocksdb_readoptions_set_deadline(to, CApi.rocksdb_readoptions_get_deadline(from));
        CApi.rocksdb_readoptions_set_io_timeout(to, CApi.rocksdb_readoptions_get_io_timeout(from));
        CApi.rocksdb_readoptions_set_read_tier(to, CApi.rocksdb_readoptions_get_read_tier(from));
        CApi.rocksdb_readoptions_set_rate_limiter_priority(to,
                CApi.rocksdb_readoptions_get_rate_limiter_priority(from));
        CApi.rocksdb_readoptions_set_value_size_soft_limit(to,
                CApi.rocksdb_readoptions_get_value_size_soft_limit(from));
        CApi.rocksdb_readoptions_set_verify_checksums(to, CApi.rocksdb_readoptions_get_verify_checksums(from));
        CApi.rocksdb_readoptions_set_fill_cache(to, CApi.rocksdb_readoptions_get_fill_cache(from));
        CApi.rocksdb_readoptions_set_ignore_range_deletions(to,
                CApi.rocksdb_readoptions_get_ignore_range_deletions(from));
        CApi.rocksdb_readoptions_set_async_io(to, CApi.rocksdb_readoptions_get_async_io(from));
        CApi.rocksdb_readoptions_set_optimize_multiget_for_io(to,
                CApi.rocksdb_readoptions_get_optimize_multiget_for_io(from));
        CApi.rocksdb_readoptions_set_readahead_size(to, CApi.rocksdb_readoptions_get_readahead_size(from));
        CApi.rocksdb_readoptions_set_max_skippable_internal_keys(to,
                CApi.rocksdb_readoptions_get_max_skippable_internal_keys(from));
        CApi.rocksdb_readoptions_set_tailing(to, CApi.rocksdb_readoptions_get_tailing(from));
        CApi.rocksdb_readoptions_set_total_order_seek(to, CApi.rocksdb_readoptions_get_total_order_seek(from));
        CApi.rocksdb_readoptions_set_auto_prefix_mode(to, CApi.rocksdb_readoptions_get_auto_prefix_mode(from));
        CApi.rocksdb_readoptions_set_prefix_same_as_start(to, CApi.rocksdb_readoptions_get_prefix_same_as_start(from));
        CApi.rocksdb_readoptions_set_pin_data(to, CApi.rocksdb_readoptions_get_pin_data(from));
        CApi.rocksdb_readoptions_set_adaptive_readahead(to, CApi.rocksdb_readoptions_get_adaptive_readahead(from));
        CApi.rocksdb_readoptions_set_background_purge_on_iterator_cleanup(to,
                CApi.rocksdb_readoptions_get_background_purge_on_iterator_cleanup(from));
        CApi.rocksdb_readoptions_set_auto_readahead_size(to, CApi.rocksdb_readoptions_get_auto_readahead_size(from));
        CApi.rocksdb_readoptions_set_allow_unprepared_value(to,
                CApi.rocksdb_readoptions_get_allow_unprepared_value(from));
        CApi.rocksdb_readoptions_set_auto_refresh_iterator_with_snapshot(to,
                CApi.rocksdb_readoptions_get_auto_refresh_iterator_with_snapshot(from));
        CApi.rocksdb_readoptions_set_io_activity(to, CApi.rocksdb_readoptions_get_io_activity(from));
        if (CApi.rocksdb_readoptions_has_merge_operand_count_threshold(from) != 0) {
            CApi.rocksdb_readoptions_set_merge_operand_count_threshold(to,
                    CApi.rocksdb_readoptions_get_merge_operand_count_threshold(from));
        }
        NativeCall.error(scratch);
        long length = scratch.wordAddress(1);
        long id = CApi.rocksdb_readoptions_get_request_id(from, length);
        if (id != 0) {
            setRequestId(to, NativeCalls.view(id, scratch.word(1)), scratch.word(1));
        }
        long factory = CApi.rocksdb_readoptions_get_table_index_factory_name(from, length);
        if (factory != 0) {
            setTableIndexFactory(scratch, to, NativeCalls.view(factory, scratch.word(1)), scratch.word(1));
        }
    }
}
