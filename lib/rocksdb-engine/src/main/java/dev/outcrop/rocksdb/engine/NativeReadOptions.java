package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** Calls of the options of reads and writes. */
public final class NativeReadOptions extends ReadOptionsCalls {
    private NativeReadOptions() {
    }

    /**
     * Copies every option that has a getter, because the C API has no function for copying. Options that point to the caller's memory have
     * no getter.
     */
    public static void copy(Scratch scratch, long from, long to) {
        CApi.rocksdb_readoptions_set_deadline(to, CApi.rocksdb_readoptions_get_deadline(from));
        CApi.rocksdb_readoptions_set_io_timeout(to, CApi.rocksdb_readoptions_get_io_timeout(from));
        CApi.rocksdb_readoptions_set_read_tier(to, CApi.rocksdb_readoptions_get_read_tier(from));
        CApi.rocksdb_readoptions_set_rate_limiter_priority(to,
                CApi.rocksdb_readoptions_get_rate_limiter_priority(from));
        CApi.rocksdb_readoptions_set_value_size_soft_limit(to,
                CApi.rocksdb_readoptions_get_value_size_soft_limit(from));
        setVerifyChecksums(to, verifyChecksums(from));
        setFillCache(to, fillCache(from));
        CApi.rocksdb_readoptions_set_ignore_range_deletions(to,
                CApi.rocksdb_readoptions_get_ignore_range_deletions(from));
        CApi.rocksdb_readoptions_set_async_io(to, CApi.rocksdb_readoptions_get_async_io(from));
        CApi.rocksdb_readoptions_set_optimize_multiget_for_io(to,
                CApi.rocksdb_readoptions_get_optimize_multiget_for_io(from));
        setReadaheadSize(to, CApi.rocksdb_readoptions_get_readahead_size(from));
        CApi.rocksdb_readoptions_set_max_skippable_internal_keys(to,
                CApi.rocksdb_readoptions_get_max_skippable_internal_keys(from));
        setTailing(to, isTailing(from));
        setTotalOrderSeek(to, totalOrderSeek(from));
        setAutoPrefixMode(to, autoPrefixMode(from));
        setPrefixSameAsStart(to, prefixSameAsStart(from));
        CApi.rocksdb_readoptions_set_pin_data(to, CApi.rocksdb_readoptions_get_pin_data(from));
        CApi.rocksdb_readoptions_set_adaptive_readahead(to, CApi.rocksdb_readoptions_get_adaptive_readahead(from));
        CApi.rocksdb_readoptions_set_background_purge_on_iterator_cleanup(to,
                CApi.rocksdb_readoptions_get_background_purge_on_iterator_cleanup(from));
        CApi.rocksdb_readoptions_set_auto_readahead_size(to, CApi.rocksdb_readoptions_get_auto_readahead_size(from));
        setAllowUnpreparedValue(to, allowUnpreparedValue(from));
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
