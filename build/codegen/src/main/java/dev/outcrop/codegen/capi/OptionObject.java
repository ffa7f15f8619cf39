package dev.outcrop.codegen.capi;

import java.util.List;

/**
 * A C object that holds options, and the Java class for it.
 *
 * @param cType the C type
 * @param prefix of the names of its functions
 * @param javaName the Java class, written by hand, that extends the generated {@code javaName + "Setters"}
 * @param freezes whether it cannot change after its first use, because operations share it; objects that do not freeze are copied
 */
record OptionObject(String cType, String prefix, String javaName, boolean freezes) {

    /** The objects with Java classes. Add a line for another object. */
    static final List<OptionObject> ALL = List.of(
            copied("rocksdb_options_t", "rocksdb_options_", "Options"),
            copied("rocksdb_backup_engine_options_t", "rocksdb_backup_engine_options_", "BackupEngineOptions"),
            copied("rocksdb_block_based_table_options_t", "rocksdb_block_based_options_", "BlockBasedTableOptions"),
            copied("rocksdb_cuckoo_table_options_t", "rocksdb_cuckoo_options_", "CuckooTableOptions"),
            copied("rocksdb_fifo_compaction_options_t", "rocksdb_fifo_compaction_options_", "FifoCompactionOptions"),
            copied("rocksdb_hyper_clock_cache_options_t", "rocksdb_hyper_clock_cache_options_",
                    "HyperClockCacheOptions"),
            copied("rocksdb_lru_cache_options_t", "rocksdb_lru_cache_options_", "LruCacheOptions"),
            copied("rocksdb_optimistictransactiondb_options_t", "rocksdb_optimistictransactiondb_options_",
                    "OptimisticTransactionDBOptions"),
            copied("rocksdb_transactiondb_options_t", "rocksdb_transactiondb_options_", "TransactionDBOptions"),
            copied("rocksdb_universal_compaction_options_t", "rocksdb_universal_compaction_options_",
                    "UniversalCompactionOptions"),
            frozen("rocksdb_block_cache_trace_options_t", "rocksdb_block_cache_trace_options_",
                    "BlockCacheTraceOptions"),
            frozen("rocksdb_block_cache_trace_writer_options_t", "rocksdb_block_cache_trace_writer_options_",
                    "BlockCacheTraceWriterOptions"),
            frozen("rocksdb_column_family_metadata_options_t", "rocksdb_column_family_metadata_options_",
                    "ColumnFamilyMetadataOptions"),
            frozen("rocksdb_compaction_options_t", "rocksdb_compaction_options_", "CompactionOptions"),
            frozen("rocksdb_compaction_service_options_override_t", "rocksdb_compaction_service_options_override_",
                    "CompactionServiceOptionsOverride"),
            frozen("rocksdb_compactoptions_t", "rocksdb_compactoptions_", "CompactRangeOptions"),
            frozen("rocksdb_create_backup_options_t", "rocksdb_create_backup_options_", "CreateBackupOptions"),
            frozen("rocksdb_envoptions_t", "rocksdb_envoptions_", "EnvOptions"),
            frozen("rocksdb_flushoptions_t", "rocksdb_flushoptions_", "FlushOptions"),
            frozen("rocksdb_flushwaloptions_t", "rocksdb_flushwaloptions_", "FlushWalOptions"),
            frozen("rocksdb_import_column_family_options_t", "rocksdb_import_column_family_options_",
                    "ImportColumnFamilyOptions"),
            frozen("rocksdb_ingestexternalfileoptions_t", "rocksdb_ingestexternalfileoptions_",
                    "IngestExternalFileOptions"),
            frozen("rocksdb_livefiles_storage_info_options_t", "rocksdb_livefiles_storage_info_options_",
                    "LiveFilesStorageInfoOptions"),
            frozen("rocksdb_open_and_compact_options_t", "rocksdb_open_and_compact_options_", "OpenAndCompactOptions"),
            frozen("rocksdb_optimistictransaction_options_t", "rocksdb_optimistictransaction_options_",
                    "OptimisticTransactionOptions"),
            frozen("rocksdb_readoptions_t", "rocksdb_readoptions_", "ReadOptions"),
            frozen("rocksdb_replay_options_t", "rocksdb_replay_options_", "ReplayOptions"),
            frozen("rocksdb_restore_options_t", "rocksdb_restore_options_", "RestoreOptions"),
            frozen("rocksdb_size_approximation_options_t", "rocksdb_size_approximation_options_",
                    "SizeApproximationOptions"),
            frozen("rocksdb_trace_options_t", "rocksdb_trace_options_", "TraceOptions"),
            frozen("rocksdb_transaction_options_t", "rocksdb_transaction_options_", "TransactionOptions"),
            frozen("rocksdb_wait_for_compact_options_t", "rocksdb_wait_for_compact_options_", "WaitForCompactOptions"),
            frozen("rocksdb_wal_readoptions_t", "rocksdb_wal_readoptions_", "WalReadOptions"),
            frozen("rocksdb_writeoptions_t", "rocksdb_writeoptions_", "WriteOptions"));

    private static OptionObject copied(String cType, String prefix, String javaName) {
        return new OptionObject(cType, prefix, javaName, false);
    }

    private static OptionObject frozen(String cType, String prefix, String javaName) {
        return new OptionObject(cType, prefix, javaName, true);
    }

    /** Returns whether RocksDB has a textual form of this object. */
    boolean hasText() {
        return javaName.equals("Options");
    }

    /** Returns whether a function works on this object. */
    boolean owns(CFunction function) {
        return function.name().startsWith(prefix) && !function.parameters().isEmpty()
                && function.parameters().getFirst().type().replace("const ", "").equals(cType + " *");
    }
}
