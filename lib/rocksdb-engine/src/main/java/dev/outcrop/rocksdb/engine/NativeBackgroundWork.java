package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Calls that flush, compact, and control background work. */
public final class NativeBackgroundWork extends BackgroundWorkCalls {
    private NativeBackgroundWork() {
    }

    /** Takes and releases the database's lock: RocksDB reads this property while it holds the lock. */
    public static void lock(long db) {
        try (Scratch scratch = NativeCall.scratch()) {
            long _ = DatabaseRegistry.number(scratch, db, "rocksdb.num-immutable-mem-table");
        }
    }

    /**
     * Compacts a range. The calling thread chooses the files. RocksDB does not report failures.
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
     * @return the new files
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
}
