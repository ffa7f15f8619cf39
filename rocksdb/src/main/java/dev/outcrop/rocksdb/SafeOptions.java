package dev.outcrop.rocksdb;

import java.nio.file.Path;

/** The limits of options that RocksDB does not check itself; see decision 9. */
final class SafeOptions {
    private static final int MOST_THREADS = 1024;
    private static final long MOST_SECONDS = 100L * 366 * 24 * 60 * 60;

    private SafeOptions() {
    }

    /** What is outside these limits ends the process in RocksDB 11.8.1: it runs out of memory or uses a cache that it did not get. */
    static void require(Path path, Options options) {
        requireInRange(path, "num_levels", options.numLevels(), 0, 1000);
        requireInRange(path, "table_cache_numshardbits", options.tableCacheNumshardbits(), -1, 19);
        requireInRange(path, "log_readahead_size", options.logReadaheadSize(), 0, 1L << 30);
        // Threads: one that cannot be started ends the process.
        requireInRange(path, "max_background_jobs", options.maxBackgroundJobs(), -1, MOST_THREADS);
        requireInRange(path, "max_background_compactions", options.maxBackgroundCompactions(), -1, MOST_THREADS);
        requireInRange(path, "max_background_flushes", options.maxBackgroundFlushes(), -1, MOST_THREADS);
        requireInRange(path, "max_file_opening_threads", options.maxFileOpeningThreads(), -1, MOST_THREADS);
        requireFallocate(path, options);
        requireBuffer(path, options);
        // Cut to 32 bits, where it may become a 0 to divide by.
        requireInRange(path, "sample_for_compression", options.sampleForCompression(), 0, Integer.MAX_VALUE);
        requireInRange(path, "inplace_update_num_locks", options.inplaceUpdateNumLocks(),
                options.inplaceUpdateSupport() ? 1 : 0, 1L << 20);
        // Times that far back overflow; 100 years are enough.
        requireInRange(path, "preclude_last_level_data_seconds", options.precludeLastLevelDataSeconds().toSeconds(), 0,
                MOST_SECONDS);
        requireInRange(path, "preserve_internal_time_seconds", options.preserveInternalTimeSeconds().toSeconds(), 0,
                MOST_SECONDS);
        // Found out only when the database is there and its options are to be stored.
        requireFinite(path, "max_bytes_for_level_multiplier", options.maxBytesForLevelMultiplier());
        requireFinite(path, "memtable_prefix_bloom_size_ratio", options.memtablePrefixBloomSizeRatio());
        requireFinite(path, "blob_garbage_collection_age_cutoff", options.blobGcAgeCutoff());
        requireFinite(path, "blob_garbage_collection_force_threshold", options.blobGcForceThreshold());
        requireFinite(path, "experimental_mempurge_threshold", options.experimentalMempurgeThreshold());
    }

    /** Mapped files must be as long as what is mapped of them. */
    private static void requireFallocate(Path path, Options options) {
        if (options.allowMmapWrites() && !options.allowFallocate()) {
            throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "allow_mmap_writes needs allow_fallocate, which makes the files as long as what is mapped of them");
        }
    }

    /** What is written past the system's cache goes through a buffer. */
    private static void requireBuffer(Path path, Options options) {
        if (options.useDirectIoForFlushAndCompaction() && options.writableFileMaxBufferSize() == 0) {
            throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "use_direct_io_for_flush_and_compaction needs a writable_file_max_buffer_size of more than 0");
        }
    }

    private static void requireFinite(Path path, String option, double value) {
        if (!Double.isFinite(value)) {
            throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    option + " must be a finite number, but is " + value);
        }
    }

    private static void requireInRange(Path path, String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    option + " must be from " + least + " to " + most + ", but is " + value);
        }
    }
}
