package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeWork;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CompactionFailures;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Compactions that a caller asks for. */
final class Compaction {
    private Compaction() {
    }

    /** No bounds for the C API. */
    private static final KeyBounds ALL = new KeyBounds(MemorySegment.NULL, 0, MemorySegment.NULL, 0);

    /** All keys. */
    static void compact(Family family) {
        try (Scratch scratch = family.enterToWait()) {
            compact(scratch, family, ALL);
        }
    }

    /** All keys. */
    static void compact(Family family, CompactRangeOptions options) {
        try (Scratch scratch = family.enterToWait()) {
            compact(scratch, family, ALL, options);
        }
    }

    /** The keys from one to another, both included. */
    static void compact(Family family, MemorySegment begin, MemorySegment end) {
        try (Scratch scratch = family.enterToWait()) {
            compact(scratch, family, KeyBounds.of(scratch, family, "compact", begin, end));
        }
    }

    /** At least the keys of a range: RocksDB takes its end too. */
    static void compact(Family family, KeyRange range) {
        range.require(family);
        try (Scratch scratch = family.enterToWait()) {
            compact(scratch, family, KeyBounds.of(scratch, range.from(), range.to()));
        }
    }

    /** At least the keys of a range: RocksDB takes its end too. */
    static void compact(Family family, KeyRange range, CompactRangeOptions options) {
        Objects.requireNonNull(options, "options");
        range.require(family);
        try (Scratch scratch = family.enterToWait()) {
            compact(scratch, family, KeyBounds.of(scratch, range.from(), range.to()), options);
        }
    }

    /** The keys from one to another, both included. */
    static void compact(Family family, MemorySegment begin, MemorySegment end, CompactRangeOptions options) {
        Objects.requireNonNull(options, "options");
        try (Scratch scratch = family.enterToWait()) {
            compact(scratch, family, KeyBounds.of(scratch, family, "compact", begin, end), options);
        }
    }

    private static void compact(Scratch scratch, Family family, KeyBounds bounds) {
        compact(scratch, family, bounds, 0);
    }

