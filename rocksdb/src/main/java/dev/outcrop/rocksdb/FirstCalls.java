package dev.outcrop.rocksdb;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.rocksdb.engine.BackupFiles;
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
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PinTable;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.PointWrites;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.WritersLogs;
import dev.outcrop.rocksdb.engine.batch.BatchCopy;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchStamp;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.batch.SpareBatches;
import dev.outcrop.rocksdb.engine.callbacks.CMemory;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.KeyOrder;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * Links and initializes what frequent calls need, when the first database is opened. A class whose initialization meets the end of the
 * stack or of memory cannot be used again in the same process; and what frees something must work even then.
 *
 * <p>Whatever is called rarely is linked when it is first called, with {@link CallbackGuard#WORKING} of the stack before it.
 */
final class FirstCalls {
    private static volatile boolean isLinked;
    private static volatile boolean isLinkedForTransactions;
    private static volatile boolean isLinkedForIndexedBatches;

    private FirstCalls() {
    }

    /** What databases of all kinds need. */
    static void link() {
        if (isLinked) {
            return;
        }
        CallbackGuard.requireToWork();
        Linkage.linkNow("rocksdb_free",
                // reads
                "rocksdb_get_into_buffer_cf", "rocksdb_get_pinned_cf_v2", "rocksdb_pinnable_handle_get_value",
                "rocksdb_pinnable_handle_destroy", "rocksdb_get_pinned_cf", "rocksdb_batched_multi_get_cf_slice",
                "rocksdb_pinnableslice_value", "rocksdb_pinnableslice_destroy", "rocksdb_key_may_exist_cf",
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
                "rocksdb_writebatch_clear", "rocksdb_writebatch_destroy",
                // ends
                "rocksdb_column_family_handle_destroy", "rocksdb_writeoptions_destroy", "rocksdb_options_destroy",
                "rocksdb_cancel_all_background_work");
        Lifetime.prepare();
        initialize(PointReads.class, PointWrites.class, NativeIterator.class, NativePins.class, PinLayout.class,
                SlowReadEvent.class,
                PinTable.class, MultiGetValues.class, BatchStamp.class,
                BatchFormat.class,
                BatchCopy.class, SpareBatches.class, CallbackFailures.class, RunningCallbacks.class, Native.class,
                NativeStatus.class, NativeOpening.class, NativeFamilies.class, NativeDbOptions.class,
                NativeSnapshots.class, Status.class,
                Status.Code.class, Status.SubCode.class, RocksDBException.class);
        // What rare calls need before they ask for that much of the stack.
        initialize(Compaction.class, DatabaseFiles.class, KeyRange.class, KeyOrder.class, LogChecks.class,
                LogFormat.class, Manifest.class,
                BesideWriter.class, FollowedPrimary.class, WritersLogs.class,
                Maintenance.class, OptionValues.class, WalIterator.class, BackupEngine.class, BackupFiles.class,
                Tracing.class, Property.class, TableFile.class);
        SlowReadEvent _ = SlowReadEvent.beginIfRecorded();
        WriteBatch batch = new WriteBatch();
        batch.put(new byte[0], new byte[0]);
        MemorySegment _ = batch.data();
        // The JVM also links each call when it is first made, the first of a C signature with much of the stack. These have the signature
        // of all that frees something.
        CMemory.free(0);
        NativePins.destroySlice(0);
        NativeReadOptions.destroy(NativeReadOptions.create());
        NativeWriteBatch.destroy(NativeWriteBatch.create());
        isLinked = true;
    }

    /** What transactions need, of both kinds. */
    static void linkTransactions() {
        if (isLinkedForTransactions) {
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
        initialize(LockMode.class, NativeTransaction.class, NativeWriteBatchWithIndex.class, NativeMultiGet.class);
        isLinkedForTransactions = true;
    }

    /** What write batches with index need. */
    static void linkIndexedBatches() {
        if (isLinkedForIndexedBatches) {
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
        IndexedBatchFamily.prepare();
        initialize(NativeWriteBatchWithIndex.class);
        isLinkedForIndexedBatches = true;
    }

    static void initialize(Class<?>... classes) {
        for (Class<?> each : classes) {
            try {
                MethodHandles.lookup().ensureInitialized(each);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
    }
}
