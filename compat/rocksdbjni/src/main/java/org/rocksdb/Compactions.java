package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Manual compactions, and control of background work. */
final class Compactions {

    private Compactions() {
    }

    /** As published, a key that is null or empty is the first or the last one, and a family of null is the default one. */
    static void compactRange(RocksDB database, ColumnFamilyHandle family, byte[] begin, byte[] end,
            CompactRangeOptions options) throws RocksDBException {
        CallbackRestrictions.requireMayWait("a compaction");
        try (Scratch scratch = database.use();
                ComparatorMonitor _ = database.state_.changeFiles();
                Scratch _ = options == null ? null : options.use()) {
            long in = Reads.family(database, family);
            MemorySegment from = bound(scratch, begin);
            MemorySegment to = bound(scratch, end);
            Databases.requireWritable(scratch, database, in);
            compact(database, in, from, NativeValues.length(begin), to, NativeValues.length(end), options);
            requireNoFailure(scratch, database);
        }
    }

    private static void compact(RocksDB database, long family, MemorySegment from, long fromLength, MemorySegment to,
            long toLength, CompactRangeOptions options) throws RocksDBException {
        if (options == null) {
            NativeBackgroundWork.compactRange(database.nativeHandle_, family, 0, from, fromLength, to, toLength);
            return;
        }
        options.state_.begin();
        try {
            NativeBackgroundWork.compactRange(database.nativeHandle_, family, options.nativeHandle_, from, fromLength,
                    to,
                    toLength);
        } finally {
            options.state_.end();
        }
        if (options.canceled()) {
            throw new RocksDBException(
                    new Status(Status.Code.Incomplete, Status.SubCode.None, "Manual compaction paused"));
        }
    }

    private static MemorySegment bound(Scratch scratch, byte[] key) {
        return NativeValues.length(key) == 0 ? MemorySegment.NULL : NativeValues.copy(scratch, key);
    }

    /**
     * Throws if a compaction has failed, which C does not report. A failure stops the database, and waiting for compactions reports its
     * reason; the wait itself ends at once.
     */
    private static void requireNoFailure(Scratch scratch, RocksDB database) throws RocksDBException {
        long options = NativeBackgroundWork.newWaitOptions();
        try {
            CApi.rocksdb_wait_for_compact_options_set_timeout(options, 1);
            NativeBackgroundWork.waitForCompact(scratch, database.nativeHandle_, options);
            Errors.check(scratch);
        } catch (RocksDBException e) {
            if (e.getStatus().getCode() != Status.Code.TimedOut) {
                throw e;
            }
        } finally {
            NativeBackgroundWork.destroyWaitOptions(options);
        }
    }

    static List<String> compactFiles(RocksDB database, CompactionOptions options, ColumnFamilyHandle family,
            List<String> inputs, int level, int pathId, CompactionJobInfo info) throws RocksDBException {
        CallbackRestrictions.requireMayWait("a compaction");
        OptionChecks.check("outputPathId", pathId, -1, database.state_.mostPathId());
        long filled = info == null ? 0 : NativeBackgroundWork.newJobInfo();
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                ComparatorMonitor _ = database.state_.changeFiles();
                Scratch _ = info == null ? null : info.use()) {
            ColumnFamilyHandle of = family == null ? database.getDefaultColumnFamily() : family;
            List<String> outputs = NativeBackgroundWork.compactFiles(scratch, database.nativeHandle_, of.in(database),
                    call.handle, NativeValues.texts(scratch, inputs), inputs.size(), level, pathId, filled);
            Errors.check(scratch);
            if (info != null) {
                info.state_.fill(CompactionValues.of(filled, scratch));
            }
            return outputs;
        } finally {
            if (filled != 0) {
                NativeBackgroundWork.destroyJobInfo(filled);
            }
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
        try (Scratch _ = database.use(); ComparatorMonitor _ = database.state_.changeFiles()) {
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
            NativeFiles.deleteInRange(scratch, database.nativeHandle_, in, NativeValues.copyOrNull(scratch, begin),
                    NativeValues.length(begin), NativeValues.copyOrNull(scratch, end), NativeValues.length(end));
            Errors.check(scratch);
        }
    }

    static void pauseBackgroundWork(RocksDB database) throws RocksDBException {
        CallbackRestrictions.requireMayWait("pausing");
        database.state_.waits().pause(database);
    }

    static void continueBackgroundWork(RocksDB database) throws RocksDBException {
        database.state_.waits().resume(database);
    }

    static void verifyChecksum(RocksDB database) throws RocksDBException {
        DatabaseFiles.call(database, NativeFiles::verifyChecksum);
    }

    static void abortAllCompactions(RocksDB database) {
        CallbackRestrictions.requireMayWait("ending compactions");
        database.state_.waits().abortCompactions(database);
    }

    static void resumeAllCompactions(RocksDB database) {
        database.state_.waits().resumeCompactions(database);
    }

    static void cancelAllBackgroundWork(RocksDB database, boolean wait) {
        CallbackRestrictions.requireMayWait("ending background work");
        try (Scratch _ = database.use()) {
            NativeBackgroundWork.cancelAll(database.nativeHandle_, wait);
        }
    }
}
