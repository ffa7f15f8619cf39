package dev.outcrop.queue.internal.groups;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Warnings;
import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The queue's background thread: reads the clock, prepares the next file, and gives files back. */
public final class Housekeeper implements Runnable {
    private static final int IDLE_TICKS = 10;

    private final QueueDirectory directory;
    private final Log log;
    private final Retention retention;
    private final Clock clock;
    private final Thread thread;
    /** The end of the queue when it was opened. */
    private final long opened;
    private volatile boolean isOver;
    /** In addition to the thread's permit, which a lock in its work may consume. */
    private volatile boolean isWoken;
    private boolean hasFailed;
    /** Whether records had to be on the disk from the start. */
    private final boolean wasDurable;
    /** The last segment that was examined since records have to be durable. */
    private @Nullable SegmentFile lookedAt;
    // Made once: linking them needs memory, and may fail for good if there is none.
    private final BooleanSupplier goOn = this::isGoingOn;
    private final Task givingBack;
    private final Task usingSmallPages = this::useSmallPages;
    private final Task preparing;
    private final Task preparingCurrent = this::prepareCurrent;

    public Housekeeper(QueueDirectory directory, Log log, Retention retention, Clock clock) {
        this.directory = directory;
        this.log = log;
        this.retention = retention;
        this.clock = clock;
        this.opened = log.nextOffset();
        this.wasDurable = directory.isDurable();
        this.givingBack = retention::run;
        this.preparing = () -> directory.prepare(goOn);
        if (!wasDurable) {
            MappedFile.linkUseSmallPages();
        }
        this.thread = Thread.ofPlatform().daemon().name("outcrop-queue " + directory.directory()).unstarted(this);
    }

    public void start() {
        thread.start();
    }

    /** Wakes the thread, because there is something to do. Cheap; for any thread. */
    public void wake() {
        isWoken = true;
        LockSupport.unpark(thread);
    }

    /** Waits until the thread has ended. Does nothing if it was not started. */
    public void stop() {
        isOver = true;
        wake();
        Uninterrupted.await(thread::join);
    }

    @Override
    public void run() {
        try {
            while (!isOver) {
                goOn();
            }
        } finally {
            clock.end();
        }
    }

    private void goOn() {
        try {
            loop();
        } catch (Throwable e) {
            // Out of memory, for example. Continues, because no other thread does this work.
            report(e);
            LockSupport.parkNanos(this, Clock.TICK_NANOS);
        }
    }

    private void loop() {
        long seen = -1;
        int idle = 0;
        boolean isWarm = false;
        while (!isOver) {
            // An interrupt would keep the thread from waiting.
            boolean _ = Thread.interrupted();
            // Before looking for work.
            isWoken = false;
            long next = log.nextOffset();
            boolean isCold = !isWarm && next != opened;
            isWarm |= isCold;
            doRound(isCold, isWarm);
            idle = next == seen ? idle + 1 : 0;
            seen = next;
            if (idle < IDLE_TICKS) {
                clock.tick();
                LockSupport.parkNanos(this, Clock.TICK_NANOS);
                continue;
            }
            clock.rest();
            // A thread that appended before that saw a ticking clock, and did not wake this one.
            if (log.nextOffset() == seen && !isWoken && !isOver) {
                rest(retention.missingMillis());
            }
            idle = 0;
        }
    }

    private void rest(long millis) {
        if (millis == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    /**
     * Prepares the present segment, which an append would do slowly. Not before the first append, because opening a queue should be cheap.
     */
    private void prepareCurrent() {
        log.current().pages.populateRest(directory, goOn);
    }

    /** Changes the present segment, which was prepared before records had to be durable, to small pages. */
    private void useSmallPages() {
        SegmentFile current = log.current();
        if (current != lookedAt) {
            lookedAt = current;
            if (QueueDirectory.mayBeInHugePages(current.file)) {
                // Not once a write has failed: then memory may have the only copy.
                current.pages.useSmallPages(directory, () -> isGoingOn() && log.poison() == null);
                current.pages.populateRest(directory, goOn);
            }
        }
    }

    /** Asked by long work. */
    private boolean isGoingOn() {
        clock.tick();
        return !isOver;
    }

    private interface Task {
        void run() throws IOException;
    }

    private void doRound(boolean isCold, boolean isWarm) {
        // First, because it makes room on a full disk, and returned files need not be prepared.
        boolean isFine = isDone(givingBack);
        // That may have waited for the disk.
        clock.tick();
        if (!wasDurable && directory.isDurable()) {
            isFine &= isDone(usingSmallPages);
        }
        if (isWarm) {
            // Readers need no further file.
            isFine &= isDone(preparing);
        }
        if (isCold) {
            isFine &= isDone(preparingCurrent);
        }
        hasFailed = !isFine;
    }

    private boolean isDone(Task task) {
        try {
            task.run();
            return true;
        } catch (Throwable e) {
            // A full disk, for example: an append finds out. Also an error, as for a truncated file, because no other thread does this
            // work.
            report(e);
            return false;
        }
    }

    /** Logs a failure, unless the last round has failed, too. */
    private void report(Throwable e) {
        if (hasFailed) {
            return;
        }
        hasFailed = true;
        Warnings.log("dev.outcrop.queue.Housekeeper", "The queue ", directory.directory(),
                " cannot prepare or give back files", e);
    }
}
