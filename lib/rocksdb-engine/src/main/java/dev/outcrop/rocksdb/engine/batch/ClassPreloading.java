package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.rocksdb.engine.BackupFiles;
import dev.outcrop.rocksdb.engine.DirectoryUse;
import dev.outcrop.rocksdb.engine.EntrySegments;
import dev.outcrop.rocksdb.engine.FollowedPrimary;
import dev.outcrop.rocksdb.engine.GuardedIterator;
import dev.outcrop.rocksdb.engine.LiveLogs;
import dev.outcrop.rocksdb.engine.LogFormat;
import dev.outcrop.rocksdb.engine.Manifest;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.NativeMultiGet;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.NativeSnapshots;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.PinTable;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.PointWrites;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.SlowReads;
import dev.outcrop.rocksdb.engine.TableFile;
import dev.outcrop.rocksdb.engine.WriteStalls;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.invoke.MethodHandles;

/**
 * Links C functions and initializes classes that frequent calls need, when the first database is opened. If stack or memory runs out while
 * a class is initialized, the process cannot use that class again, but objects must still be freed.
 *
 * <p>Rare calls are linked when they are first made. Before that they require {@link CallbackGuard#WORKING} of the stack.
 */
public final class ClassPreloading {
    private static volatile boolean hasDatabases;
    private static volatile boolean hasTransactions;
    private static volatile boolean hasIndexedBatches;

    private ClassPreloading() {
    }

    /** Preloads the calls of all kinds of databases. */
    public static void databases() {
        if (hasDatabases) {
            return;
        }
        CallbackGuard.requireToWork();
        Linkage.linkNow("rocksdb_free",
                // reads
                "rocksdb_get_into_buffer_cf", "rocksdb_get_pinned_cf_v2", "rocksdb_pinnable_handle_destroy",
                "rocksdb_get_pinned_cf", "rocksdb_batched_multi_get_cf_slice",
                "rocksdb_pinnableslice_destroy", "rocksdb_key_may_exist_cf",
                // iterators
                "rocksdb_create_iterator_cf", "rocksdb_create_iterators", "rocksdb_iter_valid", "rocksdb_iter_key",
                "rocksdb_iter_value", "rocksdb_iter_timestamp", "rocksdb_iter_get_error", "rocksdb_iter_refresh",
                "rocksdb_iter_seek_to_first", "rocksdb_iter_seek_to_last", "rocksdb_iter_seek",
                "rocksdb_iter_seek_for_prev", "rocksdb_iter_next", "rocksdb_iter_prev", "rocksdb_iter_destroy",
                "rocksdb_readoptions_create", "rocksdb_readoptions_set_iterate_lower_bound",
                "rocksdb_readoptions_set_iterate_upper_bound", "rocksdb_readoptions_get_prefix_same_as_start",
                "rocksdb_readoptions_set_prefix_same_as_start",
                "rocksdb_readoptions_get_auto_prefix_mode", "rocksdb_readoptions_set_total_order_seek",
                "rocksdb_readoptions_destroy", "rocksdb_readoptions_set_snapshot",
                "rocksdb_snapshot_get_sequence_number", "rocksdb_get_latest_sequence_number",
                "rocksdb_property_value_cf", "rocksdb_property_int_cf",
                // writes
                "rocksdb_put_cf", "rocksdb_delete_cf", "rocksdb_singledelete_cf", "rocksdb_delete_range_cf",
                "rocksdb_merge_cf", "rocksdb_write", "rocksdb_writebatch_create", "rocksdb_writebatch_create_from",
                "rocksdb_writebatch_put", "rocksdb_writebatch_delete", "rocksdb_writebatch_data",
                "rocksdb_writebatch_destroy",
                // ends
                "rocksdb_column_family_handle_destroy", "rocksdb_writeoptions_destroy", "rocksdb_options_destroy",
                "rocksdb_cancel_all_background_work", "rocksdb_set_options_cf", "rocksdb_property_int");
        Lifetime.prepare();
        initialize(MethodHandles.lookup(), PointReads.class, PointWrites.class, NativeIterator.class,
                GuardedIterator.class,
                EntrySegments.class, NativePins.class,
                SlowReads.class, PinTable.class, BatchBuffer.Timestamp.class, BatchFormat.class,
                BatchCopy.class, CallbackFailures.class, RunningCallbacks.class,
                NativeStatus.class, NativeOpening.class, NativeFamilies.class, NativeDbOptions.class,
                NativeSnapshots.class, WriteStalls.class, WriteStalls.Limits.class, DirectoryUse.class);
        // Rare calls use these before they check the stack.
        initialize(MethodHandles.lookup(), UserComparator.class, LogChecks.class, LogFormat.class, Manifest.class,
                FollowedPrimary.class, LiveLogs.class, OptionValues.class, BackupFiles.class, TableFile.class);
        SlowReadEvent _ = SlowReads.begin();
        // The JVM also links each call when it is first made. The first call with a C signature takes much of the stack. These calls have
        // the signature of all functions that free something.
        NativeHeap.free(0);
        NativePins.destroySlice(0);
        NativeReadOptions.destroy(NativeReadOptions.create());
        NativeWriteBatch.destroy(NativeWriteBatch.create());
        hasDatabases = true;
    }

