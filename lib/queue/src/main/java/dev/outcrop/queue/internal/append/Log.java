package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.Warnings;
import dev.outcrop.queue.internal.files.ChecksumCursor;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjLongConsumer;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The segments of an open queue. A producer claims offset and range by compare-and-set, copies, and commits. Producers wait for each other
 * only where a segment ends. Producers that meet all the time let others go first.
 */
public final class Log {
    /** Every 256th record is timed. */
    private static final long TIMED = 255;

    private final QueueDirectory files;
    private final Clock clock;
    private final QueueBounds bounds;
    private final Readers readers;
    private final ObjLongConsumer<Metric> metrics;
    /** Guards rolling to the next segment, giving one back, and closing. */
    private final Object lock = new Object();
    private final ThreadLocal<boolean[]> writing = ThreadLocal.withInitial(() -> new boolean[1]);
    final AbandonedClaims abandoned = new AbandonedClaims();
    /** The poison of a thread that has neither stack nor memory for another one. */
    final RuntimeException unfinished = withoutStack(Failures.make().poisoned(
            "A thread has run out of stack or memory, and could not finish what it had begun. Nothing more is appended. All records whose"
                    + " append has returned are in the queue. Close it, and open it again",
            null));
    /** The same, for a thread to which the system has reported that something is not on the disk. */
    private final RuntimeException unexplained = withoutStack(Failures.make().poisoned(
            "Something could not be written to the disk, and there was no memory or stack left to say what and why. Nothing more is"
                    + " appended. Close the queue, see to the disk, and open it again",
            null));

    private volatile SegmentFile first;
    private volatile SegmentFile current;
    private volatile boolean isClosed;
    volatile @Nullable RuntimeException poison;
    private volatile @Nullable Runnable retiring;
    /** The largest payload. */
    private final int largest;
    private final boolean isBounded;

    public Log(QueueDirectory files, Clock clock, QueueBounds bounds, Readers readers,
            ObjLongConsumer<Metric> metrics, SegmentFile first, SegmentFile current) {
        this.files = files;
        this.clock = clock;
        this.bounds = bounds;
        this.readers = readers;
        this.metrics = metrics;
        this.first = first;
        this.current = current;
        this.isBounded = bounds.isBounded();
        this.largest = current.size - QueueLayout.HEADER - QueueLayout.PAYLOAD;
        // Resolves the fields that a failing append writes, for which it may have no stack.
        abandoned.counts[0] = 0;
        abandoned.positions[0] = 0;
        abandoned.ends[0] = 0;
        abandoned.offsets[0] = Long.MAX_VALUE;
        abandoned.isAny = false;
    }

    public Clock clock() {
        return clock;
    }

    /** Drops the stack trace of an exception that is made before it is needed, and would mislead. */
    private static RuntimeException withoutStack(RuntimeException made) {
        made.setStackTrace(new StackTraceElement[0]);
        return made;
    }

    // --- Appending ---

    /**
     * Appends one record.
     *
     * @param <T>     type of the source
     * @param length  bytes, checked by this method
     * @param writer  copies the payload; if it throws, this method throws the same, and the record is withdrawn
     * @param source  passed to the writer
     * @param second  passed to the writer, too
     * @param timeout how long to wait while the queue is full; negative for no limit
     * @return the record's offset
     */
    public <T> long append(long length, PayloadWriter<T> writer, T source, @Nullable MemorySegment second,
            long timeout) {
        requireFits(length);
        return append(1, (int) QueueLayout.recordBytes(length), (int) length, writer, source, second, timeout);
    }

    /**
     * Appends the records of a batch.
     *
     * @return the offset of the first one
     */
    public long append(AppendBatch batch, long timeout) {
        return append(batch.size(), batch.bytes(), 0, PayloadWriter.BATCH, batch, null, timeout);
    }

