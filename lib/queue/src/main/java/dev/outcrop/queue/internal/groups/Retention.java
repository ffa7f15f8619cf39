package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.Warnings;
import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.Syncer;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.tailers.Tailers;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives back needless segments. First the floors of the groups are made durable, then the offset before which all is retired, and then
 * names change: so a power cut at any point leaves a whole queue.
 */
public final class Retention {
    private final QueueDirectory directory;
    private final Log log;
    private final Groups groups;
    private final Syncer syncer;
    private final Clock clock;
    private final long keepMillis;
    private final long keepBytes;
    private long retired;
    /** The time, as of the last run, until age makes another segment retirable. */
    private volatile long missingMillis = Long.MAX_VALUE;
    private boolean isClosed;

    public Retention(QueueDirectory directory, Log log, Groups groups, Syncer syncer, Clock clock, Duration keepFor,
            long keepBytes) {
        this.directory = directory;
        this.log = log;
        this.groups = groups;
        this.syncer = syncer;
        this.clock = clock;
        this.keepMillis = millis(keepFor);
        this.keepBytes = keepBytes;
        this.retired = directory.file().slot().retired();
    }

    private static long millis(Duration duration) {
        try {
            return duration.plusNanos(999_999).toMillis();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Gives back needless segments. */
    public synchronized void run() throws IOException {
        if (isClosed || log.poison() != null) {
            // A thread that has acknowledged a record may come late, when the files are unmapped. On a disk that has failed, nothing is
            // tried again.
            return;
        }
        // So that no group moves back to a segment that is given back.
        synchronized (groups.floors) {
            retire();
            if (giveBack()) {
                groups.moved();
            }
        }
    }

    /**
     * Gives back needless segments in a thread that begins a file or has acknowledged all of one, because there is no background thread.
     * Does not throw, because that thread's own work is done.
     */
    public void runInCaller() {
        if (log.isInWriter()) {
            // A group that is being moved may wait for this writer's record, and has a lock that is needed here. The next time will do.
            return;
        }
        try {
            run();
        } catch (IOException | RuntimeException e) {
            Warnings.log("dev.outcrop.queue.Queue", "Files of the queue ", directory.directory(),
                    " cannot be given back", e);
        }
    }

    /**
     * When to run again even if nothing happens.
     *
     * @return milliseconds from the last run; {@link Long#MAX_VALUE} for never
     */
    long missingMillis() {
        return missingMillis;
    }

    /** Waits for a run, and prevents further ones. */
    public synchronized void close() {
        isClosed = true;
    }

    private void retire() throws IOException {
        SegmentFile last = lastRetirable();
        if (last != null && Objects.requireNonNull(last.next).baseOffset > retired) {
            groups.forceFloors();
            clock.tick();
            long behind = Objects.requireNonNull(last.next).baseOffset;
            // The queue begins with that segment from now on.
            syncer.forceName(behind);
            syncer.writeFile(slot -> slot.withRetired(behind));
            // After it is on the disk, because names change next.
            retired = behind;
        }
    }

    private boolean giveBack() throws IOException {
        SegmentFile next = log.first().next;
        if (next == null || next.baseOffset > retired) {
            return false;
        }
        // After "retired" is written: a tailer that registers later reads that, and this sees an earlier tailer.
        long before = Math.min(retired, Tailers.lowestNeeded(directory.directory()));
        boolean isAny = false;
        while (giveBackFirst(before)) {
            isAny = true;
        }
        return isAny;
    }

    private boolean giveBackFirst(long before) throws IOException {
        SegmentFile first = log.first();
        SegmentFile next = first.next;
        if (next == null || next.baseOffset > before || !syncer.leave(first)) {
            return false;
        }
        SegmentFile taken = log.takeFirst(before);
        if (taken == null) {
            return false;
        }
        directory.giveBack(taken);
        clock.tick();
        return true;
    }

    /** The last segment that all groups have acknowledged and that was kept long enough; null if there is none. */
    private @Nullable SegmentFile lastRetirable() {
        long floor = floor();
        long now = clock.millis();
        long end = log.nextPosition();
        long missing = Long.MAX_VALUE;
        SegmentFile last = null;
        SegmentFile segment = log.first();
        for (SegmentFile next = segment.next; next != null; segment = next, next = segment.next) {
            // No record of a segment is younger than the next segment.
            if (next.baseOffset > floor || end - next.start < keepBytes) {
                break;
            }
            if (now - next.created < keepMillis) {
                missing = keepMillis - (now - next.created);
                break;
            }
            last = segment;
        }
        missingMillis = missing;
        return last;
    }

    /** Without groups everything is kept, unless the options say for how long or how much. */
    private long floor() {
        long floor = groups.needlessBefore();
        return floor == Long.MAX_VALUE && keepMillis == 0 && keepBytes == 0 ? 0 : floor;
    }
}
