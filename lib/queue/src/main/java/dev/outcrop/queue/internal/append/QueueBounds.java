package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.Failures;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The bounds of the queue, for records that some group has not acknowledged. */
public final class QueueBounds {
    /** How long a thread waits at a time: the thread that poisons the queue may have no stack to wake it. */
    private static final long LONGEST_NANOS = 100_000_000;

    private final long maxRecords;
    private final long maxBytes;
    private final boolean isBounded;
    private final Object lock = new Object();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean isOver;
    /** All groups have acknowledged the records before this offset, which is at the position below. */
    private volatile long floorOffset;
    private volatile long floorPosition;
    /** The consumer group that has not acknowledged the record there; null if there is none. */
    private volatile @Nullable String slowest;

    public QueueBounds(long maxRecords, long maxBytes) {
        this.maxRecords = maxRecords;
        this.maxBytes = maxBytes;
        this.isBounded = maxRecords != Long.MAX_VALUE || maxBytes != Long.MAX_VALUE;
    }

    public boolean isBounded() {
        return isBounded;
    }

    /** How many threads wait for room now. */
    public int waiting() {
        return waiting.get();
    }

    /**
     * Whether the queue may grow up to an offset and a position. A true answer stays true while floors rise. They fall only when a group is
     * made or moved back; records that are appended at that moment may exceed the bound.
     *
     * @param records that are appended at once
     */
    boolean has(long endOffset, long endPosition, int records) {
        // An empty queue takes any record or batch that fits into a segment, whatever the bound in bytes. It counts as empty if all records
        // before are acknowledged, including records that other threads have appended meanwhile.
        return !isBounded || (endOffset - floorOffset <= maxRecords
                && (endPosition - floorPosition <= maxBytes || endOffset - floorOffset <= records));
    }

    /** Refuses a batch that can never fit. */
    void requirePossible(int records) {
        if (records > maxRecords) {
            throw new IllegalArgumentException("A batch of " + records + " records can never be appended: the queue is"
                    + " bounded to " + maxRecords + ", see QueueOptions.maxRecords");
        }
    }

    /**
     * Waits until there is room, or the queue is closed or poisoned.
     *
     * @throws QueueFullException if there is none in time, or the thread is interrupted; the thread stays interrupted
     */
    void await(Log log, long endOffset, long endPosition, int records, long timeoutNanos, long sinceNanos) {
        // Volatile, before reading the floors: a thread that raises one reads this afterwards, so one of the two sees the other.
        waiting.incrementAndGet();
        try {
            awaitCounted(log, endOffset, endPosition, records, timeoutNanos, sinceNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.make().full("Interrupted while waiting for room in the queue. Nothing was appended");
        } finally {
            waiting.decrementAndGet();
        }
    }

    private void awaitCounted(Log log, long endOffset, long endPosition, int records, long timeoutNanos,
            long sinceNanos)
            throws InterruptedException {
        synchronized (lock) {
            while (!isOver && log.poison == null && !has(endOffset, endPosition, records)) {
                long left = timeoutNanos < 0 ? LONGEST_NANOS : sinceNanos + timeoutNanos - System.nanoTime();
                if (left <= 0) {
                    throw Failures.make().full("The queue is full: there are " + (endOffset - records - floorOffset)
                            + " records from record " + floorOffset + " on, kept for "
                            + (slowest == null ? "the group that will read them first" : "consumer group " + slowest)
                            + "; with the new records they would be " + (endOffset - floorOffset) + " records"
                            + shown(maxRecords) + " and " + (endPosition - floorPosition) + " bytes" + shown(maxBytes)
                            + ". Nothing was appended, after waiting for "
                            + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms");
                }
                TimeUnit.NANOSECONDS.timedWait(lock, Math.min(left, LONGEST_NANOS));
            }
        }
    }

    private static String shown(long bound) {
        return bound == Long.MAX_VALUE ? "" : " (at most " + bound + ")";
    }

    /**
     * Sets what all groups have acknowledged.
     *
     * @param group a group that has not acknowledged what comes next; null if there is none
     */
    public void floor(long offset, long position, @Nullable String group) {
        if (!isBounded) {
            return;
        }
        slowest = group;
        // The position first: in between, the queue looks fuller than it is, never emptier.
        floorPosition = position;
        floorOffset = offset;
        if (waiting.get() > 0) {
            wake();
        }
    }

    /** Wakes all threads that wait for room, because the queue is closed or poisoned. */
    void wakeAll() {
        isOver = true;
        wake();
    }

    private void wake() {
        synchronized (lock) {
            lock.notifyAll();
        }
    }
}