    private <T> long append(int records, int bytes, int length, PayloadWriter<T> writer, T source,
            @Nullable MemorySegment second, long timeout) {
        // Small, with rare cases in other methods, so that the JIT compiler inlines it into its callers.
        long waitedSince = 0;
        while (true) {
            SegmentFile segment = current;
            long tail = segment.tail.get();
            if (isFree(segment, tail, records, bytes)
                    && write(segment, tail, records, bytes, length, writer, source, second)) {
                return segment.baseOffset + SegmentTail.records(tail);
            }
            waitedSince = makeFree(segment, tail, records, bytes, timeout, waitedSince);
        }
    }

    /** Whether records may be claimed behind a tail. */
    private boolean isFree(SegmentFile segment, long tail, int records, int bytes) {
        int position = SegmentTail.position(tail);
        // A poisoned segment is not always sealed: a thread without stack could only set the field.
        return poison == null && !SegmentTail.isSealed(tail) && segment.pages.isReady(position + (long) bytes)
                && (!isBounded || bounds.has(segment.baseOffset + SegmentTail.records(tail) + records,
                        segment.start + position + bytes, records));
    }

    /** Removes the reason why records cannot be claimed. Returns when waiting for room began, or 0. */
    private long makeFree(SegmentFile segment, long tail, int records, int bytes, long timeout, long waitedSince) {
        RuntimeException broken = poison;
        if (broken != null) {
            RuntimeException _ = poison(broken);
            requireOpen();
        }
        int position = SegmentTail.position(tail);
        if (SegmentTail.isSealed(tail)) {
            goOn(segment, tail);
            return waitedSince;
        }
        boolean fits = bytes <= segment.size - position;
        long endOffset = segment.baseOffset + SegmentTail.records(tail) + records;
        long end = segment.start + (fits ? position : segment.size + QueueLayout.HEADER) + bytes;
        // Before rolling, which would waste the end of this segment.
        if (!bounds.has(endOffset, end, records)) {
            if (timeout != 0) {
                // Before this writer's record is written, later records cannot be read, and so not be acknowledged.
                requireNoWriter("wait for room in");
            }
            long since = waitedSince;
            if (since == 0) {
                since = System.nanoTime();
                metrics.accept(Metric.FULL_WAIT, 1);
            }
            awaitRoom(records, endOffset, end, timeout, since);
            return since;
        }
        if (fits && !segment.pages.isReady(position + bytes)) {
            segment.pages.prepare(position + bytes);
        } else if (fits) {
            // Another producer was faster, or goes first. On few processors it is best to let it run.
            Thread.onSpinWait();
        } else {
            goOn(segment, tail);
        }
        return waitedSince;
    }

    private void awaitRoom(int records, long endOffset, long endPosition, long timeout, long since) {
        StallEvent event = FlightRecorder.isInitialized() ? new StallEvent() : null;
        if (event != null) {
            event.begin();
        }
        long start = System.nanoTime();
        try {
            bounds.await(this, endOffset, endPosition, records, timeout, since);
        } finally {
            metrics.accept(Metric.STALL, System.nanoTime() - start);
            if (event != null) {
                event.commit(files.directory(), endOffset - records);
            }
        }
        requireOpen();
    }

