package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import java.util.List;

/** Manual compactions, and control of background work. */
final class Compactions {

    private Compactions() {
    }

    /**
     * Compacts a range with the library's native method, because C does not report a refused or failed compaction. As published, a key that
     * is null or empty means the first or the last key, and a family of null means the default family.
     */
    static void compactRange(RocksDB database, ColumnFamilyHandle family, byte[] begin, byte[] end,
            CompactRangeOptions options) throws RocksDBException {
        CallbackRestrictions.requireMayWait("a compaction");
        try (Scratch scratch = database.use();
                ComparatorMonitor _ = database.state_.changeFiles();
                Scratch _ = options == null ? null : options.use()) {
            long in = Reads.family(database, family);
            Databases.requireWritable(scratch, database, in);
            if (options == null) {
                compact(database, in, begin, end, 0);
                return;
            }
            options.state_.begin();
            try {
                compact(database, in, begin, end, options.nativeHandle_);
            } finally {
                options.state_.end();
            }
        }
    }

    private static void compact(RocksDB database, long family, byte[] begin, byte[] end, long options)
            throws RocksDBException {
        // A job, because the calling thread chooses the files.
        RunningCallbacks running = RunningCallbacks.ofThread();
        running.beginJob();
        try {
            ComparatorMonitor.call(() -> RocksDB.jniCompactRange(JniWrappers.object(database.nativeHandle_), begin,
                    NativeValues.length(begin), end, NativeValues.length(end), options, JniWrappers.object(family)));
        } finally {
            running.endJob();
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
        byte[][] keys = ranges.toArray(byte[][]::new);
        try (Scratch scratch = database.use(); ComparatorMonitor _ = database.state_.changeFiles()) {
            long in = Reads.family(database, family);
            Databases.requireWritable(scratch, database, in);
            ComparatorMonitor.call(() -> RocksDB.jniDeleteFilesInRanges(JniWrappers.object(database.nativeHandle_),
                    JniWrappers.object(in), keys, includeEnd));
        }
    }

    /** Deletes all keys outside a range, and rewrites the files without them. A range that ends before it begins would leave no key. */
    static void clip(RocksDB database, ColumnFamilyHandle family, byte[] begin, byte[] end) throws RocksDBException {
        byte[] first = begin.clone();
        byte[] limit = end.clone();
        CallbackRestrictions.requireMayWait("a compaction");
        CallbackRestrictions.requireMayWrite(database);
        if (family == null) {
            throw new RocksDBException(
                    new Status(Status.Code.InvalidArgument, Status.SubCode.None, "Invalid ColumnFamilyHandle."));
        }
        try (Scratch scratch = database.use(); ComparatorMonitor _ = database.state_.changeFiles()) {
            long in = family.toWriteIn(database);
            Databases.requireWritable(scratch, database, in);
            RangeChecks.requireOrder(scratch, in, NativeValues.copy(scratch, first).asSlice(0, first.length),
                    NativeValues.copy(scratch, limit).asSlice(0, limit.length));
            ComparatorMonitor.call(() -> RocksDB.jniClipColumnFamily(JniWrappers.object(database.nativeHandle_),
                    JniWrappers.object(in), first, 0, first.length, limit, 0, limit.length));
        }
    }

    /** Moves the files of level 0 to another level. As published, nothing happens if the level or the files do not allow that. */
    static void promoteL0(RocksDB database, ColumnFamilyHandle family, int level) throws RocksDBException {
        try (Scratch scratch = database.use(); ComparatorMonitor _ = database.state_.changeFiles()) {
            long in = Reads.family(database, family);
            Databases.requireWritable(scratch, database, in);
            RocksDB.jniPromoteL0(JniWrappers.object(database.nativeHandle_), JniWrappers.object(in), level);
        }
    }

    /** Suggests to compact the files that have the empty key, and returns an empty range, as published. */
    static Range suggestCompactRange(RocksDB database, ColumnFamilyHandle family) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            long in = Reads.family(database, family);
            // A database that was opened for reading would begin the compaction.
            if (!database.state_.isReadOnly) {
                NativeFiles.suggestCompaction(scratch, database.nativeHandle_, in, scratch.firstArea(), 0,
                        scratch.firstArea(), 0);
                Errors.check(scratch);
            }
            return new Range(Slice.unowned(new byte[0]), Slice.unowned(new byte[0]));
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
