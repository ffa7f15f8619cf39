package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Compactions that a program asks for, and background work as a whole. */
final class Compactions {

    private Compactions() {
    }

    /** A call without arguments that can fail. */
    private interface Call {
        void run(long database, long error);
    }

    private static void call(RocksDB database, Call call) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            call.run(database.nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void compactRange(RocksDB database) throws RocksDBException {
        compactRange(database, database.getDefaultColumnFamily());
    }

    static void compactRange(RocksDB database, ColumnFamilyHandle family) throws RocksDBException {
        compactRange(database, family, null, null);
    }

    static void compactRange(RocksDB database, byte[] begin, byte[] end) throws RocksDBException {
        compactRange(database, database.getDefaultColumnFamily(), begin, end);
    }

    static void compactRange(RocksDB database, ColumnFamilyHandle family, byte[] begin, byte[] end)
            throws RocksDBException {
        compact(database, family, begin, end, null);
    }

    static void compactRange(RocksDB database, ColumnFamilyHandle family, byte[] begin, byte[] end,
            CompactRangeOptions options) throws RocksDBException {
        compact(database, family, begin, end, Objects.requireNonNull(options, "compactRangeOptions"));
    }

    /** A key of null, or an empty one, is the first or the last one; a family of null is the default one: as published. */
    private static void compact(RocksDB database, ColumnFamilyHandle family, byte[] begin, byte[] end,
            CompactRangeOptions options) throws RocksDBException {
        InsideCallbacks.requireMayWait("a compaction");
        try (Scratch scratch = database.use();
                OrderWatch _ = database.parts_.changeFiles();
                Scratch _ = options == null ? null : options.use()) {
            long in = Reads.family(database, family);
            MemorySegment from = bound(scratch, begin);
            MemorySegment to = bound(scratch, end);
            Databases.requireWritable(scratch, database, in);
            // This thread chooses the files.
            RunningCallbacks running = RunningCallbacks.ofThread();
            running.beginJob();
            try {
                compact(database, in, from, Natives.length(begin), to, Natives.length(end), options);
            } finally {
                running.endJob();
            }
            requireNoFailure(scratch, database);
        }
    }

    private static void compact(RocksDB database, long family, MemorySegment from, long fromLength, MemorySegment to,
            long toLength, CompactRangeOptions options) throws RocksDBException {
        if (options == null) {
            CApi.rocksdb_compact_range_cf(database.nativeHandle_, family, from, fromLength, to, toLength);
            return;
        }
        options.parts_.begin();
        try {
            CApi.rocksdb_compact_range_cf_opt(database.nativeHandle_, family, options.nativeHandle_, from, fromLength,
                    to, toLength);
        } finally {
            options.parts_.end();
        }
        if (options.canceled()) {
            throw new RocksDBException(
                    new Status(Status.Code.Incomplete, Status.SubCode.None, "Manual compaction paused"));
        }
    }

    private static MemorySegment bound(Scratch scratch, byte[] key) {
        return Natives.length(key) == 0 ? MemorySegment.NULL : Natives.copy(scratch, key);
    }

    /**
     * C does not tell whether a compaction has failed. A failure stops the database, and waiting for compactions tells why it has stopped;
     * others that run are not waited for.
     */
    private static void requireNoFailure(Scratch scratch, RocksDB database) throws RocksDBException {
        long options = CApi.rocksdb_wait_for_compact_options_create();
        try {
            CApi.rocksdb_wait_for_compact_options_set_timeout(options, 1);
            CApi.rocksdb_wait_for_compact(database.nativeHandle_, options, Errors.place(scratch));
            Errors.check(scratch);
        } catch (RocksDBException e) {
            if (e.getStatus().getCode() != Status.Code.TimedOut) {
                throw e;
            }
        } finally {
            CApi.rocksdb_wait_for_compact_options_destroy(options);
        }
    }

    static List<String> compactFiles(RocksDB database, CompactionOptions options, List<String> inputs, int level,
            int pathId, CompactionJobInfo info) throws RocksDBException {
        return compactFiles(database, options, database.getDefaultColumnFamily(), inputs, level, pathId, info);
    }

    static List<String> compactFiles(RocksDB database, CompactionOptions options, ColumnFamilyHandle family,
            List<String> inputs, int level, int pathId, CompactionJobInfo info) throws RocksDBException {
        InsideCallbacks.requireMayWait("a compaction");
        Ranges.check("outputPathId", pathId, -1, database.parts_.mostPathId());
        long filled = info == null ? 0 : CApi.rocksdb_compactionjobinfo_create();
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                OrderWatch _ = database.parts_.changeFiles();
                Scratch _ = info == null ? null : info.use()) {
            // This thread compacts them itself.
            RunningCallbacks running = RunningCallbacks.ofThread();
            running.beginJob();
            try {
                ColumnFamilyHandle of = family == null ? database.getDefaultColumnFamily() : family;
                CApi.rocksdb_compact_files_cf(database.nativeHandle_, of.in(database), call.handle,
                        Natives.texts(scratch, inputs), inputs.size(), level, pathId, scratch.wordAddress(1),
                        scratch.wordAddress(2), filled, Errors.place(scratch));
            } finally {
                running.endJob();
            }
            Errors.check(scratch);
            List<String> outputs = takeNames(scratch.word(1), scratch.word(2));
            if (info != null) {
                info.fill(CompactionValues.of(filled, scratch));
            }
            return outputs;
        } finally {
            if (filled != 0) {
                CApi.rocksdb_compactionjobinfo_destroy(filled);
            }
        }
    }