    /**
     * Claims records behind a tail, copies and commits them. Returns false if another producer has claimed something meanwhile, or goes
     * first.
     */
    private <T> boolean write(SegmentFile segment, long tail, int records, int bytes, int length,
            PayloadWriter<T> writer,
            T source, @Nullable MemorySegment second) {
        long offset = segment.baseOffset + SegmentTail.records(tail);
        int position = SegmentTail.position(tail);
        long start = startIfTimed(records, offset);
        // Before claiming, because there may be no memory to make it.
        ChecksumCursor checksums = segment.checksumCursor();
        // Also before claiming, so that no record is older than the one before it.
        long time = clock.millis();
        if (letsOthersGoFirst(checksums, tail, records, time)) {
            return false;
        }
        int kind = QueueLayout.KIND_WITHDRAWN;
        boolean isCommitted = false;
        Throwable failure = null;
        if (!segment.tail.compareAndSet(tail, tail + records * SegmentTail.ONE_RECORD + (bytes >>> 3))) {
            return false;
        }
        // No call between claiming and this: it could fail, for lack of stack. The method must stay below 325 bytes of code, or the JIT
        // compiler does not inline it.
        try {
            try {
                writer.fill(segment, position, length, source, second);
                segment.requireCopied(position, bytes);
                kind = QueueLayout.KIND_RECORD;
            } catch (Throwable e) {
                failure = e;
            }
            // A record that was not filled is withdrawn, so that those behind it can be read.
            writer.commit(segment, position, offset, length, kind, time, source, checksums);
            isCommitted = true;
            readers.wake();
        } catch (Throwable e) {
            if (!isCommitted) {
                // Without a call or a monitor, for which there may be no stack.
                if (poison == null) {
                    poison = unfinished;
                }
                AbandonedClaims claims = abandoned;
                int slot = (int) offset & AbandonedClaims.SLOTS - 1;
                claims.counts[slot]++;
                claims.positions[slot] = position + bytes;
                claims.ends[slot] = offset + records;
                claims.offsets[slot] = offset;
                claims.isAny = true;
                poisonBy(e, segment, offset);
            }
            throw e;
        }
        if (failure != null || start != 0) {
            end(failure, start);
        }
        return true;
    }

    /** Returns the time if a record is timed, otherwise 0. Reading the clock costs as much as a small record. */
    private static long startIfTimed(int records, long offset) {
        return records == 1 && (offset & TIMED) == 0 ? System.nanoTime() : 0;
    }

