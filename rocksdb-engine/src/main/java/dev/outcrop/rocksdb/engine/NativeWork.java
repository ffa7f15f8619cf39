package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Calls that flush, compact, and control background work. */
public final class NativeWork {
    private NativeWork() {
    }

    /** Flushes a column family. */
    public static void flush(long db, long options, long family, long error) {
        CApi.rocksdb_flush_cf(db, options, family, error);
    }

    /**
     * Flushes column families.
     *
     * @param families the address of their handles, at least one and none twice: an atomic flush of none never ends, and one of a family
     *                 that is named twice reads beyond a list
     */
    public static void flush(long db, long options, long families, int count, long error) {
        CApi.rocksdb_flush_cfs(db, options, families, count, error);
    }

    /** Writes the log to its file, and to the disk if {@code sync} is not 0. */
    public static void flushWal(long db, byte sync, long error) {
        CApi.rocksdb_flush_wal(db, sync, error);
    }

    /**
     * Compacts a range. The calling thread chooses the files. RocksDB reports no failure.
     *
     * @param options 0 for RocksDB's own
     */
    public static void compactRange(long db, long family, long options, MemorySegment begin, long beginLength,
            MemorySegment end, long endLength) {
        RunningCallbacks running = RunningCallbacks.ofThread();
        running.beginJob();
        try {
            if (options == 0) {
                CApi.rocksdb_compact_range_cf(db, family, begin, beginLength, end, endLength);
            } else {
                CApi.rocksdb_compact_range_cf_opt(db, family, options, begin, beginLength, end, endLength);
            }
        } finally {
            running.endJob();
        }
    }

    /**
     * Compacts files, on the calling thread.
     *
     * @param inputs the address of their names
     * @param info   a {@code rocksdb_compactionjobinfo_t *} to be filled, or 0
     * @return the files that were made
     */
    public static List<String> compactFiles(Scratch scratch, long db, long family, long options, long inputs,
            long count, int level, int path, long info) {
        scratch.setWord(1, 0);
        scratch.setWord(2, 0);
        RunningCallbacks running = RunningCallbacks.ofThread();
        running.beginJob();
        try {
            CApi.rocksdb_compact_files_cf(db, family, options, inputs, count, level, path, scratch.wordAddress(1),
                    scratch.wordAddress(2), info, NativeCall.error(scratch));
        } finally {
            running.endJob();
        }
        try {
            return NativeCall.strings(scratch.word(1), scratch.word(2));
        } finally {
            CApi.rocksdb_compact_files_output_file_names_destroy(scratch.word(1), scratch.word(2));
        }
    }

    public static long newJobInfo() {
        return CApi.rocksdb_compactionjobinfo_create();
    }

    public static void destroyJobInfo(long info) {
        CApi.rocksdb_compactionjobinfo_destroy(info);
    }

    /** The number of files that were compacted; 0 if they were moved to another level as they are. */
    public static long jobInputs(long info) {
        return CApi.rocksdb_compactionjobinfo_input_files_count(info);
    }

    /** The {@code rocksdb_compactionjobstats_t *}, which goes with the info. */
    public static long jobStats(long info) {
        return CApi.rocksdb_compactionjobinfo_stats(info);
    }

    /** Waits for compactions; fails if a failure has stopped the database. */
    public static void waitForCompact(Scratch scratch, long db, long options) {
        CApi.rocksdb_wait_for_compact(db, options, NativeCall.error(scratch));
    }

    public static void pause(Scratch scratch, long db) {
        CApi.rocksdb_pause_background_work(db, NativeCall.error(scratch));
    }

    public static void resume(Scratch scratch, long db) {
        CApi.rocksdb_continue_background_work(db, NativeCall.error(scratch));
    }

    public static void cancelAll(long db, boolean waits) {
        CApi.rocksdb_cancel_all_background_work(db, (byte) (waits ? 1 : 0));
    }

    public static long newWaitOptions() {
        return CApi.rocksdb_wait_for_compact_options_create();
    }

    public static void destroyWaitOptions(long options) {
        CApi.rocksdb_wait_for_compact_options_destroy(options);
    }

    public static long newFlushOptions() {
        return CApi.rocksdb_flushoptions_create();
    }

    public static void destroyFlushOptions(long options) {
        CApi.rocksdb_flushoptions_destroy(options);
    }

    public static long newCompactionOptions() {
        return CApi.rocksdb_compaction_options_create();
    }

    public static void destroyCompactionOptions(long options) {
        CApi.rocksdb_compaction_options_destroy(options);
    }
}