    /** Preloads the calls of transactions of both kinds. */
    public static void transactions() {
        if (hasTransactions) {
            return;
        }
        CallbackGuard.requireToWork();
        Linkage.linkNow("rocksdb_transaction_put_cf", "rocksdb_transaction_merge_cf", "rocksdb_transaction_delete_cf",
                "rocksdb_transaction_get_pinned_cf", "rocksdb_transaction_get_pinned_for_update_cf",
                "rocksdb_transaction_multi_get_for_update_cf", "rocksdb_transaction_create_iterator_cf",
                "rocksdb_transaction_commit", "rocksdb_transaction_prepare", "rocksdb_transaction_rollback",
                "rocksdb_transaction_set_savepoint", "rocksdb_transaction_rollback_to_savepoint",
                "rocksdb_transaction_get_snapshot", "rocksdb_transaction_get_name", "rocksdb_transaction_set_name",
                "rocksdb_transaction_put_log_data", "rocksdb_transaction_get_writebatch_wi",
                "rocksdb_transaction_set_commit_timestamp",
                "rocksdb_transaction_set_read_timestamp_for_validation", "rocksdb_transaction_destroy",
                "rocksdb_writebatch_wi_data");
        initialize(MethodHandles.lookup(), NativeTransaction.class, NativeWriteBatchWithIndex.class,
                NativeMultiGet.class);
        hasTransactions = true;
    }

    /** Preloads the calls of write batches with an index. */
    public static void indexedBatches() {
        if (hasIndexedBatches) {
            return;
        }
        CallbackGuard.requireToWork();
        Linkage.linkNow("rocksdb_writebatch_wi_create_with_params", "rocksdb_writebatch_wi_put_cf",
                "rocksdb_writebatch_wi_merge_cf", "rocksdb_writebatch_wi_delete_cf",
                "rocksdb_writebatch_wi_singledelete_cf", "rocksdb_writebatch_wi_put_log_data",
                "rocksdb_writebatch_wi_count", "rocksdb_writebatch_wi_data", "rocksdb_writebatch_wi_clear",
                "rocksdb_writebatch_wi_set_save_point", "rocksdb_writebatch_wi_rollback_to_save_point",
                "rocksdb_writebatch_wi_get_from_batch_cf", "rocksdb_writebatch_wi_get_from_batch_and_db_cf",
                "rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf",
                "rocksdb_writebatch_wi_create_iterator_with_base_cf_readopts",
                "rocksdb_writebatch_wi_update_timestamps", "rocksdb_writebatch_wi_destroy",
                "rocksdb_write_writebatch_wi");
        initialize(MethodHandles.lookup(), NativeWriteBatchWithIndex.class);
        hasIndexedBatches = true;
    }

    /** Initializes classes that a lookup can access. */
    public static void initialize(MethodHandles.Lookup lookup, Class<?>... classes) {
        for (Class<?> each : classes) {
            try {
                lookup.ensureInitialized(each);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
    }
}