    private static void compact(Scratch scratch, Family family, KeyBounds bounds, CompactRangeOptions options) {
        requireUsable(family, options);
        try {
            compact(scratch, family, bounds, options.use());
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private static void compact(Scratch scratch, Family family, KeyBounds bounds, long options) {
        Store store = family.store;
        store.requireWritable("compacted");
        long begin = store.work.beginCompaction();
        try (CompactionFailures failures = CompactionFailures.collect(store.guard)) {
            CallbackFailures.forget();
            NativeWork.compactRange(store.db, family.handle, options, bounds.begin(), bounds.beginLength(),
                    bounds.end(), bounds.endLength());
            store.work.endCompaction(begin);
            CallbackFailures.rethrow();
            if (!"0".equals(family.property(scratch, "rocksdb.background-errors"))) {
                throwBackgroundError(scratch, store, failures);
            }
            store.guard.requireOrder("compacted");
            failures.requireNone("The compaction of the " + family);
        }
    }

    /** What RocksDB refuses and the C API does not tell. */
    private static void requireUsable(Family family, CompactRangeOptions options) {
        int levels = family.options.numLevels();
        int paths = family.options.pathCount(family.store.options);
        if (options.targetPathId() < 0 || options.targetPathId() >= paths) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "target_path_id is "
                    + options.targetPathId() + ", but the " + family + " has the paths 0 to " + (paths - 1));
        }
        if (options.changeLevel() && options.targetLevel() >= levels) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "target_level is "
                    + options.targetLevel() + ", but the " + family + " has the levels 0 to " + (levels - 1));
        }
        if (options.changeLevel() && family.options.compactionStyle() == CompactionStyle.FIFO) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                    "change_level does not work with FIFO compaction, which the " + family + " has");
        }
    }

    /** The C API does not say how a compaction went. A failed one stops background work, and waiting for that returns its error. */
    private static void throwBackgroundError(Scratch scratch, Store store, CompactionFailures failures) {
        long options = NativeWork.newWaitOptions();
        try {
            NativeWork.waitForCompact(scratch, store.db, options);
        } finally {
            NativeWork.destroyWaitOptions(options);
        }
        try {
            Native.check(scratch);
        } catch (RocksDBException e) {
            throw failures.explain(e);
        }
    }

    static CompactionJobInfo compactFiles(Family family, List<Path> files, int outputLevel, CompactionOptions options) {
        List<String> names = files.stream().map(Path::toString).toList();
        Objects.requireNonNull(options, "options");
        try (Scratch scratch = family.enterToWork()) {
            MemorySegment input = OptionValues.array(scratch, "A file name", names);
            int firstPath = 0;
            long info = NativeWork.newJobInfo();
            try (CompactionFailures failures = CompactionFailures.collect(family.guard)) {
                List<String> made = NativeWork.compactFiles(scratch, family.store.db, family.handle, options.use(),
                        input.address(), names.size(), outputLevel, firstPath, info);
                Native.check(scratch, "Cannot compact " + names.size() + " files to level " + outputLevel);
                failures.requireNone("The compaction of " + names.size() + " files to level " + outputLevel);
                return NativeWork.jobInputs(info) > 0
                        ? CompactionJobInfo.of(info, scratch)
                        : moved(family, names, made, outputLevel,
                                CompactionJobStats.of(NativeWork.jobStats(info), scratch));
            } finally {
                NativeWork.destroyJobInfo(info);
            }
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** RocksDB leaves all but the statistics without a value where it only moved files. */
    private static CompactionJobInfo moved(Family family, List<String> from, List<String> to, int outputLevel,
            CompactionJobStats nothing) {
        return new CompactionJobInfo(family.id, family.name, null, 0, 0, 0, 0, outputLevel,
                CompactionReason.MANUAL_COMPACTION, CompressionType.NONE, CompressionType.NONE, false, from, to,
                Duration.ZERO, 0, 0, 0, 0, 0, 0, 0, nothing, List.of(), List.of(), Map.of(), List.of(), List.of());
    }

    static void suggest(Family family, MemorySegment begin, MemorySegment end) {
        try (Scratch scratch = family.enterToWork()) {
            KeyBounds bounds = KeyBounds.of(scratch, family, "compact", begin, end);
            family.store.requireWritable("compacted");
            if (family.timestampSize > 0) {
                // RocksDB would look for a timestamp at the end of these keys, before their first byte.
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                        "Compactions cannot be suggested for the " + family + ", because its keys have timestamps");
            }
            CApi.rocksdb_suggest_compact_range_cf(family.store.db, family.handle, bounds.begin(),
                    bounds.beginLength(), bounds.end(), bounds.endLength(), Native.error(scratch));
            Native.check(scratch);
        }
    }

    static void deleteFilesInRange(Family family, MemorySegment begin, MemorySegment end) {
        try (Scratch scratch = family.enterToWork()) {
            deleteFiles(scratch, family, KeyBounds.of(scratch, family, "delete files in", begin, end));
        }
    }

    static void deleteFilesInRange(Family family, KeyRange range) {
        range.require(family);
        byte[] last = range.lastKey(family);
        if (range.to() != null && last == null) {
            // There is no key before the empty one.
            return;
        }
        try (Scratch scratch = family.enterToWork()) {
            deleteFiles(scratch, family, KeyBounds.of(scratch, range.from(), last));
        }
    }

    private static void deleteFiles(Scratch scratch, Family family, KeyBounds bounds) {
        family.store.requireWritable("changed");
        NativeFiles.deleteInRange(scratch, family.store.db, family.handle, bounds.begin(), bounds.beginLength(),
                bounds.end(), bounds.endLength());
        Native.check(scratch);
    }
}