    /**
     * Throws what a record writer has thrown, which a writer in another language need not declare. Otherwise counts the record, if it is
     * timed.
     */
    @SuppressWarnings("unchecked")
    private <E extends Throwable> void end(@Nullable Throwable failure, long start) throws E {
        if (failure != null) {
            throw (E) failure;
        }
        metrics.accept(Metric.APPEND, System.nanoTime() - start);
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it: with no other thread to run, this one goes on at once
    private boolean letsOthersGoFirst(ChecksumCursor checksums, long tail, int records, long time) {
        if (!checksums.contention.isMet(SegmentTail.records(tail), records, time)) {
            return false;
        }
        // Records behind a writer's own cannot be read before it is committed.
        if (!isInWriter()) {
            Thread.yield();
        }
        return true;
    }

    /**
     * Poisons the queue, because a claim will never be committed, and the records behind it cannot be read. The caller has set the poison
     * to {@link #unfinished} before, which takes neither stack nor heap.
     */
    private void poisonBy(Throwable e, SegmentFile segment, long offset) {
        if (e instanceof InternalError) {
            // The file was truncated, or the disk is full where no space could be reserved.
            throw poison(Failures.make().poisoned("Record " + offset + " could not be written to " + segment
                    + ": the file is shorter than it was, or its disk is full. Close the queue, see to that, and open it again",
                    e));
        }
        RuntimeException _ = poison(Failures.make().poisoned("Record " + offset + " could not be finished in " + segment
                + " (" + e
                + "). Nothing more is appended, because records behind it could not be read. Close the queue, and open it again",
                e));
    }

    /** Refuses a payload that no record can have. */
    public void requireFits(long length) {
        if (length > largest) {
            throw new IllegalArgumentException("A record of " + length + " bytes is larger than the " + largest
                    + " bytes that fit into a file of this queue; make the queue with a larger QueueOptions.segmentSize");
        }
        if (length < 0) {
            throw new IllegalArgumentException("A record cannot have " + length + " bytes");
        }
    }

    /** Makes a batch of payloads. */
    public AppendBatch batch(List<MemorySegment> payloads) {
        AppendBatch batch = new AppendBatch(payloads, largest + QueueLayout.PAYLOAD);
        bounds.requirePossible(batch.size());
        return batch;
    }

    // --- Going on to the next segment ---

    /** Makes the next segment current, or waits until another thread has done so. */
    private void goOn(SegmentFile full, long seen) {
        requireOpen();
        SegmentRollEvent event = FlightRecorder.isInitialized() ? new SegmentRollEvent() : null;
        if (event != null) {
            event.begin();
        }
        long start = System.nanoTime();
        try {
            if (!goOnOnce(full, seen)) {
                return;
            }
        } finally {
            // Also for a thread that only waited for another thread to do it.
            metrics.accept(Metric.STALL, System.nanoTime() - start);
        }
        metrics.accept(Metric.ROLL, 1);
        if (event != null) {
            event.commit(files.directory(), current.baseOffset);
        }
        files.prepareAnother();
        // Without a background thread, no other thread checks whether earlier segments are old or large enough to give back.
        retire();
    }

    /** Returns whether this thread has made the next segment current. */
    private boolean goOnOnce(SegmentFile full, long seen) {
        synchronized (lock) {
            try {
                return goOnHeld(full, seen);
            } catch (StackOverflowError e) {
                // It is not known what was begun. Poisons without a call, for which there may be no stack, and before another thread gets
                // the lock.
                if (poison == null) {
                    poison = unfinished;
                }
                throw e;
            }
        }
    }

    private boolean goOnHeld(SegmentFile full, long seen) {
        requireOpen();
        if (current != full) {
            return false;
        }
        long tail = full.tail.get();
        if (tail != seen) {
            // Others have appended smaller records. Ours may still not fit, so look again.
            return false;
        }
        SegmentFile next;
        // No claims from here on: a thread that tries waits for this lock.
        if (!full.tail.compareAndSet(tail, SegmentTail.sealed(tail))) {
            return false;
        }
        try {
            next = files.begin(full.baseOffset + SegmentTail.records(tail), full.baseOffset, full.start + full.size,
                    clock.millis());
        } catch (IOException | RuntimeException e) {
            // Nothing has changed yet: the next append tries again.
            full.tail.compareAndSet(SegmentTail.sealed(tail), tail);
            if (e instanceof IOException io) {
                throw Failures.make().refused("The queue cannot go on to its next file: " + FailureText.of(io)
                        + ". Nothing was appended; the records in the queue can be read. Try again when there is room on the disk",
                        io);
            }
            RuntimeException failure = (RuntimeException) e;
            throw Failures.make().isPoison(failure) ? poison(failure) : failure;
        }
        try {
            full.writeEnd(SegmentTail.position(tail), next.baseOffset, clock.millis());
        } catch (InternalError e) {
            // The file was truncated, and its records may be lost. Going on loses nothing more.
            Warnings.log("dev.outcrop.queue.Log", "", full, " is shorter than it was: its end cannot be marked", e);
        }
        next.checkLike(full);
        // Volatile writes, so that a thread that sees the segment sees its header.
        full.next = next;
        current = next;
        full.forgetChecksumCursors();
        return true;
    }

    // --- Record writers ---

    /** Whether this thread is in a {@code RecordWriter} of this queue. */
    public boolean isInWriter() {
        return writing.get()[0];
    }

    /** The flag of {@link #isInWriter} for this thread, to be changed without a call that could fail. */
    public boolean[] inWriter() {
        return writing.get();
    }

    /** Throws if a record writer calls this, because the operation would wait for the writer's own record. */
    public void requireNoWriter(String what) {
        if (isInWriter()) {
            throw new IllegalStateException("A RecordWriter cannot " + what
                    + " its own queue: that would wait for its own record; do it after append has returned");
        }
    }

    // --- State ---

    public long firstOffset() {
        return first.baseOffset;
    }

    /** The offset that the next record will get. */
    public long nextOffset() {
        SegmentFile segment = current;
        return segment.baseOffset + SegmentTail.records(segment.tail.get());
    }

    /** The position of the next record, as {@link Cursor#position()} counts. */
    public long nextPosition() {
        SegmentFile segment = current;
        return segment.start + SegmentTail.position(segment.tail.get());
    }

    public Path directory() {
        return files.directory();
    }

    /** The listener for counts and times. */
    public ObjLongConsumer<Metric> metrics() {
        return metrics;
    }

    public SegmentFile current() {
        return current;
    }

    /**
     * Opens a cursor before the record of an offset, before the first record if that one is gone, or behind the last one.
     *
     * @return the cursor, which the caller must close
     */
    public Cursor cursor(long offset) {
        while (true) {
            // Each time, because no lease is given out once the queue is closed.
            requireReadable();
            SegmentFile segment = first;
            while (segment.next != null && java.util.Objects.requireNonNull(segment.next).baseOffset <= offset) {
                segment = java.util.Objects.requireNonNull(segment.next);
            }
            if (segment.lease()) {
                Cursor cursor = new Cursor(segment, segment.baseOffset, QueueLayout.HEADER);
                try {
                    segment.requireLength();
                    while (cursor.offset() < offset && cursor.skip()) {
                        // A segment has no index.
                    }
                    return cursor;
                } catch (Throwable e) {
                    cursor.close();
                    throw e;
                }
            }
            // It was given back meanwhile, and "first" has moved on.
            Thread.onSpinWait();
        }
    }

    // --- Giving back ---

    /**
     * Removes the first segment, if the one behind it begins at or before an offset, and no reader has a lease.
     *
     * @return the segment, which is no longer used; or null
     */
    @Nullable
    public SegmentFile takeFirst(long before) {
        synchronized (lock) {
            SegmentFile segment = first;
            SegmentFile next = segment.next;
            if (isClosed || next == null || next.baseOffset > before || !segment.giveBack()) {
                return null;
            }
            first = next;
            return segment;
        }
    }

    /** Sets what gives segments back. */
    public void retiring(Runnable wake) {
        retiring = wake;
    }

    /** Starts giving back segments that are not needed. Cheap. */
    public void retire() {
        Runnable wake = retiring;
        if (wake != null) {
            try {
                wake.run();
            } catch (StackOverflowError e) {
                // It is not known what was done, or what the system has reported.
                if (poison == null) {
                    poison = unfinished;
                }
                throw e;
            }
        }
    }

    public SegmentFile first() {
        return first;
    }

    // --- Ending ---

    public void requireOpen() {
        if (isClosed) {
            throw closed();
        }
        RuntimeException broken = poison;
        if (broken != null) {
            // A new one with the stack trace of this caller.
            throw Failures.make().poisoned(String.valueOf(broken.getMessage()), broken);
        }
    }

    public void requireReadable() {
        if (isClosed) {
            throw closed();
        }
    }

    public boolean isClosed() {
        return isClosed;
    }

    @Nullable
    public RuntimeException poison() {
        return poison;
    }

    private IllegalStateException closed() {
        return new IllegalStateException("The queue " + files.directory() + " is closed");
    }

    /** Ends claiming. With the lock held, so that no other segment becomes the current one. */
    private void seal() {
        long tail;
        do {
            tail = current.tail.get();
        } while (!SegmentTail.isSealed(tail) && !current.tail.compareAndSet(tail, SegmentTail.sealed(tail)));
    }

    /** Poisons the queue; returns the failure to be thrown. */
    public RuntimeException poison(RuntimeException failure) {
        synchronized (lock) {
            RuntimeException known = poison;
            if (known == null || known.equals(unfinished)) {
                poison = failure;
            }
            // From now on an append finds no room, and looks why.
            seal();
        }
        bounds.wakeAll();
        readers.wake();
        return failure;
    }

    /** Poisons the queue if there is neither memory nor stack to say what the disk has refused. */
    public RuntimeException poisonUnexplained() {
        return poison(unexplained);
    }

    /** Ends appending. Closing twice is harmless. */
    public void close() {
        // Before the lock, which threads that append without a pause could keep from this one.
        isClosed = true;
        synchronized (lock) {
            seal();
        }
        bounds.wakeAll();
        readers.wake();
    }
}
