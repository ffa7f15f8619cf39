package dev.outcrop.queue.internal.groups;

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
 * Gives back segments that are not needed. First the positions of the groups are made durable, then the offset before which all is retired, and then names change. So a power cut at any point leaves a whole queue.
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
    /** How long it took at the last run until time alone makes another segment retirable. */
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

    /** Rounded up, and as far as it can be told. */
    private static long millis(Duration duration) {
        try {
            return duration.plusNanos(999_999).toMillis();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Gives back what can be. For one thread at a time. */
    public synchronized void run() throws IOException {
        if (isClosed || log.poison() != null) {
            // A thread that has acknowledged something may get here late, when the files are unmapped; and on a disk that has failed
            // nothing is tried again.
            return;
        }
        // So that no group moves back to where nothing is any more.
        synchronized (groups.floors) {
            retire();
            if (giveBack()) {
                groups.moved();
            }
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
            // With that segment the queue begins from now on.
            syncer.bringName(behind);
            syncer.writeFile(slot -> slot.withRetired(behind));
            // Not before it is on the disk: names change because of it.
            retired = behind;
        }
    }

    private boolean giveBack() throws IOException {
        SegmentFile next = log.first().next;
        if (next == null || next.baseOffset > retired) {
            return false;
        }
        // Asked after "retired" is written: a reader that registers later looks at that, one that did before is seen here.
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

    /** The last of the segments that all groups have acknowledged and that have been kept long enough; null if there is none. */
    private @Nullable SegmentFile lastRetirable() {
        long floor = floor();
        long now = clock.millis();
        long end = log.nextPosition();
        long missing = Long.MAX_VALUE;
        SegmentFile last = null;
        SegmentFile segment = log.first();
        for (SegmentFile next = segment.next; next != null; segment = next, next = segment.next) {
            // No record of a segment is younger than the one behind it.
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

    /** Without groups everything is kept, unless it was said for how long or how much. */
    private long floor() {
        long floor = groups.needlessBefore();
        return floor == Long.MAX_VALUE && keepMillis == 0 && keepBytes == 0 ? 0 : floor;
    }
}
