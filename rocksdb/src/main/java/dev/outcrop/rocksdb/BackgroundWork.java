package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWork;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The flushes and compactions that run in the background of a database: waiting for them, pausing and stopping them. See
 * {@link RocksDB#backgroundWork()}. Thread-safe; throws {@link IllegalStateException} once the database is closed.
 */
public final class BackgroundWork {
    private final Store store;
    private final AtomicInteger pauses = new AtomicInteger();
    private final AtomicInteger manualDisabled = new AtomicInteger();
    /** How often compactions were made to end early; the C API does not say so to those who wait for one. */
    private final AtomicLong interruptions = new AtomicLong();
    private volatile boolean canceled;
    /** Held while pausing, so that a database that closes misses no pause. */
    private final ReentrantLock pausing = new ReentrantLock();
    private boolean closing;

    BackgroundWork(Store store) {
        this.store = store;
    }

    /**
     * Waits until no flush or compaction is running or due.
     *
     * @throws RocksDBException      if one has failed
     * @throws IllegalStateException if the database is closed
     */
    public void waitForCompact() {
        waitForCompact(new WaitForCompactOptions());
    }

    /**
     * Waits until no flush or compaction is running or due. While the work is {@linkplain #pause() paused}, this waits until somebody
     * resumes it, unless {@link WaitForCompactOptions#abortOnPause(boolean)} is set.
     *
     * @param options for how long, and for what
     * @throws RocksDBException      if one has failed; with {@link Status.Code#TIMED_OUT} if the time is over, and with
     *                               {@link Status.Code#ABORTED} if the work is paused
     * @throws IllegalStateException if the database is closed
     */
    public void waitForCompact(WaitForCompactOptions options) {
        try (Scratch scratch = store.enterToWait()) {
            if (options.flush()) {
                store.requireWritable("flushed");
            }
            NativeWork.waitForCompact(scratch, store.db, options.use());
            Native.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Pauses flushes and compactions, when those that run have ended. Calls add up: the work goes on after as many calls of
     * {@link #resume()}. Flushes and compactions that are asked for meanwhile wait for that, and so do writers once the memtables are full.
     * Closing the database resumes.
     *
     * @throws IllegalStateException if the database is closed
     */
    public void pause() {
        pausing.lock();
        try (Scratch scratch = store.enterToWait()) {
            if (closing) {
                throw new IllegalStateException("The " + store + " is closed");
            }
            NativeWork.pause(scratch, store.db);
            Native.check(scratch);
            pauses.incrementAndGet();
        } finally {
            pausing.unlock();
        }
    }

    /**
     * Undoes one {@link #pause()}.
     *
     * @throws IllegalStateException if the work is not paused, or the database is closed
     */
    public void resume() {
        try (Scratch scratch = store.enterToLook()) {
            takeOne(pauses, "is not paused");
            resume(scratch);
        }
    }

    private void resume(Scratch scratch) {
        NativeWork.resume(scratch, store.db);
        Native.check(scratch);
    }

    /** Before the database closes: a thread that waits for paused work would keep it from closing, and nobody could resume it any more. */
    void resumeAll() {
        pausing.lock();
        try {
            closing = true;
        } finally {
            pausing.unlock();
        }
        while (pauses.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
            try (Scratch scratch = store.enterToLook()) {
                resume(scratch);
            } catch (IllegalStateException e) {
                // Another thread closes the database at the same time, and resumes it.
                return;
            }
        }
    }

    /**
     * Ends the compactions that were asked for by calls, and refuses others until {@link #enableManualCompaction()}. Those that were
     * running fail with {@link Status.Code#INCOMPLETE}. Calls add up.
     *
     * @throws IllegalStateException if the database is closed
     */
    public void disableManualCompaction() {
        try (Scratch _ = store.enterToWait()) {
            manualDisabled.incrementAndGet();
            interruptions.incrementAndGet();
            CApi.rocksdb_disable_manual_compaction(store.db);
        }
    }

    /**
     * Undoes one {@link #disableManualCompaction()}.
     *
     * @throws IllegalStateException if manual compactions are not disabled, or the database is closed
     */
    public void enableManualCompaction() {
        try (Scratch _ = store.enterToWork()) {
            // RocksDB would count below zero, and another call would enable what was disabled later.
            takeOne(manualDisabled, "has not had its manual compactions disabled");
            CApi.rocksdb_enable_manual_compaction(store.db);
        }
    }

    /**
     * Ends all flushes and compactions for good, so that the database can be closed soon: until then it can be read, but what is
     * written stays in memory and in the log.
     *
     * @param waits whether to wait until they have ended
     * @throws IllegalStateException if the database is closed
     */
    public void cancelAll(boolean waits) {
        try (Scratch _ = store.enterToWait()) {
            canceled = true;
            interruptions.incrementAndGet();
            NativeWork.cancelAll(store.db, waits);
        }
    }

    /** Called before a compaction by a call: refuses it if it would do nothing. */
    long beginCompaction() {
        if (canceled) {
            throw RocksDBException.of(Status.Code.SHUTDOWN_IN_PROGRESS, Status.SubCode.NONE,
                    "The background work of the " + store + " was canceled");
        }
        if (manualDisabled.get() > 0) {
            throw RocksDBException.of(Status.Code.INCOMPLETE, Status.SubCode.MANUAL_COMPACTION_PAUSED,
                    "Manual compactions of the " + store + " are disabled");
        }
        return interruptions.get();
    }

    /** Called after it: the C API keeps to itself that it ended early. */
    void endCompaction(long begin) {
        if (interruptions.get() != begin) {
            throw RocksDBException.of(Status.Code.INCOMPLETE, Status.SubCode.MANUAL_COMPACTION_PAUSED,
                    "Compactions of the " + store + " were ended while this one ran; it may not be complete");
        }
    }

    private void takeOne(AtomicInteger count, String otherwise) {
        if (count.getAndUpdate(now -> Math.max(0, now - 1)) == 0) {
            throw new IllegalStateException("The " + store + " " + otherwise);
        }
    }

    /** The database's name, for messages. */
    @Override
    public String toString() {
        return "background work of " + store;
    }
}
