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

/** The queue's background thread: tells the time, prepares the next file before it is needed, gives files back. */
public final class Housekeeper implements Runnable {
    private static final int IDLE_TICKS = 10;

    private final QueueDirectory directory;
    private final Log log;
    private final Retention retention;
    private final Clock clock;
    private final Thread thread;
    /** Where the queue ended when it was opened. */
    private final long opened;
    private volatile boolean isOver;
    /** Besides what lets it go on, which a lock that it waits for in its work may use up. */
    private volatile boolean isWoken;
    private boolean hasFailed;
    /** Whether records had to be on the disk from the start. */
    private final boolean wasDurable;
    /** The last segment that was examined since records have to be on the disk. */
    private @Nullable SegmentFile lookedAt;
    // Made once: linking them needs memory, and may fail for good if there is none.
    private final BooleanSupplier goOn = this::isGoingOn;
    private final Chore givingBack;
    private final Chore usingSmallPages = this::useSmallPages;
    private final Chore preparing;
    private final Chore warmingUp = this::warmUp;

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

    /** There is something to do. Cheap, and callable by any thread. */
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
            keepHouseUntilTheEnd();
        } catch (Throwable e) {
            // Out of memory, say. No other thread does this work, so it goes on.
            report(e);
            LockSupport.parkNanos(this, Clock.TICK_NANOS);
        }
    }

    private void keepHouseUntilTheEnd() {
        long seen = -1;
        int idle = 0;
        boolean isWarm = false;
        while (!isOver) {
            // An interrupt is not meant for it, and would keep it from resting.
            boolean _ = Thread.interrupted();
            // Before looking at what there is to do.
            isWoken = false;
            long next = log.nextOffset();
            boolean isCold = !isWarm && next != opened;
            isWarm |= isCold;
            keepHouse(isCold, isWarm);
            idle = next == seen ? idle + 1 : 0;
            seen = next;
            if (idle < IDLE_TICKS) {
                clock.tick();
                LockSupport.parkNanos(this, Clock.TICK_NANOS);
                continue;
            }
            clock.rest();
            // The thread that appended before that saw a ticking clock, and woke no thread.
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

    /** What would be done by an appender, once and slowly; not before anybody does, because opening a queue is to be cheap. */
    private void warmUp() {
        log.current().pages.populateRest(directory, goOn);
    }

    /** The present segment was prepared before records had to be on the disk. */
    private void useSmallPages() {
        SegmentFile current = log.current();
        if (current != lookedAt) {
            lookedAt = current;
            if (QueueDirectory.mayBeInHugePages(current.file)) {
                // Not once something could not be written: who knows what the disk has.
                current.pages.useSmallPages(directory, () -> isGoingOn() && log.poison() == null);
                current.pages.populateRest(directory, goOn);
            }
        }
    }

    /** Asked by what takes long. */
    private boolean isGoingOn() {
        clock.tick();
        return !isOver;
    }

    private interface Chore {
        void run() throws IOException;
    }

    private void keepHouse(boolean isCold, boolean isWarm) {
        // First, because it makes room on a disk that is full, and what is given back need not be prepared.
        boolean isFine = isDone(givingBack);
        // What was done may have waited for the disk.
        clock.tick();
        if (!wasDurable && directory.isDurable()) {
            isFine &= isDone(usingSmallPages);
        }
        if (isWarm) {
            // A reader alone needs no other file.
            isFine &= isDone(preparing);
        }
        if (isCold) {
            isFine &= isDone(warmingUp);
        }
        hasFailed = !isFine;
    }

    private boolean isDone(Chore chore) {
        try {
            chore.run();
            return true;
        } catch (Throwable e) {
            // A full disk, say: an appender finds out, and gets an exception. Also an error, like that of a file which was cut off: no other thread does this work.
            report(e);
            return false;
        }
    }

    /** Once is enough for the log. */
    private void report(Throwable e) {
        if (hasFailed) {
            return;
        }
        hasFailed = true;
        Warnings.log("dev.outcrop.queue.Housekeeper", "The queue ", directory.directory(),
                " cannot prepare or give back files", e);
    }
}