    private static List<String> takeNames(long names, long count) {
        try {
            List<String> outputs = new ArrayList<>();
            MemorySegment array = dev.outcrop.memory.NativeCalls.view(names, count * Long.BYTES);
            for (long i = 0; i < count; i++) {
                outputs.add(Natives.text(array.getAtIndex(ValueLayout.JAVA_LONG, i)));
            }
            return outputs;
        } finally {
            CApi.rocksdb_compact_files_output_file_names_destroy(names, count);
        }
    }

    static void deleteFilesInRanges(RocksDB database, ColumnFamilyHandle family, List<byte[]> ranges,
            boolean includeEnd) throws RocksDBException {
        if (ranges.isEmpty()) {
            return;
        }
        if (ranges.size() % 2 != 0) {
            throw new IllegalArgumentException("There are " + ranges.size() + " keys, but a range has two");
        }
        if (!includeEnd) {
            // RocksDB's C API has no such function.
            throw Unsupported.method("RocksDB.deleteFilesInRanges(ColumnFamilyHandle, List, false)");
        }
        try (Scratch _ = database.use(); OrderWatch _ = database.parts_.changeFiles()) {
            for (int i = 0; i < ranges.size(); i += 2) {
                deleteFilesInRange(database, family, ranges.get(i), ranges.get(i + 1));
            }
        }
    }

    private static void deleteFilesInRange(RocksDB database, ColumnFamilyHandle family, byte[] begin, byte[] end)
            throws RocksDBException {
        try (Scratch scratch = database.use()) {
            long in = family == null ? database.getDefaultColumnFamily().in(database) : family.in(database);
            Databases.requireWritable(scratch, database, in);
            CApi.rocksdb_delete_file_in_range_cf(database.nativeHandle_, in, Natives.copyOrNull(scratch, begin),
                    Natives.length(begin), Natives.copyOrNull(scratch, end), Natives.length(end),
                    Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void pauseBackgroundWork(RocksDB database) throws RocksDBException {
        InsideCallbacks.requireMayWait("pausing");
        database.parts_.waits().pause(database);
    }

    static void continueBackgroundWork(RocksDB database) throws RocksDBException {
        database.parts_.waits().resume(database);
    }

    static void verifyChecksum(RocksDB database) throws RocksDBException {
        call(database, CApi::rocksdb_verify_checksum);
    }

    static void abortAllCompactions(RocksDB database) {
        InsideCallbacks.requireMayWait("ending compactions");
        database.parts_.waits().abortCompactions(database);
    }

    static void resumeAllCompactions(RocksDB database) {
        database.parts_.waits().resumeCompactions(database);
    }

    static void cancelAllBackgroundWork(RocksDB database, boolean wait) {
        InsideCallbacks.requireMayWait("ending background work");
        try (Scratch _ = database.use()) {
            CApi.rocksdb_cancel_all_background_work(database.nativeHandle_, Natives.flag(wait));
        }
    }
}
