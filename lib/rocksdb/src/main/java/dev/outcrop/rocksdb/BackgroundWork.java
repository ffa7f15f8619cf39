package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeFiles;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Controls the flushes and compactions in the background of a database: waits for them, pauses and stops them. See {@link
 * RocksDB#backgroundWork()}. Thread-safe; throws {@link IllegalStateException} once the database is closed.
 */
public final class BackgroundWork {
    private final OpenDatabase database;
    private final AtomicInteger pauses = new AtomicInteger();
    private final AtomicInteger manualDisabled = new AtomicInteger();
    /** The number of times that compactions were ended early; the C API does not report that to callers that wait. */
    private final AtomicLong interruptions = new AtomicLong();
    private volatile boolean canceled;
    /** Held while pausing, so that a database that closes misses no pause. */
    private final ReentrantLock pausing = new ReentrantLock();
    private boolean closing;
    private final boolean areAllFlushesAtomic;
    private final AtomicReference<FlushMode> flushMode = new AtomicReference<>(FlushMode.UNDECIDED);

    /**
     * Whether atomic flushes may be forced, or flushes may run in parallel, in a database without {@code atomic_flush}.
     *
     * <p>RocksDB writes down the results of flushes in the order of the memtables: each flush also writes down the results of other flushes
     * that ended before their turn. An atomic flush writes down only its own result (db/memtable_list.cc). The result of a younger flush
     * would therefore stay in memory, and a thread that waits for it would never return.
     */
    private enum FlushMode {
        UNDECIDED,
        FORCED,
        PARALLEL
    }

    BackgroundWork(OpenDatabase database, Options options) {
        this.database = database;
        this.areAllFlushesAtomic = options.atomicFlush();
        if (mayFlushInParallel(options)) {
            flushMode.set(FlushMode.PARALLEL);
        }
    }

    /**
     * Waits until no flush or compaction is running or due.
     *
     * @throws RocksDBException if one has failed
     */
    public void waitForCompact() {
        waitForCompact(new WaitForCompactOptions());
    }

    /**
     * Waits until no flush or compaction is running or due. While the work is {@linkplain #pause() paused}, this method waits until the
     * work is resumed, unless {@link WaitForCompactOptions#abortOnPause(boolean)} is set.
     *
     * @param options the time-out, and the work to wait for
     * @throws RocksDBException if one has failed; with {@link Status.Code#TIMED_OUT} after a time-out, and with {@link Status.Code#ABORTED}
     *                          if the work is paused
     */
    public void waitForCompact(WaitForCompactOptions options) {
        try (Scratch scratch = database.enterForBackgroundWait()) {
            if (options.flush()) {
                database.requireWritable("flushed");
            }
            NativeBackgroundWork.waitForCompact(scratch, database.db, options.use());
            ApiCall.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Pauses flushes and compactions after the running ones have ended. The work continues after as many calls of {@link #resume()}. Until
     * then, new flushes and compactions wait, and writers wait once the memtables are full. Closing the database resumes the work.
     */
    public void pause() {
        pausing.lock();
        try (Scratch scratch = database.enterForBackgroundWait()) {
            if (closing) {
                throw new IllegalStateException("The " + database + " is closed");
            }
            NativeBackgroundWork.pause(scratch, database.db);
            ApiCall.check(scratch);
            pauses.incrementAndGet();
        } finally {
            pausing.unlock();
        }
    }

    /**
     * Undoes one call of {@link #pause()}.
     *
     * @throws IllegalStateException if the work is not paused, or the database is closed
     */
    public void resume() {
        try (Scratch scratch = database.enterForRead()) {
            takeOne(pauses, "is not paused");
            resume(scratch);
        }
    }

    private void resume(Scratch scratch) {
        NativeBackgroundWork.resume(scratch, database.db);
        ApiCall.check(scratch);
    }

    /**
     * Called before the database closes: a thread that waits for paused work would keep it from closing, and nothing could resume the work.
     */
    void resumeAll() {
        pausing.lock();
        try {
            closing = true;
        } finally {
            pausing.unlock();
        }
        while (pauses.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
            try (Scratch scratch = database.enterForRead()) {
                resume(scratch);
            } catch (IllegalStateException e) {
                // Another thread closes the database at the same time, and resumes it.
                return;
            }
        }
    }

    /**
     * Ends manual compactions, and refuses new ones until {@link #enableManualCompaction()}. Running manual compactions fail with {@link
     * Status.Code#INCOMPLETE}. Each call needs its own {@link #enableManualCompaction()}.
     */
    public void disableManualCompaction() {
        try (Scratch _ = database.enterForBackgroundWait()) {
            manualDisabled.incrementAndGet();
            interruptions.incrementAndGet();
            CApi.rocksdb_disable_manual_compaction(database.db);
        }
    }

    /**
     * Undoes one call of {@link #disableManualCompaction()}.
     *
     * @throws IllegalStateException if manual compactions are not disabled, or the database is closed
     */
    public void enableManualCompaction() {
        try (Scratch _ = database.enterForAdmin()) {
            // RocksDB would count below zero, and a later call of disableManualCompaction would have no effect.
            takeOne(manualDisabled, "has not had its manual compactions disabled");
            CApi.rocksdb_enable_manual_compaction(database.db);
        }
    }

    /**
     * Permanently ends all flushes and compactions, so that the database can be closed soon. Until it is closed, the database can be read,
     * but new writes stay in memory and in the log.
     *
     * @param waits whether to wait until they have ended
     */
    public void cancelAll(boolean waits) {
        try (Scratch _ = database.enterForBackgroundWait()) {
            canceled = true;
            interruptions.incrementAndGet();
            NativeBackgroundWork.cancelAll(database.db, waits);
        }
    }

    /** Called before a flush; refuses a forced atomic flush where flushes may run in parallel. */
    void beforeFlush(boolean isForcedAtomic) {
        if (isForcedAtomic && !areAllFlushesAtomic
                && flushMode.compareAndExchange(FlushMode.UNDECIDED, FlushMode.FORCED) == FlushMode.PARALLEL) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The " + database
                    + " may flush several memtables at a time, beside which an atomic flush does not work; open it with"
                    + " atomic_flush, or with less than 8 max_background_jobs and less than 2 max_background_flushes");
        }
    }

    /** Called before the options of the database are changed to these. */
    void beforeChange(Options options) {
        if (!areAllFlushesAtomic && mayFlushInParallel(options)
                && flushMode.compareAndExchange(FlushMode.UNDECIDED, FlushMode.PARALLEL) == FlushMode.FORCED) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The " + database
                    + " can no longer be allowed to flush several memtables at a time, because an atomic flush may be"
                    + " running; open it with atomic_flush, or with these options");
        }
    }

    /**
     * RocksDB chooses between the two counts by a third option (DBImpl::GetBGJobLimits), and all three can be changed one by one while the
     * database is open; so neither count may be higher.
     */
    private static boolean mayFlushInParallel(Options options) {
        return options.maxBackgroundJobs() / 4 > 1 || options.maxBackgroundFlushes() > 1;
    }

    /** Called before a compaction; refuses it if it would do nothing. */
    long beginCompaction() {
        if (canceled) {
            throw RocksDBException.of(Status.Code.SHUTDOWN_IN_PROGRESS,
                    "The background work of the " + database + " was canceled");
        }
        if (manualDisabled.get() > 0) {
            throw RocksDBException.of(Status.Code.INCOMPLETE, Status.SubCode.MANUAL_COMPACTION_PAUSED,
                    "Manual compactions of the " + database + " are disabled");
        }
        return interruptions.get();
    }

    /** Called after a compaction; throws if it ended early, which the C API does not report. */
    void endCompaction(long begin) {
        if (interruptions.get() != begin) {
            throw RocksDBException.of(Status.Code.INCOMPLETE, Status.SubCode.MANUAL_COMPACTION_PAUSED,
                    "Compactions of the " + database + " were ended while this one ran; it may not be complete");
        }
    }

    private void takeOne(AtomicInteger count, String otherwise) {
        if (count.getAndUpdate(now -> Math.max(0, now - 1)) == 0) {
            throw new IllegalStateException("The " + database + " " + otherwise);
        }
    }

    /** Two keys as the C API takes them, where a null pointer stands for "no bound". */
    private record Bounds(MemorySegment begin, long beginLength, MemorySegment end, long endLength) {
        static Bounds of(Scratch scratch, Family family, String what, MemorySegment begin, MemorySegment end) {
            if (family.order.compare(begin, end) > 0) {
                // RocksDB would do nothing, or something else.
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        KeyRange.reversed(what, family.toString(), begin, end));
            }
            return new Bounds(notNull(scratch, begin), begin.byteSize(), notNull(scratch, end), end.byteSize());
        }

        static Bounds of(Scratch scratch, byte @Nullable [] begin, byte @Nullable [] end) {
            return new Bounds(orNull(scratch, begin), begin == null ? 0 : begin.length, orNull(scratch, end),
                    end == null ? 0 : end.length);
        }

        private static MemorySegment orNull(Scratch scratch, byte @Nullable [] key) {
            return key == null ? MemorySegment.NULL : notNull(scratch, MemorySegment.ofArray(key));
        }

        private static MemorySegment notNull(Scratch scratch, MemorySegment key) {
            ApiCall.requireSize(key.byteSize());
            return key.byteSize() == 0 ? scratch.allocate(1, 1) : ApiCall.in(scratch, key);
        }
    }

    /** Compacts at least the keys of a range: RocksDB also compacts its end. */
    static void compact(Family family, KeyRange range, CompactRangeOptions options) {
        Objects.requireNonNull(options, "options");
        range.require(family);
        try (Scratch scratch = family.enterForBackgroundWait()) {
            compact(scratch, family, Bounds.of(scratch, range.from(), range.to()), options);
        }
    }

    /** Compacts the keys from one to another, both included. */
    static void compact(Family family, MemorySegment begin, MemorySegment end, CompactRangeOptions options) {
        Objects.requireNonNull(options, "options");
        try (Scratch scratch = family.enterForBackgroundWait()) {
            compact(scratch, family, Bounds.of(scratch, family, "compact", begin, end), options);
        }
    }

    private static void compact(Scratch scratch, Family family, Bounds bounds, CompactRangeOptions options) {
        requireUsable(family, options);
        OpenDatabase database = family.database;
        database.requireWritable("compacted");
        long begin = database.work.beginCompaction();
        try (CompactionFailures failures = CompactionFailures.collect(database.guard)) {
            CallbackFailures.forget();
            NativeBackgroundWork.compactRange(database.db, family.handle, options.use(), bounds.begin(),
                    bounds.beginLength(),
                    bounds.end(), bounds.endLength());
            database.work.endCompaction(begin);
            CallbackFailures.rethrow();
            if (!"0".equals(family.property(scratch, "rocksdb.background-errors"))) {
                throwBackgroundError(scratch, database, failures);
            }
            database.guard.requireOrder("compacted");
            failures.requireNone("The compaction of the " + family);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** Refuses options that RocksDB refuses without the C API reporting it. */
    private static void requireUsable(Family family, CompactRangeOptions options) {
        int levels = family.options.numLevels();
        int paths = family.options.pathCount(family.database.options);
        if (options.targetPathId() < 0 || options.targetPathId() >= paths) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "target_path_id is "
                    + options.targetPathId() + ", but the " + family + " has the paths 0 to " + (paths - 1));
        }
        if (options.changeLevel() && options.targetLevel() >= levels) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "target_level is "
                    + options.targetLevel() + ", but the " + family + " has the levels 0 to " + (levels - 1));
        }
        if (options.changeLevel() && family.options.compactionStyle() == CompactionStyle.FIFO) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                    "change_level does not work with FIFO compaction, which the " + family + " has");
        }
    }

    /**
     * Throws the error of a failed compaction, which the C API does not report. A failed compaction stops background work, and waiting for
     * that work returns the error.
     */
    private static void throwBackgroundError(Scratch scratch, OpenDatabase database, CompactionFailures failures) {
        long options = NativeBackgroundWork.newWaitOptions();
        try {
            NativeBackgroundWork.waitForCompact(scratch, database.db, options);
        } finally {
            NativeBackgroundWork.destroyWaitOptions(options);
        }
        try {
            ApiCall.check(scratch);
        } catch (RocksDBException e) {
            throw failures.explain(e);
        }
    }

    static CompactionJobInfo compactFiles(Family family, List<Path> files, int outputLevel, CompactionOptions options) {
        ApiCall.requireElements("files", files);
        List<String> names = files.stream().map(Path::toString).toList();
        Objects.requireNonNull(options, "options");
        try (Scratch scratch = family.enterForAdmin()) {
            MemorySegment input = OptionValues.array(scratch, "A file name", names);
            int firstPath = 0;
            long info = NativeBackgroundWork.newJobInfo();
            try (CompactionFailures failures = CompactionFailures.collect(family.guard)) {
                List<String> made = NativeBackgroundWork.compactFiles(scratch, family.database.db, family.handle,
                        options.use(),
                        input.address(), names.size(), outputLevel, firstPath, info);
                ApiCall.check(scratch, "Cannot compact " + names.size() + " files to level " + outputLevel);
                failures.requireNone("The compaction of " + names.size() + " files to level " + outputLevel);
                return NativeBackgroundWork.jobInputs(info) > 0
                        ? CompactionJobInfo.of(info, scratch)
                        : moved(family, names, made, outputLevel,
                                CompactionJobStats.of(NativeBackgroundWork.jobStats(info), scratch));
            } finally {
                NativeBackgroundWork.destroyJobInfo(info);
            }
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** If RocksDB only moved files, it sets nothing but the statistics. */
    private static CompactionJobInfo moved(Family family, List<String> from, List<String> to, int outputLevel,
            CompactionJobStats nothing) {
        return new CompactionJobInfo(family.id, family.name, null, 0, 0, 0, 0, outputLevel,
                CompactionReason.MANUAL_COMPACTION, CompressionType.NONE, CompressionType.NONE, false, from, to,
                Duration.ZERO, 0, 0, 0, 0, 0, 0, 0, nothing, List.of(), List.of(), Map.of(), List.of(), List.of());
    }

    static void suggest(Family family, MemorySegment begin, MemorySegment end) {
        try (Scratch scratch = family.enterForAdmin()) {
            Bounds bounds = Bounds.of(scratch, family, "compact", begin, end);
            family.database.requireWritable("compacted");
            if (family.timestampSize > 0) {
                // RocksDB would look for a timestamp at the end of these keys, before their first byte.
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                        "Compactions cannot be suggested for the " + family + ", because its keys have timestamps");
            }
            NativeFiles.suggestCompaction(scratch, family.database.db, family.handle, bounds.begin(),
                    bounds.beginLength(), bounds.end(), bounds.endLength());
            ApiCall.check(scratch);
        }
    }

    static void deleteFilesInRange(Family family, MemorySegment begin, MemorySegment end) {
        try (Scratch scratch = family.enterForAdmin()) {
            deleteFiles(scratch, family, Bounds.of(scratch, family, "delete files in", begin, end));
        }
    }

    static void deleteFilesInRange(Family family, KeyRange range) {
        range.require(family);
        byte[] last = range.lastKey(family);
        if (range.to() != null && last == null) {
            // There is no key before the empty one.
            return;
        }
        try (Scratch scratch = family.enterForAdmin()) {
            deleteFiles(scratch, family, Bounds.of(scratch, range.from(), last));
        }
    }

    private static void deleteFiles(Scratch scratch, Family family, Bounds bounds) {
        family.database.requireWritable("changed");
        NativeFiles.deleteInRange(scratch, family.database.db, family.handle, bounds.begin(), bounds.beginLength(),
                bounds.end(), bounds.endLength());
        ApiCall.check(scratch);
    }

    /** The database's name, for messages. */
    @Override
    public String toString() {
        return "background work of " + database;
    }
}
